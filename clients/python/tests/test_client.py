from __future__ import annotations

import asyncio
import io
import typing as t

import httpx
import pytest
from answers import answer, dropped, example, job, refusal, stream
from conftest import Asked, Scripted

from footnote import ApiError, AsyncFootnote, ConnectionError, Footnote, TimeoutError, Uploadable
from footnote._call import Call, request_of

Start = t.Callable[..., Scripted]


def client_of(service: Scripted, waits: t.Optional[t.List[float]] = None, **options: t.Any) -> Footnote:
    kept: t.List[float] = [] if waits is None else waits
    return Footnote(base_url=service.base_url, api_key="fnk_test", sleep=kept.append, **options)


def run(service: Scripted, work: t.Callable[[AsyncFootnote], t.Awaitable[t.Any]]) -> t.Any:
    async def pause(_: float) -> None:
        await asyncio.sleep(0)

    async def inside() -> t.Any:
        async with AsyncFootnote(base_url=service.base_url, api_key="fnk_test", sleep=pause) as client:
            return await work(client)

    return asyncio.run(inside())


def test_errors_carry_code_status_request_id_and_details_and_say_them(scripted: Start) -> None:
    service = scripted(refusal(400, "INVALID_REQUEST", details=[{"path": "source_uri", "message": "Is required"}]))
    with pytest.raises(ApiError) as caught:
        client_of(service).jobs.create({"source_uri": ""})
    error = caught.value
    assert (error.status, error.code, error.request_id) == (400, "INVALID_REQUEST", "req_1")
    assert error.details[0].path == "source_uri"
    assert str(error) == "400 INVALID_REQUEST: Said by the service. (source_uri: Is required) [request req_1]"


def test_what_a_proxy_answers_is_told(scripted: Start) -> None:
    with pytest.raises(ApiError, match="^413 UNKNOWN: <h1>Too large</h1>"):
        client_of(scripted(answer("<h1>Too large</h1>", 413))).limits.get()


def test_reads_are_tried_again_while_the_service_is_busy_away_or_cut_off(scripted: Start) -> None:
    away = refusal(503, "SERVICE_UNAVAILABLE")
    service = scripted(refusal(429, "RATE_LIMITED"), dropped, away, answer(job("queued")))
    waits: t.List[float] = []
    read = client_of(service, waits).jobs.get("job_1")
    assert (read.status, read.created_at.year) == ("queued", 2026)
    assert (read.model_extra or {})["added_later"] is True
    assert all(0.25 * 2**nth <= wait <= 0.5 * 2**nth for nth, wait in enumerate(waits)) and len(waits) == 3


def test_retry_after_is_honoured_up_to_a_minute(scripted: Start) -> None:
    waits: t.List[float] = []
    busy = refusal(429, "RATE_LIMITED", headers={"retry-after": "7"})
    client_of(scripted(busy, answer(job("queued"))), waits).jobs.get("job_1")
    assert 7 <= waits[0] <= 7.5
    service = scripted(refusal(429, "RATE_LIMITED", headers={"retry-after": "90"}))
    with pytest.raises(ApiError) as caught:
        client_of(service).jobs.get("job_1")
    assert caught.value.retry_after == 90 and len(service.requests) == 1


def test_creates_are_tried_again_with_one_idempotency_key(scripted: Start) -> None:
    created = example("CreatedJob", id="job_1", status="queued")
    service = scripted(dropped, refusal(503, "SERVICE_UNAVAILABLE"), answer(created, 201))
    client_of(service).jobs.create({"source_uri": "https://example.com/a.mp4"})
    client_of(service).jobs.create({"source_uri": "https://example.com/a.mp4"}, idempotency_key="mine")
    keys = [asked.headers["idempotency-key"] for asked in service.requests]
    assert len(set(keys[:3])) == 1 and len(keys[0]) == 36 and keys[3] == "mine"


def test_nothing_is_sent_again_that_would_be_done_twice_nor_what_was_refused(scripted: Start) -> None:
    cut = scripted(dropped)
    with pytest.raises(ConnectionError):
        client_of(cut).destinations.update("dst_1", {"name": "b"})
    refused = scripted(refusal(500, "INTERNAL"))
    with pytest.raises(ApiError):
        client_of(refused).jobs.get("job_1")
    assert (len(cut.requests), len(refused.requests)) == (1, 1)


def listing(asked: Asked, _: int) -> t.Any:
    def key(id: str) -> t.Dict[str, t.Any]:
        return {**example("ApiKeyPage")["data"][0], "id": id}

    last = "cursor=next" in asked.url
    data = [key("key_3")] if last else [key("key_1"), key("key_2")]
    return answer({"data": data, "next_cursor": None if last else "next"})


