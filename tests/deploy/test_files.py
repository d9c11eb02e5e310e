"""The files of deploy/: each is read as its program reads it, and what it says of the server is true."""

from __future__ import annotations

import argparse
import configparser
import json
import re
import shlex
import shutil
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient

from server import metering
from server.cli import parser
from server.service.admin import figures
from server.settings import Settings
from server.storage.database import Store
from tests.deploy.programs import DEPLOY, nginx_conf, program, run
from tests.test_settings import variables

ROOT = DEPLOY.parent
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
OURS = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "ulm-by-mail"}
ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def parsed(words: list[str]) -> argparse.Namespace:
    """A command line of `ulm`; fails when it has none such."""
    try:
        return parser().parse_args(words)
    except SystemExit:
        pytest.fail(f"`ulm {' '.join(words)}` is no command")


# The container


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n", " ", re.sub(r"(?m)^#.*\n", "", (DEPLOY / "Dockerfile").read_text("utf-8")))
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line)]


def test_the_container_file_is_made_of_what_there_is() -> None:
    lines = instructions()
    allowed = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    copied = [rest.split()[:-1] for word, rest in lines if word == "COPY" and "--from" not in rest]
    for source in [each for sources in copied for each in sources]:
        assert (ROOT / source).exists()
        assert f"!{source}" in allowed
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert {*packages["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]} <= {each for s in copied for each in s}
    found = [re.search(r"whl\)\[([a-z,]+)\]", rest) for word, rest in lines if word == "RUN"]
    (extras,) = [match for match in found if match]
    assert {*extras[1].split(",")} <= packages["project"]["optional-dependencies"].keys()
    assert any("--constraint constraints.txt" in rest and "hatchling" in rest for _, rest in lines)


def test_the_container_can_make_the_backups_that_the_worker_is_told_to_make() -> None:
    installed = re.findall(r"postgresql-client-(\d+)", (DEPLOY / "Dockerfile").read_text("utf-8"))
    server = re.findall(r"postgres:(\d+)", COMPOSE["services"]["postgres"]["image"])
    assert installed == server, "pg_dump has to be of the server's version or newer"
    folder = COMPOSE["services"]["worker"]["environment"]["ULM_BACKUP_FOLDER"]
    assert f"backups:{folder}" in COMPOSE["services"]["worker"]["volumes"]
    [made] = re.findall(r"install --directory (.*)", (DEPLOY / "Dockerfile").read_text("utf-8"))
    assert {"--owner=ulm", folder} <= {*made.split()}


def test_the_container_runs_as_nobody_special_and_says_how_it_is() -> None:
    last = len(instructions()) - 1 - [word for word, _ in instructions()][::-1].index("FROM")
    stage = instructions()[last:]
    said = dict(stage)
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", said["USER"])
    order = [word for word, _ in stage]
    assert order.index("USER") < order.index("ENTRYPOINT")
    assert "/readyz" in said["HEALTHCHECK"]
    assert said["STOPSIGNAL"] == "SIGTERM"
    settings = dict(re.findall(r"(ULM_\w+)=(\S+)", said["ENV"]))
    Settings.from_env(settings)
    assert f":{settings['ULM_PORT']}/readyz" in said["HEALTHCHECK"]
    assert [json.loads(said["ENTRYPOINT"])[0], *json.loads(said["CMD"])] == ["ulm", "serve"]
    assert not re.search(r"(?i)password|secret|token", " ".join(rest for _, rest in instructions()))


# All containers together

KEYS = {
    "image", "build", "init", "restart", "read_only", "tmpfs", "cap_drop", "security_opt", "stop_grace_period",
    "networks", "command", "environment", "depends_on", "healthcheck", "ulimits", "shm_size", "volumes", "ports",
}  # fmt: skip


def filled(text: str) -> str:
    """A value with the variables of deploy/.env: their defaults, or a word where they have none."""
    return re.sub(r"\$\{\w+(?::([-?])([^}]*))?\}", lambda found: found[2] if found[1] == "-" else "word", text)


def test_the_services_know_each_other() -> None:
    services = COMPOSE["services"]
    ours = {"web1", "web2", "streams", "worker", "heavy"}
    assert ours | {"postgres", "proxy", "mails", "prometheus", "grafana"} <= services.keys()
    for name, service in services.items():
        assert service.keys() <= KEYS, name
        assert service["image"] == "ulm-by-mail" or re.search(r":v?\d", service["image"]), f"{name} is not pinned"
        for other, how in service.get("depends_on", {}).items():
            assert how["condition"] in ("service_healthy", "service_completed_successfully")
            if how["condition"] == "service_healthy":
                assert "healthcheck" in services[other] or other in OURS, f"nobody knows when {other} is healthy"
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]
        for network in service["networks"]:
            assert network in COMPOSE["networks"]
        if name != "proxy":  # whatever else is open is open to this machine alone
            assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))


