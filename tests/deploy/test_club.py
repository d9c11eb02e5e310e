"""docs/club.md, walked: its commands one after the other, as root in namespaces of their own.

What a test cannot have is stood in for: Debian's archive, a certificate from outside, pip's downloads (the environment
of the tests is linked), a mail server (one that throws away), and systemd (the unit's command, environment and user by
a script). Everything else is the real thing: nginx, the wrapper, the files of deploy/, the server under its own user.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
from pathlib import Path

import pytest

from tests.deploy.programs import DEPLOY, program
from tests.live import LiveServer
from tests.together import until

ROOT = DEPLOY.parent
PAGE = (ROOT / "docs" / "club.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
COMMANDS = re.findall(r"(?m)^    (\S.*)$", re.sub(r'(?s)<a id="extras">.*?## Settings', "", PAGE))
TOLD = {"ulm doctor": "--no-dns", "ulm mail doctor": "--wait 0"}
"""They find fault with a site that nobody can reach; here without waiting for answers."""

STAND_INS = {
    "apt-get": "",
    # The key and certificate of a site that is its own authority.
    "certbot": """
        d=/etc/letsencrypt/live/ulm.example.org; mkdir -p $d
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=ulm.example.org \\
            -keyout $d/privkey.pem -out $d/fullchain.pem 2>/dev/null""",
    "systemctl": r"""
        case "$1 $*" in
        stop*nginx) [ ! -e /run/nginx.pid ] || kill "$(cat /run/nginx.pid)";;
        restart*nginx) exec nginx;;
        stop*|restart*)
            kill "$(cat /run/ulm.pid)"; while kill -0 "$(cat /run/ulm.pid)" 2>/dev/null; do sleep 0.1; done;;
        esac
        case "$1 $*" in
        enable*ulm*|start*ulm*|restart*ulm*)
            unit=/etc/systemd/system/ulm.service
            said() { sed -n "s/^$1=//p" $unit; }
            set -a; eval "$(said Environment)"; . "$(said EnvironmentFile)"; set +a
            umask "$(said UMask)"; cd "$(said WorkingDirectory)"
            setpriv --reuid="$(said User)" --regid="$(said Group)" --init-groups $(said ExecStart) \
                >> /run/ulm.log 2>&1 < /dev/null &
            echo $! > /run/ulm.pid
            for i in $(seq 100); do curl -sf http://127.0.0.1:8000/readyz >/dev/null && exit 0; sleep 0.3; done
            cat /run/ulm.log; exit 1;;
        esac""",
}

PREPARE = r"""
set -eu
ip link set lo up
mount -t tmpfs -o mode=755 none {aside}
for d in /etc /var /root /usr/local; do
    mkdir -p {aside}$d {aside}/work$d; chmod 755 {aside}$d
    mount -t overlay overlay -o lowerdir=$d,upperdir={aside}$d,workdir={aside}/work$d $d
