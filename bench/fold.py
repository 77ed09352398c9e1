"""Events a second: JSON to model to conversation, the fold alone, and the model alone."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator

from ag_ui.core import Event
from pydantic import TypeAdapter
from reflex_agentkit.protocol.fold.dispatch import Fold

PIECES_A_MESSAGE = 200


def stream(events: int) -> Iterator[str]:
    """The events of a long conversation as JSON texts: answers in small pieces, over and over."""
    given = 0
    while given < events:
        name = f"m{given}"
        head = {"threadId": "t", "runId": f"r{given}"}
        yield json.dumps({"type": "RUN_STARTED", **head})
        yield json.dumps({"type": "TEXT_MESSAGE_START", "messageId": name, "role": "assistant"})
        for _ in range(PIECES_A_MESSAGE):
            yield json.dumps({"type": "TEXT_MESSAGE_CONTENT", "messageId": name, "delta": "word "})
        yield json.dumps({"type": "TEXT_MESSAGE_END", "messageId": name})
        yield json.dumps({"type": "RUN_FINISHED", **head})
        given += PIECES_A_MESSAGE + 4


def rate(work: Callable[[], object], count: int) -> float:
    """How many a second."""
    begun = time.perf_counter()
    work()
    return count / (time.perf_counter() - begun)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--events", type=int, default=200_000, help="length of the stream (default: %(default)s)"
    )
    texts = list(stream(options.parse_args().events))
    read = TypeAdapter(Event).validate_json
    models = [read(text) for text in texts]
    tenth = len(models) // 10
    fold = Fold()

    def all_of_it() -> None:
        whole = Fold()
        for text in texts:
            whole.apply(read(text))

    def part(start: int) -> Callable[[], None]:
        def work() -> None:
            for model in models[start : start + tenth]:
                fold.apply(model)

        return work

    rates = [rate(part(start), tenth) for start in range(0, tenth * 10, tenth)]
    model = rate(lambda: [read(text) for text in texts], len(texts))
    print(f"{'events':32} {len(texts):12,}")
    print(f"{'JSON to model, a second':32} {model:12,.0f}")
    print(f"{'JSON to model to fold, a second':32} {rate(all_of_it, len(texts)):12,.0f}")
    print(f"{'fold alone, a second':32} {10 / sum(1 / each for each in rates):12,.0f}")
    print(f"{'last tenth against first':32} {rates[-1] / rates[0]:12.2f}")


if __name__ == "__main__":
    main()
