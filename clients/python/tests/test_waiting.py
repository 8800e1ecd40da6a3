"""How long `jobs.wait` waits, over a clock that only its own sleeps and the service's holding turn."""

from __future__ import annotations

import asyncio
import typing as t
from dataclasses import dataclass, field

import httpx
import pytest
from answers import job

from footnote import ApiError, AsyncFootnote, ConnectionError, Footnote, TimeoutError, _jobs
from footnote._call import retry_delay

MOST_ASKED = 500
"""Whoever asks without end would never let the clock turn."""


def told(status: str) -> httpx.Response:
    return httpx.Response(200, json=job(status))


def busy(seconds: int) -> httpx.Response:
    return httpx.Response(503, text="Busy", headers={"retry-after": str(seconds)})


def refused() -> httpx.Response:
    raise httpx.ConnectError("Connection refused")


@dataclass
class Scene:
    answer: t.Callable[["Scene", int, float], httpx.Response]
    """Of what is asked for: the seconds to hold it, and those that it is waited for."""
    now: float = 0.0
    asked: t.List[t.Tuple[float, int]] = field(default_factory=list)

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    async def pause(self, seconds: float) -> None:
        self.now += seconds

    def handle(self, request: httpx.Request) -> httpx.Response:
        hold = int(request.url.params["wait"])
        self.asked.append((self.now, hold))
        if len(self.asked) > MOST_ASKED:
            return told("cancelled")
        return self.answer(self, hold, request.extensions["timeout"]["read"])


Answer = t.Callable[[Scene, int, float], httpx.Response]
Waited = t.Callable[..., t.Tuple[Scene, t.Any]]


@pytest.fixture(params=["blocking", "asynchronous"])
def waited(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Waited:
    def wait(answer: Answer, timeout: t.Optional[float] = None) -> t.Tuple[Scene, t.Any]:
        scene = Scene(answer)
        monkeypatch.setattr(_jobs, "time", scene)
        given: t.Dict[str, t.Any] = {"base_url": "http://service", "api_key": "fnk_test"}
        transport = httpx.MockTransport(scene.handle)

        async def inside() -> t.Any:
            async with AsyncFootnote(**given, transport=transport, sleep=scene.pause) as client:
                return await client.jobs.wait("job_1", timeout=timeout)

        try:
            if request.param == "asynchronous":
                return scene, asyncio.run(inside())
            return scene, Footnote(**given, transport=transport, sleep=scene.sleep).jobs.wait("job_1", timeout=timeout)
        except Exception as error:
            return scene, error

    return wait


def silent(scene: Scene, _: int, within: float) -> httpx.Response:
    scene.now += within
    raise httpx.ReadTimeout("Silence")


@pytest.mark.parametrize(
    ("answer", "cause"),
    [(lambda *_: refused(), ConnectionError), (lambda *_: busy(30), ApiError), (silent, TimeoutError)],
)
def test_a_wait_ends_with_its_time_where_the_service_refuses_is_busy_or_silent(
    waited: Waited, answer: Answer, cause: t.Type[Exception]
) -> None:
    scene, error = waited(answer, 5)
    assert isinstance(error, TimeoutError) and isinstance(error.__cause__, cause)
    assert str(error).startswith("job_1 could not be read to its end within 5 s: ")
    # What an answer may be late by.
    assert 5 <= scene.now <= 7


@pytest.mark.parametrize("failure", [refused, lambda: busy(90)])
def test_a_wait_outlasts_more_than_eleven_failures_where_there_is_time(
    waited: Waited, failure: t.Callable[[], httpx.Response]
) -> None:
    scene, read = waited(lambda scene, *_: failure() if scene.now < 170 else told("succeeded"), 600)
    assert read.status == "succeeded"
    assert failure is not refused or len(scene.asked) > 12


def test_a_failure_after_any_number_of_others_is_waited_out_for_eight_seconds_at_most() -> None:
    # A wait of a day comes to more than ten thousand of them.
    for attempt in (4, 5, 1100, 20_000):
        delay = retry_delay(ConnectionError("Away"), attempt)
        assert delay is not None and 4 <= delay <= 8


def test_a_wait_without_a_time_ends_after_eleven_failures_in_a_row(waited: Waited) -> None:
    scene, error = waited(lambda *_: refused())
    assert isinstance(error, ConnectionError) and len(scene.asked) == 11
    scene, error = waited(lambda *_: busy(90))
    assert isinstance(error, ApiError) and error.retry_after == 90 and len(scene.asked) == 1

    def by(scene: Scene, *_: t.Any) -> httpx.Response:
        return refused() if len(scene.asked) % 8 else told("failed" if len(scene.asked) > 30 else "running")

    assert waited(by)[1].status == "failed"


def test_a_service_that_holds_nothing_is_asked_once_or_twice_a_second(waited: Waited) -> None:
    scene, read = waited(lambda scene, *_: told("running" if scene.now < 10 else "succeeded"))
    assert read.status == "succeeded" and 10 <= len(scene.asked) <= 21


def test_it_is_asked_again_at_once_where_the_answer_was_held_and_for_no_longer_than_is_left(waited: Waited) -> None:
    def held(scene: Scene, hold: int, _: float) -> httpx.Response:
        scene.now += hold
        return told("running")

    scene, error = waited(held, 130.5)
    assert isinstance(error, TimeoutError) and str(error) == "job_1 is still running after 130.5 s"
    assert scene.asked[:3] == [(0, 60), (60, 60), (120, 10)] and scene.now == 130.5


def test_each_try_is_given_what_is_left_and_never_more_than_its_hold_and_half_a_minute(waited: Waited) -> None:
    given: t.List[float] = []

    def by(_: Scene, __: int, within: float) -> httpx.Response:
        given.append(within)
        return told("succeeded")

    for timeout in (0, 5, 600, None):
        waited(by, timeout)
    assert given == [2, 7, 90, 90]
