"""What stands between the players and the web processes: a TCP proxy on one port, which can break what passes by it."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import struct
import threading

_PATIENCE = 20.0
"""Seconds that a connection waits for a process that takes it."""


class Proxy:
    """Passes each connection on to one of the ports in `upstream`, from `start` to `stop`; safe for threads."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.upstream: dict[str, int] = {}
        """Who takes connections, and where. May be changed at any time."""
        self.cut = 0
        """So many of the answers that come next are cut off in their midst."""
        self.cuts = 0
        """How many were."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self.url = ""

    def start(self) -> None:
        """Listen on a free port, and say on which in `url`."""
        self._thread.start()
        listening = asyncio.start_server(self._pass, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(listening, self._loop).result()
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def stop(self) -> None:
        """End every connection."""

        async def end() -> None:
            self._server.close()
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0)  # transports close their sockets with the loop's next turn

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = None
        try:
            there = await self._connect()
            if there is not None:
                pumps = [
                    asyncio.ensure_future(pump)
                    for pump in (self._pump(reader, there[1], False), self._pump(there[0], writer, True))
                ]
                try:
                    await asyncio.wait(pumps, return_when="FIRST_COMPLETED")
                finally:
                    for pump in pumps:
                        pump.cancel()
                    await asyncio.gather(*pumps, return_exceptions=True)
        finally:
            for end in (writer, there[1] if there else None):
                if end is not None:
                    with contextlib.suppress(OSError):
                        end.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        end = self._loop.time() + _PATIENCE
        while self._loop.time() < end:
            ports = list(self.upstream.values())
            if ports:
                with contextlib.suppress(OSError):
                    return await asyncio.open_connection("127.0.0.1", self._rng.choice(ports))
            await asyncio.sleep(0.05)
        return None

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if answers and self.cut > 0:
                    self.cut -= 1
                    self.cuts += 1
                    target.write(data[: self._rng.randrange(len(data))])
                    # Closed with this option the socket sends a reset instead of an orderly end.
                    option = struct.pack("ii", 1, 0)
                    target.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, option)
                    return
                target.write(data)
                await target.drain()
