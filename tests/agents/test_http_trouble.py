"""Between `HttpAgent` and its endpoint everything may go wrong; it is said, and nothing is sent twice."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest
from ag_ui.core import ResumeEntry, RunErrorEvent, RunFinishedEvent, RunStartedEvent

from reflex_agentkit.agents import HttpAgent
from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.testing.streams import says
from tests.agents.raw_server import STREAM, asked, frame, heard, page, raw_server

YES = [ResumeEntry(interrupt_id="int-1", status="resolved", payload={"approved": True})]


async def plain(request):
    await request.run(*says("m", "Hi"))


async def fault(url, run_input=None, **options):
    """The error that a run ends with; it is the only one."""
    events = await heard(HttpAgent(url, **options), run_input)
    errors = [event for event in events if isinstance(event, RunErrorEvent)]
    assert errors == events[-1:]
    return errors[0]


async def closed_port():
    async with raw_server(plain) as server:
        pass
    return server.url


async def test_an_endpoint_that_is_not_there_is_said_to_be_unreachable():
    url = await closed_port()
    error = await fault(url)
    assert error.code == "unreachable"
    assert url in error.message
    assert "Nothing was sent" in error.message


class CountedConnections(httpx.AsyncBaseTransport):
    """Refuses so many connections, then answers."""

    def __init__(self, refused: int, error: type[httpx.TransportError] = httpx.ConnectError) -> None:
        self.tries, self.refused, self.error = 0, refused, error

    async def handle_async_request(self, request):
        self.tries += 1
        if self.tries <= self.refused:
            raise self.error("no way")
        body = json.loads(b"".join([piece async for piece in request.stream]))
        ids = {"threadId": body["threadId"], "runId": body["runId"]}
        lines = [{"type": kind, **ids} for kind in ("RUN_STARTED", "RUN_FINISHED")]
        text = "".join(f"data: {json.dumps(line)}\n\n" for line in lines)
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, text=text)


@pytest.mark.parametrize("error", [httpx.ConnectError, httpx.ConnectTimeout])
async def test_a_connection_that_failed_before_anything_was_sent_is_tried_once_more(error):
    transport = CountedConnections(1, error)
    async with httpx.AsyncClient(transport=transport) as client:
        events = await heard(HttpAgent("http://agents.example/x", client=client))
    assert transport.tries == 2
    assert events[-1].type.value == "RUN_FINISHED"


async def test_a_connection_is_not_tried_for_ever():
    transport = CountedConnections(9)
    async with httpx.AsyncClient(transport=transport) as client:
        error = await fault("http://agents.example/x", client=client)
    assert (transport.tries, error.code) == (2, "unreachable")


async def test_a_resume_is_not_even_tried_once_more():
    transport = CountedConnections(1)
    async with httpx.AsyncClient(transport=transport) as client:
        error = await fault("http://agents.example/x", asked(resume=YES), client=client)
    assert (transport.tries, error.code) == (1, "unreachable")


@pytest.mark.parametrize(
    "kind", [httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError, httpx.ReadTimeout]
)
async def test_what_may_have_arrived_is_never_sent_again(kind):
    transport = CountedConnections(1, kind)
    async with httpx.AsyncClient(transport=transport) as client:
        error = await fault("http://agents.example/x", client=client)
    assert transport.tries == 1
    assert error.code == ("silent" if kind is httpx.ReadTimeout else "broken_off")


async def test_a_connection_that_is_dropped_before_an_answer_is_said_to_be_broken():
    async def drop(request):
        request.reset()

    async with raw_server(drop) as server:
        error = await fault(server.url)
    assert (error.code, len(server.requests)) == ("broken_off", 1)
    assert "before an answer" in error.message


@pytest.mark.parametrize("hard", [True, False])
async def test_a_connection_that_drops_in_the_middle_keeps_what_was_said(hard):
    async def half(request):
        started, _ = request.ends()
        head = STREAM if hard else STREAM.replace(b"Connection: close", b"Transfer-Encoding: chunked")
        pieces = [frame(event) for event in (started, *says("m", "Half a sen")[:2])]
        await request.send(head, *(one if hard else b"%x\r\n%b\r\n" % (len(one), one) for one in pieces))
        if hard:
            await asyncio.wait({asyncio.create_task(read.wait())})
            request.reset()

    events, read = [], asyncio.Event()
    async with raw_server(half) as server:
        async for event in HttpAgent(server.url).run(asked()):
            events.append(event)
            if len(events) == 3:
                read.set()
    assert [event.type.value for event in events] == [
        "RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "RUN_ERROR",
    ]  # fmt: skip
    assert events[-1].code == "broken_off"


async def test_a_stream_that_ends_without_the_end_of_its_run_is_no_success():
    async def short(request):
        await request.stream(request.ends()[0])

    async def empty(request):
        await request.send(STREAM)

    async def another(request):
        old = {"thread_id": "t", "run_id": "run-0"}
        await request.stream(RunStartedEvent(**old), RunFinishedEvent(**old))

    for answer in (short, empty, another):
        async with raw_server(answer) as server:
            error = await fault(server.url)
        assert error.code == "broken_off"
        assert "before the run had ended" in error.message


async def test_an_endpoint_that_ends_another_run_than_was_asked_for_is_told_so():
    async def other(request):
        ids = {"thread_id": "t", "run_id": "run-9"}
        await request.stream(RunStartedEvent(**ids), RunFinishedEvent(**ids))

    async with raw_server(other) as server:
        error = await fault(server.url)
    assert error.code == "broken_off"
    assert "'run-9', and 'run-1' was asked for" in error.message


async def test_an_endpoint_that_says_nothing_is_left_after_the_idle_time():
    async def silent(request):
        await request.stream(request.ends()[0])
        await request.gone()

    async def deaf(request):
        await request.gone()

    for answer in (silent, deaf):
        async with raw_server(answer) as server:
            error = await fault(server.url, timeout=0.05)
        assert (error.code, len(server.requests)) == ("silent", 1)


async def test_every_time_limit_can_be_set():
    async def deaf(request):
        await request.gone()

    async with raw_server(deaf) as server:
        assert (await fault(server.url, timeout=httpx.Timeout(None, read=0.05))).code == "silent"


@pytest.mark.parametrize(
    ("status", "kind", "body", "said"),
    [
        (
            "401 Unauthorized",
            "application/json",
            '{"detail": "the token is too old"}',
            "the token is too old",
        ),
        (
            "422 Unprocessable Entity",
            "application/json",
            '{"detail": [{"loc": ["body", "messages"], "msg": "Field required", "input": {"x": "secret"}}]}',
            "body.messages: Field required",
        ),
        ("403 Forbidden", "application/problem+json", '{"title": "No", "status": 403}', ": No."),
        ("404 Not Found", "text/html", "<html><script>alert(1)</script>" + "x" * 9000, "an HTML page"),
        (
            "400 Bad Request",
            "text/plain",
            "line one\x1b[31m\nline two\x00" + "y" * 9000,
            "line one [31m line two",
        ),
        ("400 Bad Request", "application/json", "{broken", "{broken"),
        ("400 Bad Request", "", "", "400 Bad Request."),
    ],
)
async def test_a_page_that_refuses_is_one_clear_sentence_with_its_status(status, kind, body, said):
    async def refuse(request):
        await request.send(page(status, kind, body))

    async with raw_server(refuse) as server:
        error = await fault(server.url)
    assert error.code == "refused"
    assert status in error.message
    assert said in error.message
    assert "did not begin" in error.message
    assert len(error.message) < 600
    assert not any(word in error.message for word in ("<script>", "secret", "\x1b", "\n", "\x00"))


@pytest.mark.parametrize("status", ["500 Internal Server Error", "502 Bad Gateway", "504 Gateway Timeout"])
async def test_a_failed_server_or_gateway_does_not_say_that_the_run_did_not_begin(status):
    async def refuse(request):
        await request.send(page(status, "text/html", "<h1>nginx</h1>"))

    async with raw_server(refuse) as server:
        error = await fault(server.url)
    assert (error.code, len(server.requests)) == ("remote_error", 1)
    assert status in error.message
    assert "did not begin" not in error.message


@pytest.mark.parametrize("kind", ["text/html", "application/json", ""])
async def test_an_answer_that_is_no_stream_is_said_to_be_none(kind):
    async def website(request):
        await request.send(page("200 OK", kind, "<html>Welcome</html>"))

    async with raw_server(website) as server:
        error = await fault(server.url)
    assert error.code == "not_agui"
    assert "AG-UI endpoint" in error.message
    assert "Welcome" not in error.message


@pytest.mark.parametrize("status", ["307 Temporary Redirect", "308 Permanent Redirect"])
async def test_a_redirect_within_the_origin_takes_the_same_request_with_it(status):
    async def on(request):
        await request.send(page(status, "text/plain", "", "Location: /agent/"))

    async with raw_server(on, plain) as server:
        events = await heard(HttpAgent(server.url, headers={"Authorization": "Bearer x"}), asked(resume=YES))
    assert [request.line for request in server.requests] == ["POST /agent HTTP/1.1", "POST /agent/ HTTP/1.1"]
    assert server.bodies[0] == server.bodies[1]
    assert server.requests[1].headers["authorization"] == "Bearer x"
    assert events[-1].type.value == "RUN_FINISHED"


async def test_a_redirect_to_another_origin_takes_neither_credentials_nor_answers_with_it():
    async with raw_server(plain) as other:

        async def away(request):
            await request.send(
                page("307 Temporary Redirect", "text/plain", "", f"Location: {other.url}?key=s3")
            )

        async with raw_server(away) as server, httpx.AsyncClient(follow_redirects=True) as client:
            error = await fault(
                server.url, asked(resume=YES), headers={"Authorization": "Bearer x"}, client=client
            )
    assert other.requests == []
    assert error.code == "refused"
    assert other.url in error.message
    assert "s3" not in error.message


@pytest.mark.parametrize("status", ["301 Moved Permanently", "302 Found", "303 See Other"])
async def test_a_redirect_that_would_make_a_get_of_it_is_not_followed(status):
    async def moved(request):
        await request.send(page(status, "text/plain", "", "Location: /elsewhere"))

    async with raw_server(moved) as server:
        error = await fault(server.url)
    assert (error.code, len(server.requests)) == ("refused", 1)
    assert "/elsewhere" in error.message


async def test_a_redirect_keeps_the_password_of_the_address():
    async def on(request):
        target = f"http://mallory:x@127.0.0.1:{server.port}/agent/"
        await request.send(page("307 Temporary Redirect", "text/plain", "", f"Location: {target}"))

    async with raw_server(on, plain) as server:
        await heard(HttpAgent(server.url.replace("//", "//ann:secret@")))
    first, second = (request.headers["authorization"] for request in server.requests)
    assert first == second


async def test_redirects_without_an_end_are_an_error():
    async def circle(request):
        await request.send(page("307 Temporary Redirect", "text/plain", "", "Location: /agent"))

    async with raw_server(circle) as server:
        error = await fault(server.url)
    assert (error.code, len(server.requests)) == ("refused", 4)


async def test_headers_are_asked_for_anew_for_every_run():
    tokens = iter(["one", "two", "three"])

    def plain_function():
        return {"Authorization": next(tokens)}

    async def function():
        return plain_function()

    async with raw_server(plain) as server:
        agent = HttpAgent(server.url, headers=function)
        await heard(agent)
        await heard(agent)
        await heard(HttpAgent(server.url, headers=plain_function))
    assert [request.headers["authorization"] for request in server.requests] == ["one", "two", "three"]


async def test_a_function_that_gives_no_headers_sends_nothing():
    async with raw_server(plain) as server:
        with pytest.raises(ConfigurationError, match="mapping"):
            await heard(HttpAgent(server.url, headers=lambda: "Bearer x"))
        with pytest.raises(ConfigurationError, match="None"):
            await heard(HttpAgent(server.url, headers=lambda: None))
    assert server.requests == []


async def test_a_client_whose_headers_cannot_be_sent_is_told_so_without_their_values():
    async with raw_server(plain) as server, httpx.AsyncClient(headers={"X-Key": "secret "}) as client:
        error = await fault(server.url, client=client)
    assert "header" in error.message
    assert "secret" not in error.message
    assert server.requests == []


async def test_a_cookie_for_one_user_is_not_sent_for_another_over_a_shared_client():
    async def sets(request):
        await request.send(STREAM[:-2] + b"Set-Cookie: session=ann; Path=/\r\n\r\n")
        await request.send(*(frame(event) for event in request.ends()))

    async with raw_server(sets) as server, httpx.AsyncClient() as client:
        for user in ("ann", "bob"):
            await heard(HttpAgent(server.url, headers={"Authorization": user}, client=client))
        await heard(HttpAgent(server.url, headers={"Cookie": "named=1"}, client=client))
    assert [request.headers.get("cookie") for request in server.requests] == [None, None, "named=1"]


async def test_the_cookies_that_an_app_gives_its_client_as_a_header_are_sent():
    async with raw_server(plain) as server, httpx.AsyncClient(headers={"Cookie": "app=1"}) as client:
        await heard(HttpAgent(server.url, client=client))
    assert server.requests[0].headers["cookie"] == "app=1"


async def test_an_error_page_that_never_ends_is_not_waited_for(monkeypatch):
    monkeypatch.setattr("reflex_agentkit.agents.http.faults.PAGE_SECONDS", 0.05)
    head = b"HTTP/1.1 401 Unauthorized\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"

    async def drips(request):
        await request.send(head, b"3\r\nold\r\n")
        await request.gone()

    async with raw_server(drips) as server:
        error = await fault(server.url)
    assert (error.code, "old" in error.message) == ("refused", True)


async def test_a_shared_client_is_used_and_not_closed():
    async with raw_server(plain) as server, httpx.AsyncClient(headers={"X-App": "travel"}) as client:
        agent = HttpAgent(server.url, client=client)
        await heard(agent)
        await heard(agent)
        assert not client.is_closed
    assert [request.headers["x-app"] for request in server.requests] == ["travel", "travel"]
    assert (await fault(server.url, client=client)).code == "unreachable"


def test_one_object_serves_one_event_loop_after_another():
    agents = []

    async def one_loop():
        async with raw_server(plain) as server:
            if not agents:
                agents.append(HttpAgent(server.url))
            # The port is another one in each loop, the object the same.
            agents[0]._endpoint = HttpAgent(server.url)._endpoint
            return [event.type.value for event in await heard(agents[0])]

    assert asyncio.run(one_loop()) == asyncio.run(one_loop())


async def test_runs_at_the_same_time_are_not_mixed_up():
    async def echo(request):
        await request.run(*says("m", request.input["messages"][0]["content"]))

    async def one(agent, number):
        events = await heard(
            agent, asked(f"number {number}", run_id=f"run-{number}", thread_id=f"t-{number}")
        )
        return events[0].run_id, events[2].delta

    async with raw_server(echo) as server:
        agent = HttpAgent(server.url)
        found = await asyncio.gather(*(one(agent, number) for number in range(20)))
    assert found == [(f"run-{number}", f"number {number}") for number in range(20)]
