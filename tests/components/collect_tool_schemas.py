"""Collects the argument schemas of real tools from the installed packages, into `tool_schemas.json`.

    python tests/components/collect_tool_schemas.py [FOLDER OF PACKAGES ...]

Needs what it collects from: langchain-community, crewai-tools, deepagents, mcp, pydantic-ai, and any package
that brings an OpenAPI document. Each entry says where it comes from; `args` is a proposal that fits.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import inspect
import json
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

HERE = Path(__file__).parent
LARGEST = 12_000
Found = tuple[str, str, dict[str, Any]]


def modules(package: str) -> Iterator[Any]:
    root = importlib.import_module(package)
    yield root
    for info in pkgutil.walk_packages(getattr(root, "__path__", []), f"{package}.", onerror=lambda _: None):
        try:
            module = importlib.import_module(info.name)
        except (Exception, SystemExit):
            continue
        yield module


def of_classes(distribution: str, package: str, base: str, most: int) -> Iterator[Found]:
    """Tools that are classes with an `args_schema` (LangChain, CrewAI)."""
    version = importlib.metadata.version(distribution)
    seen: set[str] = set()
    for module in modules(package):
        for name, kind in inspect.getmembers(module, inspect.isclass):
            if name in seen or base not in {parent.__name__ for parent in kind.__mro__[1:]}:
                continue
            fields = getattr(kind, "model_fields", {})
            model = getattr(fields.get("args_schema"), "default", None)
            if not (inspect.isclass(model) and issubclass(model, BaseModel)):
                continue
            tool = getattr(fields.get("name"), "default", None)
            seen.add(name)
            try:
                yield (
                    tool if isinstance(tool, str) else name,
                    f"{distribution} {version}: {kind.__module__}.{name}",
                    model.model_json_schema(),
                )
            except Exception:
                continue
            if len(seen) >= most:
                return


def of_models(distribution: str, package: str, most: int) -> Iterator[Found]:
    """Requests of an API that are pydantic models."""
    version = importlib.metadata.version(distribution)
    seen: set[str] = set()
    for module in modules(package):
        for name, kind in inspect.getmembers(module, inspect.isclass):
            if (
                name in seen
                or not issubclass(kind, BaseModel)
                or not kind.model_fields
                or not kind.__module__.startswith(package)
            ):
                continue
            seen.add(name)
            try:
                schema = kind.model_json_schema()
            except Exception:
                continue
            if len(schema.get("properties", {})) > 1:
                yield name, f"{distribution} {version}: {kind.__module__}.{name}", schema
            if len(seen) >= most:
                return


def of_functions(distribution: str, functions: list[Any]) -> Iterator[Found]:
    """Functions as pydantic-ai makes tools of them."""
    from pydantic_ai import Tool

    version = importlib.metadata.version(distribution)
    for function in functions:
        tool = Tool(function, takes_ctx=False)
        where = f"{distribution} {version}: {function.__module__}.{function.__qualname__}"
        yield tool.name, where, tool.function_schema.json_schema


def of_deepagents() -> Iterator[Found]:
    from deepagents.backends import StateBackend
    from deepagents.middleware.filesystem import FilesystemMiddleware
    from langchain.agents.middleware import TodoListMiddleware

    version = importlib.metadata.version("deepagents")
    for middleware in (FilesystemMiddleware(backend=StateBackend()), TodoListMiddleware()):
        for tool in middleware.tools:
            yield tool.name, f"deepagents {version}: {tool.name}", tool.tool_call_schema.model_json_schema()


def of_openapi(folder: Path, most: int) -> Iterator[Found]:
    """The operations of OpenAPI documents that packages bring: parameters and body as one object."""
    count = 0
    for path in sorted(folder.glob("*/**/*openapi*.json")):
        read = json.loads(path.read_text(encoding="utf-8"))
        documents = [read] if "paths" in read else [one for one in read.values() if isinstance(one, dict)]
        where = path.relative_to(folder).as_posix()
        for document in documents:
            parts = document.get("components", {}).get("schemas", {})
            for route, verb, operation in operations(document):
                schema = with_parts(operation_schema(operation), parts)
                if schema["properties"] and count < most and len(json.dumps(schema)) < LARGEST:
                    count += 1
                    yield operation.get("operationId", verb), f"{where}: {verb.upper()} {route}", schema


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for route, verbs in document.get("paths", {}).items():
        for verb, operation in verbs.items():
            if isinstance(operation, dict) and verb in ("get", "post", "put", "patch", "delete"):
                yield route, verb, operation


def operation_schema(operation: dict[str, Any]) -> dict[str, Any]:
    properties = {
        one["name"]: one.get("schema", {}) for one in operation.get("parameters", []) if "name" in one
    }
    required = [one["name"] for one in operation.get("parameters", []) if one.get("required")]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body:
        properties["body"] = body
    return {"type": "object", "properties": properties, "required": required}


def with_parts(schema: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """The schema with the parts that it names, under `$defs`."""
    text = json.dumps(schema).replace("#/components/schemas/", "#/$defs/")
    found: dict[str, Any] = {}
    waiting = [text]
    while waiting:
        here = waiting.pop()
        for name in parts:
            if name not in found and f'"#/$defs/{name}"' in here:
                part = json.dumps(parts[name]).replace("#/components/schemas/", "#/$defs/")
                found[name] = json.loads(part)
                waiting.append(part)
    return json.loads(text) | ({"$defs": found} if found else {})


def sample(schema: Any, root: dict[str, Any], depth: int = 0) -> Any:
    """A value that a model could propose."""
    if not isinstance(schema, dict) or depth > 6:
        return None
    if "$ref" in schema:
        return sample(root.get("$defs", {}).get(schema["$ref"].rsplit("/", 1)[-1], {}), root, depth + 1)
    if schema.get("enum"):
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return sample(schema[key][0], root, depth + 1)
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object" or "properties" in schema:
        wanted = schema.get("required", [])
        properties = schema.get("properties", {})
        names = [name for name in properties if name in wanted or depth == 0]
        return {name: sample(properties[name], root, depth + 1) for name in names}
    if kind == "array":
        return [
            sample(schema.get("items", {}), root, depth + 1) for _ in range(max(1, schema.get("minItems", 0)))
        ]
    texts = {
        "date": "2026-12-05",
        "date-time": "2026-12-05T18:30:00Z",
        "email": "ann@example.test",
        "uri": "https://example.test/",
        "uuid": "123e4567-e89b-12d3-a456-426614174000",
        "time": "18:30:00",
    }
    low = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
    plain = {
        "string": texts.get(schema.get("format", ""), "a text"),
        "boolean": True,
        "integer": int(low),
        "number": low,
        "null": None,
    }
    return plain.get(kind, "anything")


def main(folders: list[str]) -> None:
    warnings.simplefilter("ignore")
    import difflib
    import shutil
    import subprocess
    import tempfile

    from reflex_agentkit.protocol.schema import check_args

    gathered: list[Found] = []
    for source in (
        lambda: of_classes("langchain-community", "langchain_community", "BaseTool", 75),
        lambda: of_classes("crewai-tools", "crewai_tools", "BaseTool", 75),
        of_deepagents,
        lambda: of_functions(
            "pydantic-ai-slim",
            [
                shutil.copytree,
                shutil.move,
                difflib.get_close_matches,
                tempfile.mkdtemp,
                subprocess.list2cmdline,
            ],
        ),
        lambda: of_models("mcp", "mcp_types" if importlib.util.find_spec("mcp_types") else "mcp.types", 46),
        *[lambda folder=folder: of_openapi(Path(folder), 45) for folder in folders],
    ):
        try:
            gathered.extend(source())
        except Exception as error:
            print("left out:", type(error).__name__, error, file=sys.stderr)
    seen: set[str] = set()
    tools: list[dict[str, Any]] = []
    for name, where, schema in gathered:
        text = json.dumps(schema, sort_keys=True)
        if text in seen or len(text) > LARGEST or len(schema.get("properties", {})) == 0:
            continue
        seen.add(text)
        args = sample(schema, schema)
        if isinstance(args, dict) and check_args(args, schema):
            args = {name: value for name, value in args.items() if name in schema.get("required", [])}
        if isinstance(args, dict) and not check_args(args, schema):
            tools.append({"name": name, "from": where, "schema": schema, "args": args})
        else:
            print("no fitting proposal:", where, check_args(args, schema)[:2], file=sys.stderr)
    lines = ",\n".join(json.dumps(tool, separators=(",", ":"), ensure_ascii=False) for tool in tools)
    (HERE / "tool_schemas.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    counts: dict[str, int] = {}
    for tool in tools:
        package = tool["from"].split(":")[0]
        counts[package] = counts.get(package, 0) + 1
    print(len(tools), "schemas", counts)


if __name__ == "__main__":
    main(sys.argv[1:])