done
mount -t tmpfs -o mode=755 none /opt
mount -t tmpfs -o mode=755 none /run
{python} -m aiosmtpd --nosetuid --listen 127.0.0.1:2525 --class aiosmtpd.handlers.Sink &
cd {source}
"""

LINKED = """
mkdir -p .venv/bin
printf '%s\\n' "$PWD" {packages} > "$(echo .venv/lib/python3*/site-packages)/ulm.pth"
printf '#!%s\\nimport sys\\nfrom server.cli import main\\nsys.exit(main())\\n' "$PWD/.venv/bin/python" > .venv/bin/ulm
chmod 755 .venv/bin/ulm
.venv/bin/python -m compileall -q server replays bots
"""


def sources(folder: Path) -> Path:
    """What an unpacked archive of the sources holds, without the tests."""
    for name in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]:
        if name in ("server", "replays", "bots", "deploy"):
            shutil.copytree(ROOT / name, folder / name)  # with what is compiled already: all of it takes seconds
        elif (ROOT / name).is_file():
            shutil.copy(ROOT / name, folder / name)
    return folder


def walked(command: str) -> str:
    """A line of the page as it is done here."""
    if " install " in command and "pip" in command.split("install")[0].split():
        return LINKED.format(packages=sysconfig.get_path("purelib"))
    command = command.replace("smtp://user:password@mail.example.org:587", "smtp://127.0.0.1:2525")
    command = command.replace("python3 -m venv", f"{os.path.realpath(sys.executable)} -m venv")
    return f"{command} {TOLD[command]} || [ $? = 1 ]" if command in TOLD else command


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, for namespaces and users")
def test_the_page_leads_to_a_club(tmp_path: Path) -> None:
    for name in ("unshare", "nginx", "openssl", "curl", "setpriv", "ip"):
        program(name)
    aside, places = tmp_path / "aside", tmp_path / "bin"
    for folder in (aside, places, tmp_path / "source"):
        folder.mkdir()
    for name, script in STAND_INS.items():
        (places / name).write_text(f"#!/bin/bash\n{script}\n", "utf-8")
        (places / name).chmod(0o755)
    settings = {"aside": aside, "python": sys.executable, "source": sources(tmp_path / "source")}
    apart = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    asked = "curl -sfk --resolve ulm.example.org:443:127.0.0.1"
    lines = [
        PREPARE.format(**settings), "set -x",
        *(walked(command) for command in COMMANDS),
        f"{asked} https://ulm.example.org/readyz",
        "[ -z \"$(find /var/lib/ulm /var/backups/ulm ! -user ulm)\" ] || exit 9",
        "ls /var/backups/ulm; echo walked",
    ]  # fmt: skip
    done = subprocess.run(
        [*apart, "bash", "-c", "\n".join(lines)],
        env={"PATH": f"{places}:{os.environ['PATH']}", "HOME": "/root", "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False,
    )  # fmt: skip
    if "unshare failed" in done.stdout or "mount: " in done.stdout:
        pytest.skip(f"no namespaces and overlays here: {done.stdout.splitlines()[0]}")
    assert done.returncode == 0, done.stdout[-6000:]
    assert done.stdout.endswith("walked\n")
    assert '{"status":"ok"}' in done.stdout
    assert "The mail server has taken it." in done.stdout
    assert "PAUSED" not in done.stdout


def test_the_page_names_this_version_and_extras_that_there_are() -> None:
    assert set(re.findall(r"\b\d+\.\d+\.\d+\b", PAGE.replace("127.0.0.1", ""))) == {PROJECT["project"]["version"]}
    named = {extra for found in re.findall(r"'\.\[([a-z,]+)\]'", PAGE) for extra in found.split(",")}
    assert {"answers", "pictures", "postgres"} <= named <= PROJECT["project"]["optional-dependencies"].keys()


def memory(group: int) -> float:
    """Megabytes that the processes of a session have, what they share counted once."""
    found = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(status.read_text().rpartition(")")[2].split()[3]) == group:
                rollup = status.with_name("smaps_rollup").read_text()
                found += int(re.findall(r"(?m)^Pss: +(\d+)", rollup)[0])
        except (OSError, IndexError):
            continue
    return found / 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux says how much memory is shared")
def test_the_unit_of_a_club_takes_150_megabytes(tmp_path: Path) -> None:
    """With pages that were looked at, a mail with its picture, and a bot that has thought."""
    unit = (DEPLOY / "systemd" / "ulm.service").read_text("utf-8")
    [told] = re.findall(r"(?m)^Environment=(.*)$", unit)
    [words] = re.findall(r"(?m)^ExecStart=\S+/ulm (.*)$", unit)
    given = dict(each.split("=", 1) for each in told.split() if not each.startswith("ULM_DATA_DIR="))
    server = LiveServer(tmp_path, {**given, "ULM_ANALYSES": "on"}, forked=False, arguments=words.split())
    try:
        token = server.call("/players", {"name": "Ann", "email": "ann@example.org"})["token"]
        game = server.call("/games", {"seats": 2, "bots": ["journeyman"]}, token)["id"]
        for path in ("/", "/rules", f"/games/{game}"):
            with urllib.request.urlopen(server.url + path, timeout=60) as answer:
                answer.read()
        until(lambda: any(tmp_path.glob("mail/*.eml")))
        for _ in range(4):  # the bot thinks in between
            until(lambda: server.call(f"/games/{game}/legal-moves", token=token)["moves"])
            server.step(game, token)
        took = memory(server.process.pid)
    finally:
        server.stop()
    assert 50 < took < 150
