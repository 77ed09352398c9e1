"""Events a second: JSON to model to conversation, the fold alone, and the model alone."""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

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


def rate(work: Callable[[], object], count: int, *, times: int = 3) -> float:
    """How many a second, at best; what is thrown away is cleared outside of the time."""
    best = float("inf")
    for _ in range(times):
        gc.collect()
        gc.disable()
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
        gc.enable()
    return count / best


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--events", type=int, default=100_000, help="length of the stream (default: %(default)s)"
    )
    texts = list(stream(options.parse_args().events))
    read = TypeAdapter(Event).validate_json
    models = [read(text) for text in texts]

    def model_alone() -> None:
        for text in texts:
            read(text)

    def model_and_fold() -> None:
        fold = Fold()
        for text in texts:
            fold.apply(read(text))

    def fold_alone() -> None:
        fold = Fold()
        for model in models:
            fold.apply(model)

    alone = rate(model_alone, len(texts))
    both = rate(model_and_fold, len(texts))
    print(f"{'events':32} {len(texts):12,}")
    print(f"{'JSON to model, a second':32} {alone:12,.0f}")
    print(f"{'JSON to model to fold, a second':32} {both:12,.0f} {both / alone:8.2f} of the model alone")
    print(f"{'fold alone, a second':32} {rate(fold_alone, len(texts)):12,.0f}")
    print(f"{'last tenth against first':32} {last_against_first(models):12.2f}")


def last_against_first(models: list[Any]) -> float:
    """The speed at the end of the stream as a part of the speed at its beginning; 1.0 is flat."""
    fold = Fold()
    tenth = len(models) // 10
    rates: list[float] = []
    for start in range(0, tenth * 10, tenth):
        part = models[start : start + tenth]
        rates.append(rate(lambda part=part: [fold.apply(model) for model in part], tenth, times=1))
    return rates[-1] / rates[0]


if __name__ == "__main__":
    main()
