"""`HttpAgent` reads an event stream, however it comes."""

from __future__ import annotations

import asyncio
import codecs
import gzip
import json
import zlib

import pytest
from ag_ui.core import (
    ActivityMessage,
    CustomEvent,
    EventType,
    ResumeEntry,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    TextMessageContentEvent,
)

from reflex_agentkit.agents import HttpAgent
from reflex_agentkit.errors import ProtocolError
from reflex_agentkit.testing.streams import says
from tests.agents.raw_server import STREAM, asked, frame, heard, page, raw_server

TEXT = "Grüße, 世界 👋"


def kinds(events):
    return [event.type.value for event in events]


def text_of(events):
    return "".join(event.delta for event in events if isinstance(event, TextMessageContentEvent))


async def plain(request):
    await request.run(*says("m", TEXT))


async def test_a_run_is_one_post_of_the_input_and_its_events_come_back():
    async with raw_server(plain) as server:
        events = await heard(HttpAgent(server.url))
    [request] = server.requests
    assert request.line == "POST /agent HTTP/1.1"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["accept"] == "text/event-stream"
    assert request.input["threadId"] == "t"
    assert request.input["messages"] == [{"id": "user-1", "role": "user", "content": "Hello"}]
    assert request.input["protocolVersion"] == "1.0"
    assert kinds(events)[0] == "RUN_STARTED"
    assert kinds(events)[-1] == "RUN_FINISHED"
    assert text_of(events) == TEXT


async def test_what_has_no_place_on_the_wire_stays_here():
    entries = [
        ResumeEntry(interrupt_id="a", status="cancelled", metadata={"reason": "expired"}),
        ResumeEntry(interrupt_id="b", status="resolved", payload=None),
    ]
    activity = ActivityMessage(id="act", activity_type="plan", content={"steps": []})
    run_input = asked(resume=entries)
    run_input.messages.append(activity)
    async with raw_server(plain) as server:
        await heard(HttpAgent(server.url), run_input)
    [sent] = server.bodies
    assert [message["id"] for message in sent["messages"]] == ["user-1"]
    assert sent["resume"] == [
        {"interruptId": "a", "status": "cancelled"},
        {"interruptId": "b", "status": "resolved", "payload": None},
    ]
    assert run_input.resume == entries
    assert run_input.messages[-1] is activity


async def test_numbers_keep_their_value_on_the_way_out_and_back():
    big = '{"amount": 9007199254740993, "rate": 1.0}'

    async def numbers(request):
        started, finished = request.ends()
        raw = b'data: {"type": "CUSTOM", "name": "n", "value": ' + big.encode() + b"}\n\n"
        await request.send(STREAM, frame(started), raw, frame(finished))

    async with raw_server(numbers) as server:
        events = await heard(HttpAgent(server.url), asked(state={"n": 9007199254740993, "r": 1.0}))
    assert '"n": 9007199254740993' in server.requests[0].body.decode()
    assert '"r": 1.0' in server.requests[0].body.decode()
    [custom] = [event for event in events if isinstance(event, CustomEvent)]
    assert custom.value["amount"] == 9007199254740993
    assert type(custom.value["rate"]) is float


async def test_events_may_be_cut_anywhere_even_inside_a_character():
    async def byte_by_byte(request):
        started, finished = request.ends()
        whole = b"".join(frame(event) for event in (started, *says("m", TEXT), finished))
        await request.send(STREAM, *(whole[at : at + 1] for at in range(len(whole))))

    async with raw_server(byte_by_byte) as server:
        assert text_of(await heard(HttpAgent(server.url))) == TEXT


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
async def test_data_over_several_lines_comments_and_other_fields_are_read_as_sse_says(end):
    async def odd(request):
        started, finished = request.ends()
        lines = [b"\xef\xbb\xbf: keep-alive", b"", b"retry: 10", b"id: 7", b"event: message"]
        for event in (started, *says("m", TEXT), finished):
            pretty = json.dumps(json.loads(frame(event)[6:]), indent=1, ensure_ascii=False)
            lines += [b"data:" + line.encode() for line in pretty.split("\n")]
            lines += [b": ping", b"", b""]
        await request.send(STREAM, end.join(lines) + end + end)

    async with raw_server(odd) as server:
        events = await heard(HttpAgent(server.url))
    assert text_of(events) == TEXT
    assert kinds(events)[-1] == "RUN_FINISHED"