def test_services_are_told_settings_that_there_are_and_commands_that_there_are() -> None:
    covered: set[str] = set()
    for name, service in OURS.items():
        told = {key: filled(value) for key, value in service["environment"].items()}
        assert told.keys() <= variables().keys(), name
        settings = Settings.from_env(told)
        assert settings.database_url.startswith("postgresql://ulm:word@postgres:5432/")
        assert settings.proxy_hops == 1
        assert not settings.jobs
        args = parsed(service["command"])
        if service["command"][0] == "worker":
            covered |= {*args.only}
            assert f":{settings.metrics_listen.rpartition(':')[2]}/metrics" in service["healthcheck"]["test"][-1]
    # Nothing comes in by mail as long as there is no ULM_REPLY_DOMAIN.
    assert covered == {"mail", "clocks", "upkeep", "bots", "analyses"}


def test_passwords_are_asked_for_and_none_is_written_down() -> None:
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    asked = set(re.findall(r"\$\{(\w+)", text))
    example = dict(re.findall(r"(?m)^#?(ULM_\w+)=(.*)$", (DEPLOY / "example.env").read_text("utf-8")))
    assert asked == example.keys()
    for name in asked:
        if "PASSWORD" in name:
            assert not example[name]
            assert len(re.findall(rf"\$\{{{name}:\?", text)) == len(re.findall(rf"\$\{{{name}", text))
    assert ".env" in (ROOT / ".gitignore").read_text("utf-8").splitlines()


def test_docker_reads_it_so_where_it_is() -> None:
    docker = program("docker")
    try:
        run(docker, "compose", "version")
    except AssertionError:
        pytest.skip("docker has no `compose` here")
    run(docker, "compose", "-f", DEPLOY / "compose.yaml", "config", "--quiet",
        ULM_POSTGRES_PASSWORD="word", ULM_GRAFANA_PASSWORD="word")  # fmt: skip


# systemd


def unit(path: Path) -> configparser.ConfigParser:
    read = configparser.ConfigParser(interpolation=None, strict=True, delimiters="=", comment_prefixes="#")
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read_string(path.read_text("utf-8"))
    return read


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_command_that_there_is_and_may_do_no_more_than_it_has_to(path: Path) -> None:
    service = unit(path)["Service"]
    given = {"%i": "bots" if "worker" in path.name else "8001"}
    ulm, *words = shlex.split(service["ExecStart"].replace("%i", given["%i"]))
    assert ulm.endswith("/.venv/bin/ulm")
    parsed(words)
    told = service["Environment"].replace("%i", given["%i"])
    settings = Settings.from_env(dict(each.split("=", 1) for each in told.split()))
    assert int(service["TimeoutStopSec"]) > settings.shutdown_seconds + 5  # else it would be killed at work
    assert str(settings.data_dir) == f"/var/lib/{service['StateDirectory']}"
    assert unit(path)["Unit"]["StartLimitIntervalSec"] == "0", "five failures in a row would end it for good"
    assert int(service["RestartSec"]) >= 2
    for name in ("NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome", "RestrictNamespaces"):
        assert service[name] == "yes"
    said = [service[name] for name in ("ProtectSystem", "CapabilityBoundingSet", "UMask", "User")]
    assert said == ["strict", "", "0077", "ulm"]


