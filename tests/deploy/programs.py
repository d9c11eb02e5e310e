"""The proxies of the system with the project's own files, moved to ports and folders of a test."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"


def program(name: str) -> str:
    """Where a program of the system is; skips where there is none."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"no {name} here (apt install {name})")
    return found


def run(*command: str | Path, **environment: str) -> str:
    """What a program says; fails when it is not content."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
        check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def changed(text: str, changes: dict[str, str]) -> str:
    """`text` with each key of `changes` replaced; each has to be there."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def nginx_conf(folder: Path, plain: int = 8080, tls: int = 8443, webs: tuple[str, ...] | None = None) -> Path:
    """deploy/nginx.conf for `folder`, with a certificate of its own, on ports of 127.0.0.1."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    run(
        program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=ulm.example.org", "-addext", "subjectAltName=DNS:ulm.example.org",
        "-keyout", key, "-out", certificate,
    )  # fmt: skip
    changes = {
        "user www-data;": f"daemon off;\n{'user root;' if os.geteuid() == 0 else ''}",
        "worker_processes auto;": "worker_processes 1;",
        "worker_rlimit_nofile 40000;": "",
        "worker_connections 20000;": "worker_connections 1000;",
        "pid /run/nginx.pid;": f"pid {folder}/nginx.pid;",
        "/var/log/nginx/": f"{folder}/",
        "/etc/letsencrypt/live/ulm.example.org/fullchain.pem": str(certificate),
        "/etc/letsencrypt/live/ulm.example.org/privkey.pem": str(key),
        "include /etc/nginx/mime.types;": "".join(
            f"{kind}_temp_path {folder}/{kind};\n    " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        ),
        "listen 443 ssl": f"listen 127.0.0.1:{tls} ssl",
        "listen 80 ": f"listen 127.0.0.1:{plain} ",
    }
    if webs is not None:
        changes |= {f"127.0.0.1:800{number}": web for number, web in enumerate(webs, 1)}
    path = folder / "nginx.conf"
    path.write_text(changed((DEPLOY / "nginx.conf").read_text("utf-8"), changes), "utf-8")
    return path
