"""Against a running service: from a file to its evidence, its subtitles and its verified webhook."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import typing as t
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from footnote import ApiError, AsyncFootnote, Footnote, models, verify_webhook

if "FOOTNOTE_TEST_URL" not in os.environ:
    pytest.skip("FOOTNOTE_TEST_URL names no running service", allow_module_level=True)

URL = os.environ["FOOTNOTE_TEST_URL"]
API_KEY = os.environ["FOOTNOTE_API_KEY"]
SAMPLE = Path(os.environ["FOOTNOTE_TEST_SAMPLE"])
README = Path(__file__).parents[1] / "README.md"


@pytest.fixture
def client() -> t.Iterator[Footnote]:
    with Footnote(base_url=URL, api_key=API_KEY) as one:
        yield one


def test_a_job_is_followed_from_its_upload_to_its_verified_webhook(client: Footnote) -> None:
    told = threading.Event()
    received: t.List[t.Tuple[bytes, t.Dict[str, str]]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append((body, dict(self.headers.items())))
            self.send_response(200)
            self.end_headers()
            told.set()

        def log_message(self, format: str, *args: t.Any) -> None:
            pass

    hook = HTTPServer(("127.0.0.1", int(os.environ["FOOTNOTE_TEST_HOOK_PORT"])), Hook)
    threading.Thread(target=hook.serve_forever, daemon=True).start()

    upload = client.uploads.create(SAMPLE, chunk_bytes=256 * 1024)
    assert upload.uri == f"upload://{upload.id}" and upload.size_bytes == SAMPLE.stat().st_size
    schema = client.schemas.create(
        {"name": "Product", "json_schema": {"type": "object", "properties": {"product_name": {"type": "string"}}}}
    )
    created = client.jobs.create(
        {
            "source_uri": upload.uri,
            "schema_id": schema.id,
            "webhook_url": f"http://127.0.0.1:{hook.server_port}/hook",
            "metadata": {"order": "4711"},
        }
    )
    statuses = [event.status for event in client.jobs.events(created.id) if event.type == "status"]
    assert statuses == ["queued", "running", "succeeded"]

    job = client.jobs.wait(created.id)
    assert (job.status, job.metadata) == ("succeeded", {"order": "4711"})
    assert client.jobs.get_transcript(job.id).segments
    assert client.jobs.get_transcript_text(job.id, format="vtt").startswith("WEBVTT")
    frames = client.jobs.get_frames(job.id).frames
    assert client.jobs.get_frame_image(job.id, frames[0].id).startswith(b"\xff\xd8\xff")
    assert all(re.match(r"^(seg|frame)#\d{6,}$", span.source_ref) for span in client.jobs.get_evidence(job.id).spans)
    for view in ("compact", "canonical"):
        assert client.jobs.get_graph(job.id, view=view).view == view
    assert client.jobs.get_vision(job.id).job_id == job.id
    assert client.jobs.get_manifest(job.id).signatures
    assert [one.id for one in client.jobs.list(metadata={"order": "4711"})] == [job.id]

    assert told.wait(60)
    hook.shutdown()
    secret = created.webhook_signing_secret
    assert secret is not None
    event = verify_webhook(*received[0], secret)
    assert isinstance(event, models.JobSucceededEvent) and event.data.job.id == job.id


@pytest.mark.anyio
async def test_the_asynchronous_client_reads_the_same(anyio_backend: str) -> None:
    async with AsyncFootnote(base_url=URL, api_key=API_KEY) as client:
        upload = await client.uploads.create(SAMPLE, chunk_bytes=256 * 1024)
        created = await client.jobs.create({"source_uri": upload.uri})
        statuses = [event.status async for event in client.jobs.events(created.id) if event.type == "status"]
        assert statuses[-1] == "succeeded"
        assert (await client.jobs.wait(created.id)).result is not None
        assert (await client.uploads.delete(upload.id)).id == upload.id
        with pytest.raises(ApiError, match="JOB_NOT_FOUND"):
            async for _ in client.jobs.events("job_none"):
                pass


def test_unknown_jobs_wrong_keys_and_bad_requests_are_told(client: Footnote) -> None:
    with pytest.raises(ApiError, match="JOB_NOT_FOUND"):
        client.jobs.get("job_none")
    with pytest.raises(ApiError, match="JOB_NOT_FOUND"):
        next(iter(client.jobs.events("job_none")))
    with pytest.raises(ApiError, match="SOURCE_BLOCKED.*YouTube"):
        client.jobs.create({"source_uri": "https://www.youtube.com/watch?v=1"})
    with Footnote(base_url=URL, api_key="fnk_wrong") as stranger, pytest.raises(ApiError, match="UNAUTHENTICATED"):
        next(iter(stranger.jobs.events("job_none")))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def test_every_reading_of_the_service_fits_its_model(client: Footnote) -> None:
    assert client.service.get_health().status
    assert client.service.get_readiness().checks.database == "ok"
    assert client.service.get_signing_keys().keys
    assert client.limits.get().lists
    assert client.usage.get().jobs
    templates = list(client.schemas.list())
    assert client.schemas.get(templates[0].id).json_schema
    key = client.api_keys.create({"name": "Another"})
    assert key.id in [one.id for one in client.api_keys.list()]
    assert client.api_keys.revoke(key.id).revoked_at
    destination = client.destinations.create(
        {"name": "Hook", "type": "webhook", "config": {"url": "https://example.com/hook"}}
    )
    assert client.destinations.update(destination.id, {"status": "paused"}).status == "paused"
    assert client.destinations.rotate_signing_secret(destination.id, {"keep_old_for_seconds": 60}).signing_secret
    assert client.destinations.delete(destination.id).deleted_at
    assert client.jobs.estimate({"source_uri": "https://example.com/talk.mp4", "duration_seconds": 60})


def test_the_page_runs_as_it_stands_and_mypy_takes_it(tmp_path: Path) -> None:
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL))
    (tmp_path / "page.py").write_text(code.replace("http://127.0.0.1:8080", URL))
    shutil.copy(SAMPLE, tmp_path / "talk.mp4")
    source = str(README.parent / "src")
    env = {**os.environ, "PYTHONPATH": source, "MYPYPATH": source}
    ran = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for line in (r"^/\w+.* s ", r"^succeeded 1\.0$", r"^WEBVTT \d+$", r"^404 JOB_NOT_FOUND: ", r"^\['succeeded'"):
        assert re.search(line, ran.stdout, re.MULTILINE), (line, ran.stdout)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "page.py"]
    typed = subprocess.run(mypy, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert typed.returncode == 0, typed.stdout + typed.stderr
