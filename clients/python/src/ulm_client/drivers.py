"""Carrying steps out: by blocking, or by awaiting. What a client can do is written once, for both."""

from __future__ import annotations

import functools
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator, Iterator
from contextlib import AsyncExitStack, ExitStack, closing
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

import anyio
import httpx

from ulm_client.steps import Item, Items, Read, Reply, Send, Step, Steps, Wait, handed_out

P = ParamSpec("P")
T = TypeVar("T")

QUIET = 60.0
"""Seconds without a word after which a connection is dead: streams say something every 15."""


def _settings(url: str, token: str | None) -> dict[str, Any]:
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"the address of a server looks like https://ulm.example.org, not like {url!r}")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {"base_url": url.rstrip("/"), "headers": headers, "timeout": QUIET}


def _arguments(send: Send) -> dict[str, Any]:
    """What httpx takes for a request."""
    content = {} if send.body is None else {"json": send.body}
    headers = {**send.headers, "Accept": f"{send.accept}, application/problem+json"}
    return {"method": send.method, "url": send.path, "params": send.query, "headers": headers, **content}


class Blocking:
    """Whatever is asked is answered when the call returns."""

    def __init__(self, url: str, token: str | None, patience: float, sleep: Callable[[float], object] | None) -> None:
        self.patience = patience
        self._sleep = sleep or time.sleep
        self._http = httpx.Client(**_settings(url, token))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def run(self, steps: Steps[T]) -> T:
        """Take steps that hand nothing out; return what they come to."""
        [answer] = self.each(handed_out(steps))
        return answer

    def each(self, steps: Generator[Step | Item[T], Any, object]) -> Iterator[T]:
        """Take steps, and yield what they hand out."""
        came = None
        with ExitStack() as stack, closing(steps):
            while True:
                try:
                    step = steps.send(came)
                except StopIteration:
                    return
                if isinstance(step, Item):
                    yield step.value
                    came = None
                else:
                    came = self._take(step, stack)

    def _take(self, step: Step, stack: ExitStack) -> object:
        try:
            match step:
                case Send(streams=False):
                    answer = self._http.request(**_arguments(step))
                    return Reply(answer.status_code, answer.headers, answer.content)
                case Send():
                    stack.close()  # the stream before this one
                    answer = stack.enter_context(self._http.stream(**_arguments(step)))
                    if answer.headers.get("Content-Type", "").startswith(step.accept):
                        return Reply(answer.status_code, answer.headers, chunks=answer.iter_bytes())
                    return Reply(answer.status_code, answer.headers, answer.read())
                case Read(chunks):
                    return next(chunks, None)
                case Wait(seconds):
                    self._sleep(seconds)
        except httpx.HTTPError as error:
            return error
        return None


class Awaiting:
    """Whatever is asked is to be awaited; on asyncio and on trio."""

    def __init__(
        self, url: str, token: str | None, patience: float, sleep: Callable[[float], Awaitable[object]] | None
    ) -> None:
        self.patience = patience
        self._sleep = sleep or anyio.sleep
        self._http = httpx.AsyncClient(**_settings(url, token))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def run(self, steps: Steps[T]) -> T:
        """Take steps that hand nothing out; return what they come to."""
        [answer] = [item async for item in self.each(handed_out(steps))]
        return answer

    async def each(self, steps: Generator[Step | Item[T], Any, object]) -> AsyncIterator[T]:
        """Take steps, and yield what they hand out."""
        came = None
        async with AsyncExitStack() as stack:
            with closing(steps):
                while True:
                    try:
                        step = steps.send(came)
                    except StopIteration:
                        return
                    if isinstance(step, Item):
                        yield step.value
                        came = None
                    else:
                        came = await self._take(step, stack)

    async def _take(self, step: Step, stack: AsyncExitStack) -> object:
        try:
            match step:
                case Send(streams=False):
                    answer = await self._http.request(**_arguments(step))
                    return Reply(answer.status_code, answer.headers, answer.content)
                case Send():
                    await stack.aclose()
                    answer = await stack.enter_async_context(self._http.stream(**_arguments(step)))
                    if answer.headers.get("Content-Type", "").startswith(step.accept):
                        return Reply(answer.status_code, answer.headers, chunks=answer.aiter_bytes())
                    return Reply(answer.status_code, answer.headers, await answer.aread())
                case Read(chunks):
                    return await anext(chunks, None)
                case Wait(seconds):
                    await self._sleep(seconds)
        except httpx.HTTPError as error:
            return error
        return None


class Operation(Generic[P, T]):
    """A method of both clients: what its steps come to, or an awaitable of it."""

    def __init__(self, function: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self.steps = function
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, client: Blocking, owner: object = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: Awaiting, owner: object = None) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, client: None, owner: object = None) -> Operation[P, T]: ...
    def __get__(self, client: Any, owner: object = None) -> Any:
        return self if client is None else _bound(self.steps, client, client.run)


class Stream(Generic[P, T]):
    """A method of both clients that hands things out: an iterator, or an asynchronous one."""

    def __init__(self, function: Callable[Concatenate[Any, P], Items[T]]) -> None:
        self.steps = function
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, client: Blocking, owner: object = None) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, client: Awaiting, owner: object = None) -> Callable[P, AsyncIterator[T]]: ...
    @overload
    def __get__(self, client: None, owner: object = None) -> Stream[P, T]: ...
    def __get__(self, client: Any, owner: object = None) -> Any:
        return self if client is None else _bound(self.steps, client, client.each)


def _bound(function: Callable[..., Any], client: object, carry_out: Callable[[Any], Any]) -> Callable[..., Any]:
    method = MethodType(function, client)

    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        return carry_out(method(*args, **kwargs))

    return call
