from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ._call import Call, quote
from ._errors import ConnectionError

LONGEST_SILENCE = 45.0
"""Seconds. The service says something every 15 s; what is silent for three times as long is dead."""

MOST_BREAKS = 10
"""How often in a row nothing new may come over a connection before that is told."""


class EventParser:
    """Server-sent events (WHATWG HTML, 9.2.6) out of pieces of text: the data of each."""

    def __init__(self) -> None:
        self._rest = ""

    def feed(self, piece: str) -> t.Iterator[str]:
        text = self._rest + piece
        # A carriage return at the end may be the first half of a line's end.
        held = "\r" if text.endswith("\r") else ""
        whole = text[: len(text) - len(held)].replace("\r\n", "\n").replace("\r", "\n")
        *blocks, rest = whole.split("\n\n")
        self._rest = rest + held
        for block in blocks:
            data = [line[5:].removeprefix(" ") for line in block.split("\n") if line.startswith("data:")]
            if data:
                yield "\n".join(data)


def is_over(status: str) -> bool:
    return status not in ("queued", "running")


@dataclass
class Following:
    """Where the following of a job stands, over any number of connections."""

    id: str
    last: t.Optional[int]
    breaks: int = 0
    over: bool = False
    """Whether the job was, before the events of the connection that is open were asked for."""

    def call(self) -> Call:
        return Call(
            "GET",
            f"/v1/jobs/{quote(self.id)}/events",
            headers={"accept": "text/event-stream", "last-event-id": None if self.last is None else str(self.last)},
            timeout=LONGEST_SILENCE,
            retries=0,
        )

    def job(self) -> Call:
        return Call("GET", f"/v1/jobs/{quote(self.id)}", retries=0)

    def came(self, id: int) -> None:
        self.last = id
        self.breaks = 0

    def nothing_more(self) -> bool:
        """After events that ended by themselves: whoever resumed after the last one of a job waits for nothing.

        A break tells no such thing: the last event may still be to come.
        """
        return self.over and self.breaks > 0

    @staticmethod
    def ended() -> ConnectionError:
        return ConnectionError("The events ended before the job did")