def test_systemd_reads_the_units_so_where_it_is(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    for path in (DEPLOY / "systemd").iterdir():
        text = path.read_text("utf-8").replace("/opt/ulm-by-mail/.venv/bin/ulm", "/bin/true")
        (tmp_path / path.name.replace("@", "@8001")).write_text(text, "utf-8")
    said = run(analyze, "verify", "--man=no", *sorted(tmp_path.iterdir()))
    assert str(tmp_path) not in said, said  # what it does not know it passes over with a word


def test_the_example_of_settings_is_read() -> None:
    text = (DEPLOY / "ulm.env.example").read_text("utf-8")
    Settings.from_env(dict(re.findall(r"(?m)^#?(ULM_\w+)=(.*)$", text)))


# Proxies


def test_nginx_reads_its_file_so_where_it_is(tmp_path: Path) -> None:
    nginx = program("nginx")
    said = run(nginx, "-t", "-e", tmp_path / "error.log", "-c", nginx_conf(tmp_path))
    assert "warn" not in said, said


def test_caddy_reads_its_file_so_where_it_is() -> None:
    caddy = program("caddy")
    read = json.loads(run(caddy, "adapt", "--config", DEPLOY / "Caddyfile", "--adapter", "caddyfile").splitlines()[-1])
    assert "logs" not in read["apps"]["http"]["servers"]["srv0"], "an access log would hold links"
    fields = read["logging"]["logs"]["default"]["encoder"]["fields"]
    assert {"request>uri", "request>headers", "request>remote_ip"} <= fields.keys()


@ONLY_SQLITE
def test_no_log_of_nginx_gets_an_address_with_a_secret(app: Flask) -> None:
    """Every page below an address with a token belongs to the one `location` without logs."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    match = re.search(r"location ~ (\S+) \{\s+access_log off;\s+error_log /dev/null crit;", text)
    assert match
    secret = [rule.rule for rule in app.url_map.iter_rules() if "<token>" in rule.rule or "<secret>" in rule.rule]
    assert len(secret) > 10
    assert [rule for rule in secret if not re.match(match[1], rule)] == []
    kept = re.search(r"log_format plain (.*?);\n", text, re.DOTALL)
    assert kept
    variables_kept = set(re.findall(r"\$(\w+)", kept[1]))
    assert not variables_kept & {"request", "request_uri", "args", "query_string", "http_referer", "remote_addr"}
    assert not any(name.startswith(("http_", "cookie_", "arg_")) for name in variables_kept)


def test_proxies_pass_on_no_header_that_is_believed() -> None:
    nginx, caddy = ((DEPLOY / name).read_text("utf-8") for name in ("nginx.conf", "Caddyfile"))
    for header in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Request-Id"):
        assert re.search(rf"proxy_set_header {header} \$(remote_addr|scheme|http_host|request_id);", nginx)
    # A location with a header of its own has none of those around it.
    assert "proxy_set_header" not in nginx[nginx.index("upstream ulm {") + 1 :].split("server {", 1)[1]
    assert "non_idempotent;" not in nginx
    assert "lb_retry_match" not in caddy
    assert "trusted_proxies" not in caddy


# Prometheus and its dashboard


@ONLY_SQLITE
def test_graphs_and_alarms_ask_for_counters_that_there_are(client: FlaskClient, store: Store) -> None:
    client.get("/healthz")
    kinds = dict(re.findall(r"(?m)^# TYPE (\S+) (\S+)$", metering.text(figures.readings(store, datetime.now(UTC)))))
    there = {
        name + ending
        for name, kind in kinds.items()
        for ending in (("_bucket", "_sum", "_count") if kind == "histogram" else ("",))
    }
    board = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text("utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    alerts = yaml.safe_load((DEPLOY / "alerts.yml").read_text("utf-8"))
    asked += [rule["expr"] for group in alerts["groups"] for rule in group["rules"]]
    named = {name for text in asked for name in re.findall(r"\bulm_\w+", text)}
    assert named - there == set()
    histograms = {name.removesuffix("_bucket") for name in named if name.endswith("_bucket")}
    counted = {re.sub("_(bucket|sum|count)$", "", name) if name not in kinds else name for name in named}
    assert histograms <= counted
    unseen = kinds.keys() - counted - {"ulm_mail_stopped_addresses", "ulm_mail_waiting_clocks"}
    assert {name for name in unseen if name.startswith("ulm_")} == set(), "a counter that nobody would look at"


def test_prometheus_asks_every_process_at_its_port() -> None:
    read = yaml.safe_load((DEPLOY / "prometheus.yml").read_text("utf-8"))
    asked = {target for each in read["scrape_configs"][0]["static_configs"] for target in each["targets"]}
    port = OURS["web1"]["environment"]["ULM_METRICS_LISTEN"].rpartition(":")[2]
    assert asked == {f"{name}:{port}" for name in OURS if name != "schema"}
    if shutil.which("promtool"):
        assert "rules found" in run(program("promtool"), "check", "config", DEPLOY / "prometheus.yml")
