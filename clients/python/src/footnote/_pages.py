from __future__ import annotations

import typing as t
from dataclasses import dataclass

T = t.TypeVar("T")


@dataclass(frozen=True)
class Page(t.Generic[T]):
    """One answer of a list; `next_cursor` is where the next one begins, None at the end."""

    data: t.List[T]
    next_cursor: t.Optional[str]


class Pages(t.Generic[T]):
    """A list that is read page by page while it is walked: `for job in client.jobs.list()`."""

    def __init__(self, read: t.Callable[[t.Optional[str]], Page[T]]) -> None:
        self._read = read

    def first(self) -> Page[T]:
        """The first page alone."""
        return self._read(None)

    def pages(self) -> t.Iterator[Page[T]]:
        page = self._read(None)
        yield page
        while page.next_cursor is not None:
            page = self._read(page.next_cursor)
            yield page

    def __iter__(self) -> t.Iterator[T]:
        for page in self.pages():
            yield from page.data


class AsyncPages(t.Generic[T]):
    """A list that is read page by page while it is walked: `async for job in client.jobs.list()`."""

    def __init__(self, read: t.Callable[[t.Optional[str]], t.Awaitable[Page[T]]]) -> None:
        self._read = read

    async def first(self) -> Page[T]:
        """The first page alone."""
        return await self._read(None)

    async def pages(self) -> t.AsyncIterator[Page[T]]:
        page = await self._read(None)
        yield page
        while page.next_cursor is not None:
            page = await self._read(page.next_cursor)
            yield page

    async def __aiter__(self) -> t.AsyncIterator[T]:
        async for page in self.pages():
            for item in page.data:
                yield item
