"""A mail server that takes everything and keeps nothing: `python -m benchmarks.mail_sink`, as a process of its own.

Prints its port, and ends at SIGTERM.
"""

from __future__ import annotations

import asyncio
import signal
from typing import Any

from aiosmtpd.smtp import SMTP


class _Taker:
    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        return "250 taken"


async def _serve() -> None:
    taker, told = _Taker(), asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, told.set)
    server = await loop.create_server(lambda: SMTP(taker, hostname="sink.invalid", loop=loop), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await told.wait()


if __name__ == "__main__":
    asyncio.run(_serve())
