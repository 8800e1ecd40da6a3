from __future__ import annotations

import json
import typing as t
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from conftest import Answer


def answer(body: t.Any, status: int = 200, headers: t.Optional[t.Mapping[str, str]] = None) -> Answer:
    """JSON, or text as it stands."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        handler.send_response(status)
        for name, value in {"connection": "close", "content-length": str(len(content)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        if handler.command != "HEAD":
            handler.wfile.write(content)

    return send


def dropped(handler: BaseHTTPRequestHandler) -> None:
    """The connection ends without a byte."""


def refusal(status: int, code: str, **more: t.Any) -> Answer:
    headers = more.pop("headers", None)
    error = {"code": code, "message": "Said by the service.", "request_id": "req_1", **more}
    return answer({"error": error}, status, headers)


DOCUMENT = json.loads((Path(__file__).parents[3] / "docs" / "openapi.json").read_text())


def example(name: str, **changed: t.Any) -> t.Dict[str, t.Any]:
    """What the document shows of a schema, with some of it changed."""
    return {**DOCUMENT["components"]["schemas"][name]["examples"][0], **changed}


def job(status: str) -> t.Dict[str, t.Any]:
    return example("Job", id="job_1", status=status, result=None, added_later=True)


def stream(*events: t.Tuple[int, str]) -> Answer:
    texts = [
        f"id: {id}\nevent: status\ndata: {json.dumps(example('JobEvent', id=id, type='status', status=status))}\n\n"
        for id, status in events
    ]

    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write(("retry: 2000\n\n" + "".join(texts)).encode())

    return send
