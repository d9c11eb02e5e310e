"""A real Dovecot on a free port of this machine, with mailboxes in a directory of its own."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from tests.ports import Port

CONFIG = """
protocols = imap
listen = 127.0.0.1
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/dovecot.log
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
mail_location = maildir:{home}/mail/%u
mail_uid = {uid}
mail_gid = {gid}
first_valid_uid = 0
first_valid_gid = 0
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={home}/home/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""


class NoDovecotError(Exception):
    """There is none here that could be started."""


class Dovecot:
    """Running, with any user name and the password `pass:word@1`. `url(user)` is what ULM_IMAP_URL takes."""

    password = "pass:word@1"

    def __init__(self) -> None:
        program = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin:/usr/local/sbin")
        if program is None:
            raise NoDovecotError("dovecot is not installed")
        if os.geteuid() != 0:
            raise NoDovecotError(f"dovecot is started as root, not as {getpass.getuser()}")
        # Not among pytest's own directories: processes of lesser rights have to get here.
        home = Path(tempfile.mkdtemp(prefix="ulm-dovecot-"))
        home.chmod(0o711)
        self._port = Port()
        self.port = self._port.number
        self.home = home
        for name in ("run", "state", "mail", "home"):
            (home / name).mkdir(parents=True)
        nobody = pwd.getpwnam("nobody")  # it opens no mailbox as root
        for name in ("mail", "home"):
            os.chown(home / name, nobody.pw_uid, nobody.pw_gid)
        config = home / "dovecot.conf"
        config.write_text(
            CONFIG.format(
                home=home, port=self.port, password=self.password, internal="dovecot", group="dovecot",
                login="dovenull", uid=nobody.pw_uid, gid=nobody.pw_gid,
            )
        )  # fmt: skip
        self.process = subprocess.Popen([program, "-F", "-c", str(config)], start_new_session=True)
        deadline = time.monotonic() + 30
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                said = self.log()[-500:]
                self.stop()
                raise NoDovecotError(f"dovecot does not start: {said}")
            time.sleep(0.05)

    def url(self, user: str, more: str = "") -> str:
        """The address of a mailbox."""
        return f"imap://{user}:pass%3Aword%401@127.0.0.1:{self.port}/INBOX{more}"

    def log(self) -> str:
        """What it said."""
        path = self.home / "dovecot.log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def stop(self) -> None:
        """End it and its children."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(20)
        self._port.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as tried:
                tried.settimeout(5)
                return tried.recv(4) == b"* OK"
        except OSError:
            return False