@pytest.mark.parametrize("packed", ["gzip", "deflate"])
async def test_a_packed_stream_is_unpacked_as_it_comes(packed):
    async def squeezed(request):
        started, finished = request.ends()
        packer = zlib.compressobj(wbits=31 if packed == "gzip" else 15)
        head = STREAM.replace(b"\r\n\r\n", f"\r\nContent-Encoding: {packed}\r\n\r\n".encode())
        await request.send(head)
        for event in (started, *says("m", TEXT), finished):
            await request.send(packer.compress(frame(event)) + packer.flush(zlib.Z_SYNC_FLUSH))
        await request.send(packer.flush())

    async with raw_server(squeezed) as server:
        assert text_of(await heard(HttpAgent(server.url))) == TEXT


async def test_a_stream_that_cannot_be_unpacked_is_said_to_be_so():
    async def broken(request):
        head = STREAM.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
        await request.send(head, gzip.compress(b"x" * 100)[:6] + b"no gzip at all")

    async with raw_server(broken) as server:
        [event] = await heard(HttpAgent(server.url))
    assert (event.type, event.code) == (EventType.RUN_ERROR, "not_agui")


async def test_a_large_event_is_read_whole():
    async def large(request):
        await request.run(*says("m", "a" * 5_000_000))

    async with raw_server(large) as server:
        assert len(text_of(await heard(HttpAgent(server.url)))) == 5_000_000


async def test_an_event_without_an_end_stops_the_run_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr("reflex_agentkit.agents.http.stream.MAX_EVENT", 200_000)

    async def endless(request):
        await request.send(STREAM, b"data: ")
        while True:
            await request.send(b"a" * 50_000)

    async with raw_server(endless) as server:
        with pytest.raises(ProtocolError, match="larger than"):
            await heard(HttpAgent(server.url))


async def test_many_events_together_are_no_large_event(monkeypatch):
    monkeypatch.setattr("reflex_agentkit.agents.http.stream.MAX_EVENT", 2_000)

    async def many(request):
        started, finished = request.ends()
        whole = b"".join(frame(event) for event in (started, *says("m", *["x" * 50] * 100), finished))
        # The empty line that ends an event comes in a packet of its own.
        await request.send(STREAM, *(piece + b"\n" for piece in whole.split(b"\n")[:-1]))

    async with raw_server(many) as server:
        assert len(text_of(await heard(HttpAgent(server.url)))) == 5_000


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"data: {\n\n", "event 2 from http.*is not JSON"),
        (b"data: [DONE]\n\n", "event 2 from http.*is not JSON"),
        (b"data: [1]\n\n", "event 2"),
        (b'data: {"type": "TEXT_MESSAGE_CONTENT", "messageId": 7}\n\n', "event 2.*/messageId"),
        (b'data: {"delta": "x"}\n\n', "event 2.*`type`"),
        (b'data: {"type": "TEXT_MESSAGE_CONTENT", "delta": "\xff"}\n\n', "not UTF-8"),
    ],
)
async def test_what_is_no_event_ends_the_run_with_its_place_and_what_came_before_is_kept(raw, said):
    async def broken(request):
        started, finished = request.ends()
        await request.send(STREAM + frame(started))
        await request.send(raw, frame(finished))

    async with raw_server(broken) as server:
        events = HttpAgent(server.url).run(asked())
        assert (await anext(events)).type is EventType.RUN_STARTED
        with pytest.raises(ProtocolError, match=said):
            await anext(events)


