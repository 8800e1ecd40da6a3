from __future__ import annotations

import threading
import typing as t
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

Answer = t.Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Asked:
    method: str
    url: str
    headers: t.Dict[str, str]
    body: bytes


@dataclass
class Scripted:
    """A service on a real socket that answers as it is told, the last answer over and over."""

    answer_of: t.Callable[[Asked, int], Answer] = field(repr=False)
    requests: t.List[Asked] = field(default_factory=list)
    base_url: str = ""


@pytest.fixture
def scripted() -> t.Iterator[t.Callable[..., Scripted]]:
    servers: t.List[ThreadingHTTPServer] = []

    def start(*answers: Answer, by: t.Optional[t.Callable[[Asked, int], Answer]] = None) -> Scripted:
        service = Scripted(by or (lambda _, nth: answers[min(nth, len(answers) - 1)]))

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(self.command, self.path, headers, self.rfile.read(length))
                service.requests.append(asked)
                self.close_connection = True
                service.answer_of(asked, len(service.requests) - 1)(self)

            do_GET = do_POST = do_PATCH = do_DELETE = do_HEAD = handle_any

            def log_message(self, format: str, *args: t.Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        service.base_url = f"http://127.0.0.1:{server.server_port}"
        return service

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
