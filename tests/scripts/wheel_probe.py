"""Run by a Python that has only the wheel: everything that a user imports is there, and so are its files."""

import importlib
import importlib.resources
import os
import sys

os.environ["REFLEX_BACKEND_ONLY"] = "true"  # components then link no files into the working folder

import reflex_agentkit

for name in reflex_agentkit.__all__:
    getattr(reflex_agentkit, name)
for name in ("plugin", "cli.demo", "adapters.pydantic_ai", "components", "testing"):
    importlib.import_module(f"reflex_agentkit.{name}")

files = importlib.resources.files(reflex_agentkit)
wanted = ["py.typed", "cli/travel/rxconfig.py", "cli/travel/travel/travel.py", "live/channel.jsx"]
missing = [name for name in wanted if not files.joinpath(name).is_file()]
if missing:
    sys.exit(f"not in the wheel: {', '.join(missing)}")
print("whole")