async def test_an_event_of_a_type_that_is_not_known_is_left_out(caplog):
    async def newer(request):
        started, finished = request.ends()
        await request.send(STREAM, frame(started), b'data: {"type": "FROM_TOMORROW"}\n\n', frame(finished))

    async with raw_server(newer) as server:
        assert kinds(await heard(HttpAgent(server.url))) == ["RUN_STARTED", "RUN_FINISHED"]
    assert "FROM_TOMORROW" in caplog.text


async def test_an_endpoint_that_keeps_the_stream_open_after_the_end_is_left(monkeypatch):
    monkeypatch.setattr("reflex_agentkit.agents.http.agent.LINGER", 0.01)
    closed = asyncio.Event()

    async def open_end(request):
        await request.run(*says("m", "Hi"))
        await request.gone()
        closed.set()

    async with raw_server(open_end) as server:
        events = await heard(HttpAgent(server.url))
        await closed.wait()
    assert kinds(events)[-1] == "RUN_FINISHED"


async def test_an_endpoint_that_goes_on_and_on_after_the_end_is_left_too(monkeypatch):
    monkeypatch.setattr("reflex_agentkit.agents.http.agent.LINGER", 0.05)

    async def goes_on(request):
        await request.run()
        while True:
            await request.send(frame(CustomEvent(name="more", value=1)))
            await asyncio.sleep(0.001)

    async with raw_server(goes_on) as server, asyncio.timeout(10):
        events = await heard(HttpAgent(server.url))
    assert "RUN_FINISHED" in kinds(events)


async def test_a_mark_of_byte_order_may_be_cut_too():
    async def marked(request):
        await request.send(STREAM)
        for byte in codecs.BOM_UTF8 + b"".join(frame(event) for event in request.ends()):
            await request.send(bytes([byte]))
            await asyncio.sleep(0)

    async with raw_server(marked) as server:
        assert kinds(await heard(HttpAgent(server.url))) == ["RUN_STARTED", "RUN_FINISHED"]


async def test_what_breaks_after_the_end_of_the_run_does_not_undo_it():
    async def late(request):
        await request.run()
        await request.send(b"data: no event\n\n")

    async with raw_server(late) as server:
        assert kinds(await heard(HttpAgent(server.url))) == ["RUN_STARTED", "RUN_FINISHED"]


async def test_an_error_after_the_end_is_still_told_and_a_replayed_run_does_not_end_the_stream():
    async def replay(request):
        started, finished = request.ends()
        old = {"thread_id": "t", "run_id": "run-0"}
        late = RunErrorEvent(message="the bill could not be written")
        await request.stream(RunStartedEvent(**old), RunFinishedEvent(**old), started, finished, late)

    async with raw_server(replay) as server:
        events = await heard(HttpAgent(server.url))
    assert kinds(events) == ["RUN_STARTED", "RUN_FINISHED"] * 2 + ["RUN_ERROR"]


async def test_closing_the_iterator_closes_the_connection():
    closed = asyncio.Event()

    async def slow(request):
        await request.stream(request.ends()[0])
        await request.gone()
        closed.set()

    async with raw_server(slow) as server:
        events = HttpAgent(server.url).run(asked())
        assert (await anext(events)).type is EventType.RUN_STARTED
        await events.aclose()
        await closed.wait()


async def test_a_cancelled_task_closes_the_connection():
    closed, begun = asyncio.Event(), asyncio.Event()

    async def silent(request):
        begun.set()
        await request.gone()
        closed.set()

    async with raw_server(silent) as server:
        task = asyncio.create_task(heard(HttpAgent(server.url)))
        await begun.wait()
        task.cancel()
        await asyncio.wait({task})
        await closed.wait()
    assert task.cancelled()


async def test_a_page_is_no_stream_only_because_it_says_so_in_part():
    async def nearly(request):
        await request.send(page("200 OK", "text/event-stream-not", "data: {}\n\n"))

    async with raw_server(nearly) as server:
        [event] = await heard(HttpAgent(server.url))
    assert event.code == "not_agui"
