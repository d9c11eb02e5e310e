"""A real Postfix on a free port of this machine, which hands everything for one domain to a door of ours."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from tests.ports import Port

MAIN = """
compatibility_level = 3.6
queue_directory = {home}/spool
data_directory = {home}/data
command_directory = {commands}
daemon_directory = {daemons}
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.example.org
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
alias_maps =
maillog_file = {home}/maillog
maillog_file_prefixes = {home}
default_transport = error:nothing leaves this machine
relay_domains = {domain}
relay_recipient_maps = regexp:{home}/etc/ulm_recipients
transport_maps = inline:{{ {domain}={transport} }}
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
"""
RECIPIENTS = r"""/^(play|talk|bounce|check)\+[a-z2-7]{26}@ulm\.example\.org$/   ok
/^bounce@ulm\.example\.org$/                                   ok
"""
MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
flush unix n - n 1000? 0 flush
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


class NoPostfixError(Exception):
    """There is none here that could be started."""


class Postfix:
    """Running as docs/receiving-mail.md sets it up. `transport` is what mail for ulm.example.org is handed to."""

    domain = "ulm.example.org"

    def __init__(self, transport: str) -> None:
        program = shutil.which("postfix") or shutil.which("postfix", path="/usr/sbin:/usr/local/sbin")
        if program is None:
            raise NoPostfixError("postfix is not installed")
        if os.geteuid() != 0:
            raise NoPostfixError("postfix is started as root")
        self._program = program
        daemons = next(
            (place for place in ("/usr/lib/postfix/sbin", "/usr/libexec/postfix") if Path(place).is_dir()), ""
        )
        # Not among pytest's own directories: processes of lesser rights have to get here.
        home = Path(tempfile.mkdtemp(prefix="ulm-postfix-"))
        home.chmod(0o711)
        self.home, self._config = home, home / "etc"
        self._port = Port()
        self.port = self._port.number
        for name in ("etc", "spool", "data"):
            (home / name).mkdir(parents=True)
        os.chown(home / "data", pwd.getpwnam("postfix").pw_uid, -1)
        values = {
            "home": home, "commands": Path(program).parent, "daemons": daemons, "domain": self.domain,
            "transport": transport, "port": self.port,
        }  # fmt: skip
        (self._config / "main.cf").write_text(MAIN.format(**values))
        (self._config / "master.cf").write_text(MASTER.format(**values))
        (self._config / "ulm_recipients").write_text(RECIPIENTS)
        self._say("start")
        deadline = time.monotonic() + 30
        while not self._answers():
            if time.monotonic() > deadline:
                said = self.log()[-500:]
                self.stop()
                raise NoPostfixError(f"postfix does not start: {said}")
            time.sleep(0.05)

    def flush(self) -> None:
        """Try everything that waits now."""
        self._say("flush")

    def log(self) -> str:
        """What it said."""
        path = self.home / "maillog"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def stop(self) -> None:
        """End it and its children."""
        self._say("stop")
        self._port.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def _say(self, word: str) -> None:
        subprocess.run([self._program, "-c", str(self._config), word], capture_output=True, timeout=60, check=False)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as tried:
                tried.settimeout(10)
                return tried.recv(3) == b"220"
        except OSError:
            return False
