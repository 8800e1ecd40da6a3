from __future__ import annotations

import io
import os
import typing as t
from dataclasses import dataclass

Uploadable = t.Union[str, "os.PathLike[str]", bytes, t.BinaryIO]
"""A path, bytes, or a file that is open for reading; one that cannot be sought needs its `size`."""


@dataclass
class Source:
    """A file to be sent: its length, and its bytes from any place on, as far as it can be read again."""

    file: t.BinaryIO
    size: int
    name: t.Optional[str]
    owned: bool
    _begin: int = 0
    _held: bytes = b""

    def read(self, start: int, length: int) -> bytes:
        length = min(length, self.size - start)
        if self.file.seekable():
            self.file.seek(start)
            return self._whole(self.file.read(length), start, length)
        if start < self._begin:
            raise ValueError(f"A stream cannot be read again from byte {start}")
        while self._begin + len(self._held) < start + length:
            piece = self.file.read(start + length - self._begin - len(self._held))
            if not piece:
                raise ValueError(f"The stream ended at byte {self._begin + len(self._held)} of {self.size}")
            # Keeps only what was read last, which is all that has to be sent again.
            self._held += piece
            skipped = min(len(self._held), max(0, start - self._begin))
            self._begin, self._held = self._begin + skipped, self._held[skipped:]
        skipped = start - self._begin
        self._begin, self._held = start, self._held[skipped:]
        return self._held[:length]

    @staticmethod
    def _whole(data: bytes, start: int, length: int) -> bytes:
        if len(data) < length:
            raise ValueError(f"The file is shorter than it was: {start + len(data)} bytes")
        return data

    def close(self) -> None:
        if self.owned:
            self.file.close()


def source_of(file: Uploadable, size: t.Optional[int]) -> Source:
    if isinstance(file, bytes):
        return Source(io.BytesIO(file), len(file), None, True)
    if isinstance(file, (str, os.PathLike)):
        opened = open(file, "rb")
        return Source(opened, os.fstat(opened.fileno()).st_size, os.path.basename(os.fspath(file)), True)
    name = getattr(file, "name", None)
    shown = os.path.basename(name) if isinstance(name, str) else None
    if size is None:
        if not file.seekable():
            raise ValueError("Say the size of a stream that cannot be sought: the service asks for it beforehand")
        size = file.seek(0, os.SEEK_END)
    return Source(file, size, shown, False)
