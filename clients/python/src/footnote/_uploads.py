from __future__ import annotations

import base64
import typing as t
from dataclasses import dataclass

import anyio.to_thread
import httpx

from ._call import Call, is_passing, quote, retry_delay
from ._errors import ApiError, FootnoteError
from ._sources import Source, Uploadable, source_of
from .generated import async_operations, operations
from .generated.models import Upload

CHUNK_BYTES = 8 * 1024 * 1024

TUS = {"tus-resumable": "1.0.0"}


@dataclass(frozen=True)
class UploadProgress:
    id: str
    """What `resume` takes."""
    sent_bytes: int
    size_bytes: int


OnProgress = t.Callable[[UploadProgress], None]


def begin(source: Source, filename: t.Optional[str]) -> Call:
    """Sent twice it would begin two, of which the first is dropped after a day."""
    name = filename or source.name
    metadata = None if name is None else f"filename {base64.b64encode(name.encode()).decode()}"
    headers = {**TUS, "upload-length": str(source.size), "upload-metadata": metadata}
    return Call("POST", "/v1/uploads", headers=headers, repeatable=True)


def head(id: str) -> Call:
    return Call("HEAD", f"/v1/uploads/{quote(id)}", headers=TUS)


def resumed(response: httpx.Response, id: str, size: int) -> int:
    """Where an upload stands that was begun before.

    Another file's bytes would be taken for the rest of the one that was begun, and of a shorter one none would be sent.
    """
    length = response.headers.get("upload-length")
    if length is not None and int(length) != size:
        raise ValueError(f"{id} was begun for a file of {length} bytes, and this one has {size}")
    return int(response.headers["upload-offset"])


def append(id: str, offset: int, content: bytes) -> Call:
    headers = {**TUS, "upload-offset": str(offset), "content-type": "application/offset+octet-stream"}
    return Call("PATCH", f"/v1/uploads/{quote(id)}", headers=headers, content=content)


def delay_of(error: FootnoteError, failures: int, retries: int) -> t.Optional[float]:
    """Where a piece may be tried again: also where another request of ours got further than its answer told."""
    elsewhere = isinstance(error, ApiError) and error.code == "UPLOAD_OFFSET_CONFLICT"
    return retry_delay(error, failures) if (is_passing(error) or elsewhere) and failures < retries else None


class Uploads(operations.UploadsOperations):
    def create(
        self,
        file: Uploadable,
        *,
        filename: t.Optional[str] = None,
        size: t.Optional[int] = None,
        resume: t.Optional[str] = None,
        on_progress: t.Optional[OnProgress] = None,
        chunk_bytes: int = CHUNK_BYTES,
    ) -> Upload:
        """Sends a file in pieces by the tus protocol, taking up where the service stands after every break.

        Answers with the upload, whose `uri` a job takes. Raises once as many tries in a row as `retries` allows bring
        nothing; what was sent until then is kept for a day, and `resume` goes on with it, or raises `ValueError` where
        it is given a file of another length.
        """
        source = source_of(file, size)
        send = self._transport.send
        try:
            id = resume or Upload.model_validate_json(send(begin(source, filename)).content).id
            offset = 0 if resume is None else resumed(send(head(id)), id, source.size)
            failures = 0
            while True:
                if on_progress is not None:
                    on_progress(UploadProgress(id, offset, source.size))
                if offset >= source.size:
                    return self.get(id)
                content = source.read(offset, chunk_bytes)
                try:
                    offset = int(send(append(id, offset, content)).headers["upload-offset"])
                    failures = 0
                except FootnoteError as error:
                    delay = delay_of(error, failures, self._transport.retries)
                    if delay is None:
                        raise
                    self._transport.sleep(delay)
                    stands = int(send(head(id)).headers["upload-offset"])
                    failures = 0 if stands > offset else failures + 1
                    offset = stands
        finally:
            source.close()


class AsyncUploads(async_operations.AsyncUploadsOperations):
    async def create(
        self,
        file: Uploadable,
        *,
        filename: t.Optional[str] = None,
        size: t.Optional[int] = None,
        resume: t.Optional[str] = None,
        on_progress: t.Optional[OnProgress] = None,
        chunk_bytes: int = CHUNK_BYTES,
    ) -> Upload:
        """As `Uploads.create`; the file is read in a thread."""
        source = source_of(file, size)
        send = self._transport.send
        try:
            id = resume or Upload.model_validate_json((await send(begin(source, filename))).content).id
            offset = 0 if resume is None else resumed(await send(head(id)), id, source.size)
            failures = 0
            while True:
                if on_progress is not None:
                    on_progress(UploadProgress(id, offset, source.size))
                if offset >= source.size:
                    return await self.get(id)
                content = await anyio.to_thread.run_sync(source.read, offset, chunk_bytes)
                try:
                    offset = int((await send(append(id, offset, content))).headers["upload-offset"])
                    failures = 0
                except FootnoteError as error:
                    delay = delay_of(error, failures, self._transport.retries)
                    if delay is None:
                        raise
                    await self._transport.sleep(delay)
                    stands = int((await send(head(id))).headers["upload-offset"])
                    failures = 0 if stands > offset else failures + 1
                    offset = stands
        finally:
            source.close()