def test_lists_are_walked_page_by_page(scripted: Start) -> None:
    service = scripted(by=listing)
    keys = client_of(service).api_keys.list(limit=2)
    assert [key.id for key in keys] == ["key_1", "key_2", "key_3"]
    assert [asked.url for asked in service.requests] == ["/v1/api-keys?limit=2", "/v1/api-keys?limit=2&cursor=next"]

    async def walk(client: AsyncFootnote) -> t.List[str]:
        return [key.id async for key in client.api_keys.list()]

    assert run(service, walk) == ["key_1", "key_2", "key_3"]


def test_parameters_are_written_as_the_service_reads_them(scripted: Start) -> None:
    service = scripted(answer({"data": [], "next_cursor": None}))
    client_of(service).jobs.list(status="failed", metadata={"order": "4711"}).first()
    assert service.requests[0].url == "/v1/jobs?status=failed&metadata%5Border%5D=4711"


def test_waiting_ends_with_the_job_or_with_its_time(scripted: Start) -> None:
    service = scripted(answer(job("queued")), answer(job("running")), answer(job("failed")))
    assert client_of(service).jobs.wait("job_1").status == "failed"
    assert [asked.url for asked in service.requests] == ["/v1/jobs/job_1?wait=60"] * 3
    with pytest.raises(TimeoutError, match="^job_1 is still running after 0 s"):
        client_of(scripted(answer(job("running")))).jobs.wait("job_1", timeout=0)
    with pytest.raises(ApiError, match="JOB_NOT_FOUND"):
        run(scripted(refusal(404, "JOB_NOT_FOUND")), lambda client: client.jobs.wait("job_1"))


def test_what_the_service_is_asked_to_hold_is_no_silence() -> None:
    with httpx.Client(base_url="http://service") as client:
        held = request_of(Call("GET", "/v1/jobs/job_1", query={"wait": 60}), client, 60.0)
        told = request_of(Call("GET", "/v1/jobs/job_1", query={"wait": 60}, timeout=5.0), client, 60.0)
    assert (held.extensions["timeout"]["read"], told.extensions["timeout"]["read"]) == (120.0, 5.0)


def followed(scripted: Start, *answers: t.Any, jobs: t.Sequence[t.Any] = (answer(job("running")),)) -> Scripted:
    """Of a job whose events are answered so, and the job itself so; the last of each over and over."""
    at, reads = iter(range(1000)), iter(range(1000))

    def by(asked: Asked, _: int) -> t.Any:
        if not asked.url.endswith("/events"):
            return jobs[min(next(reads), len(jobs) - 1)]
        return answers[min(next(at), len(answers) - 1)]

    return scripted(by=by)


BROKEN_OFF = (
    stream((1, "queued"), (2, "running")),
    dropped,
    refusal(503, "SERVICE_UNAVAILABLE"),
    stream(),
    stream((3, "succeeded")),
)


def resumed(service: Scripted) -> t.List[t.Optional[str]]:
    return [asked.headers.get("last-event-id") for asked in service.requests if asked.url.endswith("/events")]


def test_events_go_on_after_the_last_one_and_end_with_the_job(scripted: Start) -> None:
    service = followed(scripted, *BROKEN_OFF)
    assert [event.id for event in client_of(service).jobs.events("job_1")] == [1, 2, 3]
    assert resumed(service) == [None, "2", "2", "2", "2"]

    async def follow(client: AsyncFootnote) -> t.List[int]:
        return [event.id async for event in client.jobs.events("job_1")]

    again = followed(scripted, *BROKEN_OFF)
    assert run(again, follow) == [1, 2, 3]
    assert resumed(again) == [None, "2", "2", "2", "2"]


@pytest.mark.parametrize(("status", "code"), [(404, "JOB_NOT_FOUND"), (401, "UNAUTHENTICATED")])
def test_events_end_with_the_refusal_of_an_unknown_job_or_a_wrong_key(scripted: Start, status: int, code: str) -> None:
    service = followed(scripted, refusal(status, code))
    with pytest.raises(ApiError, match=code):
        list(client_of(service).jobs.events("job_1"))
    assert len(service.requests) == 1


def test_events_end_where_connection_after_connection_brings_nothing(scripted: Start) -> None:
    service = followed(scripted, stream())
    with pytest.raises(ConnectionError):
        list(client_of(service).jobs.events("job_1"))
    assert len(resumed(service)) == 11
    over = followed(scripted, stream(), jobs=[answer(job("succeeded"))])
    assert list(client_of(over).jobs.events("job_1", last_event_id=9)) == []


