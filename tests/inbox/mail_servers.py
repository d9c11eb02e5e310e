"""A real Postfix or Dovecot on a free port of this machine, set up as `servers/` and docs/receiving-mail.md say."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from string import Template

from tests.ports import Port

FORMS = Path(__file__).parent / "servers"


class NoServerError(Exception):
    """There is none here that could be started."""


class MailServer:
    """What both have: a directory of their own, a port, a log, and a greeting."""

    name, greeting, log_name = "", b"", ""

    def __init__(self, **values: str) -> None:
        program = shutil.which(self.name) or shutil.which(self.name, path="/usr/sbin:/usr/local/sbin")
        if program is None:
            raise NoServerError(f"{self.name} is not installed")
        if os.geteuid() != 0:
            raise NoServerError(f"{self.name} is started as root")
        self.program = program
        # Not among pytest's own directories: processes of lesser rights have to get here.
        self.home = Path(tempfile.mkdtemp(prefix=f"ulm-{self.name}-"))
        self.home.chmod(0o711)
        self._port = Port()
        self.port = self._port.number
        self._values = {"home": str(self.home), "port": str(self.port), **values}
        self.start()
        deadline = time.monotonic() + 30
        while not self._answers():
            if not self.lives() or time.monotonic() > deadline:
                said = self.log()[-500:]
                self.stop()
                raise NoServerError(f"{self.name} does not start: {said}")
            time.sleep(0.05)

    def start(self) -> None:
        """Write its configuration and start it."""

    def lives(self) -> bool:
        """Whether it may still answer."""
        return True

    def stop(self) -> None:
        """End it and its children."""
        self._port.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def log(self) -> str:
        """What it said."""
        path = self.home / self.log_name
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def directories(self, owner: str, *names: str) -> None:
        """Make directories of a user."""
        for name in names:
            (self.home / name).mkdir()
            os.chown(self.home / name, pwd.getpwnam(owner).pw_uid, -1)

    def configure(self, name: str, folder: str = ".") -> None:
        """Fill a form of `servers/` in."""
        text = Template((FORMS / name).read_text("utf-8")).safe_substitute(self._values)
        (self.home / folder / name).write_text(text, "utf-8")

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as tried:
                tried.settimeout(10)
                return tried.recv(len(self.greeting)) == self.greeting
        except OSError:
            return False


class Dovecot(MailServer):
    """Running, with any user name and the password `pass:word@1`. `url(user)` is what ULM_IMAP_URL takes."""

    name, greeting, log_name = "dovecot", b"* OK", "dovecot.log"
    password = "pass:word@1"

    def __init__(self) -> None:
        nobody = pwd.getpwnam("nobody")  # it opens no mailbox as root
        super().__init__(password=self.password, nobody=str(nobody.pw_uid), nogroup=str(nobody.pw_gid))

    def start(self) -> None:
        """Run it beside us."""
        self.directories("root", "run", "state")
        self.directories("nobody", "mail", "home")
        self.configure("dovecot.conf")
        command = [self.program, "-F", "-c", str(self.home / "dovecot.conf")]
        self.process = subprocess.Popen(command, start_new_session=True)

    def lives(self) -> bool:
        """Whether its process does."""
        return self.process.poll() is None

    def url(self, user: str, more: str = "") -> str:
        """The address of a mailbox."""
        return f"imap://{user}:pass%3Aword%401@127.0.0.1:{self.port}/INBOX{more}"

    def stop(self) -> None:
        """End it and its children."""
        if self.lives():
            self.process.terminate()
        self.process.wait(20)
        super().stop()


class Postfix(MailServer):
    """Running, with a transport that mail for ulm.example.org is handed to."""

    name, greeting, log_name = "postfix", b"220", "maillog"
    domain = "ulm.example.org"

    def __init__(self, transport: str) -> None:
        super().__init__(transport=transport, domain=self.domain)

    def start(self) -> None:
        """Tell its master to."""
        self.directories("root", "etc", "spool")
        self.directories("postfix", "data")
        places = ("/usr/lib/postfix/sbin", "/usr/libexec/postfix")
        self._values["daemons"] = next((place for place in places if Path(place).is_dir()), "")
        self._values["commands"] = str(Path(self.program).parent)
        for name in ("main.cf", "master.cf", "ulm_recipients"):
            self.configure(name, "etc")
        self._say("start")

    def flush(self) -> None:
        """Try everything that waits now."""
        self._say("flush")

    def stop(self) -> None:
        """End it and its children."""
        self._say("stop")
        super().stop()

    def _say(self, word: str) -> None:
        command = [self.program, "-c", str(self.home / "etc"), word]
        subprocess.run(command, capture_output=True, timeout=60, check=False)
