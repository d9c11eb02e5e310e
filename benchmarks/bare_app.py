"""The least that can store a move: Flask, one peewee insert, one commit. What a POST of ours is measured against.

`python -m benchmarks.bare_app DATABASE THREADS` serves it behind the same WSGI server, on a database of the same kind
with the same PRAGMAs, until it is told to stop.
"""

from __future__ import annotations

import sys

import peewee
from flask import Flask, jsonify, request
from flask.typing import ResponseReturnValue

from server.httpd import HttpServer
from server.settings import Settings
from server.storage.database import open_database


def create_app(database: peewee.Database) -> Flask:
    """Return the application on `database`, whose table it makes."""

    class Move(peewee.Model):
        game = peewee.CharField(max_length=32, index=True)
        ply = peewee.IntegerField()
        move = peewee.TextField()

        class Meta:
            pass

    Move.bind(database)
    with database.connection_context():
        database.create_tables([Move])
    app = Flask(__name__, static_folder=None)

    @app.post("/games/<game>/moves")
    def store(game: str) -> ResponseReturnValue:
        data = request.get_json()
        with database.connection_context(), database.atomic():
            row = Move.create(game=game, ply=data["ply"], move=data["moves"][0])
        return jsonify(applied=1, ply=row.ply + 1), 201

    return app


def main(arguments: list[str]) -> None:
    """Serve until told to stop; there is nothing to tidy up."""
    address, threads = arguments[0], int(arguments[1])
    store = open_database(address, threads)
    server = HttpServer(Settings(port=0, threads=threads))
    server.stop_on_signals()
    print(f"bare app listens on http://127.0.0.1:{server.port}", flush=True)
    server.answer(create_app(store.database), grace=1)


if __name__ == "__main__":
    main(sys.argv[1:])