AWAY = refusal(503, "SERVICE_UNAVAILABLE")
RUNNING, SUCCEEDED = answer(job("running")), answer(job("succeeded"))


@pytest.mark.parametrize(
    ("answers", "jobs"),
    [
        # Ten connections in a row, as while the service restarts.
        ((stream((1, "running")), *[dropped, AWAY] * 4, dropped, stream((2, "succeeded"))), [RUNNING, dropped]),
        # The job cannot be read either.
        ((stream((1, "running")), stream(), stream((2, "succeeded"))), [dropped, AWAY]),
        # It was over before the connection that broke or drained brought its last event.
        ((stream((1, "running")), stream(), dropped, stream((2, "succeeded"))), [RUNNING, SUCCEEDED]),
        ((stream((1, "running")), stream(), stream(), stream((2, "succeeded"))), [RUNNING, RUNNING, SUCCEEDED]),
    ],
)
def test_events_go_on_over_ten_breaks_of_whatever_kind_to_the_last_one(
    scripted: Start, answers: t.Any, jobs: t.Any
) -> None:
    one = followed(scripted, *answers, jobs=jobs)
    assert [event.id for event in client_of(one).jobs.events("job_1")] == [1, 2]

    async def follow(client: AsyncFootnote) -> t.List[int]:
        return [event.id async for event in client.jobs.events("job_1")]

    assert run(followed(scripted, *answers, jobs=jobs), follow) == [1, 2]
    assert len(resumed(one)) == len(answers)


def uploading(service_bytes: bytearray, breaks: t.List[int]) -> t.Callable[[Asked, int], t.Any]:
    """A tus service that takes half of a piece and breaks off, as often as `breaks` says."""

    def upload() -> t.Dict[str, t.Any]:
        return example("Upload", id="upl_1", uri="upload://upl_1")

    def by(asked: Asked, _: int) -> t.Any:
        if asked.method == "PATCH":
            assert int(asked.headers["upload-offset"]) == len(service_bytes)
            if breaks and breaks.pop():
                service_bytes.extend(asked.body[: len(asked.body) // 2])
                return dropped
            service_bytes.extend(asked.body)
            return answer("", 200, {"upload-offset": str(len(service_bytes))})
        return answer(upload(), 200, {"upload-offset": str(len(service_bytes)), "upload-length": "10"})

    return by


class Unseekable(io.BytesIO):
    def seekable(self) -> bool:
        return False


def test_uploads_go_on_where_the_service_stands(scripted: Start) -> None:
    data = b"0123456789"
    files: t.List[t.Tuple[Uploadable, t.Optional[int]]] = [
        (data, None),
        (io.BytesIO(data), None),
        (Unseekable(data), 10),
    ]
    for file, size in files:
        stored = bytearray()
        told: t.List[int] = []
        client = client_of(scripted(by=uploading(stored, [1, 0, 1])))
        upload = client.uploads.create(
            file, size=size, chunk_bytes=4, filename="talk.mp4", on_progress=lambda one: told.append(one.sent_bytes)
        )
        assert (bytes(stored), upload.uri, told[-1]) == (b"0123456789", "upload://upl_1", 10)
        assert told == sorted(told)


@pytest.mark.parametrize("size", [3, 4, 9, 11])
def test_uploads_refuse_to_go_on_with_a_file_of_another_length(scripted: Start, size: int) -> None:
    stored = bytearray(b"0123")
    service = scripted(by=uploading(stored, []))
    told = f"^upl_1 was begun for a file of 10 bytes, and this one has {size}$"
    with pytest.raises(ValueError, match=told):
        client_of(service).uploads.create(b"x" * size, resume="upl_1")
    with pytest.raises(ValueError, match=told):
        run(service, lambda client: client.uploads.create(b"x" * size, resume="upl_1"))
    assert bytes(stored) == b"0123" and [asked.method for asked in service.requests] == ["HEAD", "HEAD"]


def test_uploads_resume_by_id_and_end_where_nothing_gets_through(scripted: Start) -> None:
    stored = bytearray(b"0123")
    service = scripted(by=uploading(stored, []))
    run(service, lambda client: client.uploads.create(b"0123456789", resume="upl_1"))
    assert bytes(stored) == b"0123456789"
    assert [asked.method for asked in service.requests] == ["HEAD", "PATCH", "GET"]

    def by(asked: Asked, _: int) -> t.Any:
        return dropped if asked.method == "PATCH" else uploading(bytearray(), [])(asked, 0)

    away = scripted(by=by)
    with pytest.raises(ConnectionError):
        client_of(away).uploads.create(b"0123456789")
    assert sum(asked.method == "PATCH" for asked in away.requests) == 4
