"""The lists of replays and collections, the viewer, downloads."""

from collections.abc import Iterator

from flask import Response


def attached(data: bytes | Iterator[bytes], mimetype: str, filename: str) -> Response:
    """A file to be kept: shown here, a page that brings its own script would be one of ours."""
    return Response(data, mimetype=mimetype, headers={"Content-Disposition": f'attachment; filename="{filename}"'})
