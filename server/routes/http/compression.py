"""Answers of more than a kilobyte go out compressed, for who accepts that: zstd, Brotli or gzip (Flask-Compress).

What is sent while it is made stays uncompressed where somebody waits for each line (`text/event-stream`, whose type is
not among those below) or packs itself (`streams.lines`). Compressed answers have ETags of their own, as the bytes are
others; a request that names one of them is read as if it named the answer's.
"""

import re
from typing import Any

from flask import Flask, Response, g, request
from flask_compress import Compress

SMALLEST = 1000
"""Bytes; what is shorter fits into one packet anyhow."""
_TYPES = [
    "application/json",
    "application/problem+json",
    "image/svg+xml",
    "text/css",
    "text/html",
    "text/javascript",
    "text/plain",
]
# In the order of choice. Measured on a page of 80 kB: zstd 0.12 ms and 14.0 kB, Brotli 0.37 ms and 13.7 kB, gzip 0.62
# ms and 14.9 kB; on the answer to a move all take some 15 microseconds.
_ALGORITHMS = ["zstd", "br", "gzip"]
_LEVELS = {"COMPRESS_ZSTD_LEVEL": 3, "COMPRESS_BR_LEVEL": 3, "COMPRESS_LEVEL": 4}
_SUFFIX = re.compile(r':(?:zstd|br|gzip)"')
_REFUSED = re.compile(r";\s*q\s*=\s*0(?:\.0*)?\s*(?:,|$)")
_PLAIN = ("", "identity")
_IF_MATCH, _IF_NONE_MATCH = "HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"


def install(app: Flask) -> None:
    """Let `app` compress. To be called before anything else that looks at answers: what is asked first comes last."""
    app.config.update(
        COMPRESS_MIMETYPES=_TYPES,
        COMPRESS_MIN_SIZE=SMALLEST,
        COMPRESS_ALGORITHM=_ALGORITHMS,
        COMPRESS_ALGORITHM_STREAMING=_ALGORITHMS,
        COMPRESS_EVALUATE_CONDITIONAL_REQUEST=False,  # caching.py has done that
        COMPRESS_REGISTER=False,
        **_LEVELS,
    )
    compress = Compress(app)

    @app.before_request
    def read_tags() -> None:
        environ = request.environ
        if _IF_MATCH in environ:
            environ[_IF_MATCH] = _SUFFIX.sub('"', environ[_IF_MATCH])
        if given := environ.get(_IF_NONE_MATCH, ""):
            plain = _SUFFIX.sub('"', given)
            if plain != given:
                g.tags_given = given
                environ[_IF_NONE_MATCH] = plain

    @app.after_request
    def finish(response: Response) -> Response:
        if response.status_code == 304:
            return _as_known(response)
        environ = request.environ
        if environ.get("HTTP_ACCEPT_ENCODING", "") in _PLAIN or not _may_be_compressed(response, environ):
            response.vary.add("Accept-Encoding")
            return response
        # Flask-Compress looks at answers of success alone; an error may be a page of 100 kB.
        code, response.status_code = response.status_code, 200
        source = response.response
        response = compress.after_request(response)
        response.status_code = code
        if response.response is not source and hasattr(source, "close"):
            response.call_on_close(source.close)  # a file that is read through the compressor
        return response


def _may_be_compressed(response: Response, environ: dict[str, Any]) -> bool:
    """Whether compressing is right: not where another site's requests could guess by lengths (BREACH)."""
    foreign = environ.get("HTTP_SEC_FETCH_SITE", "none") not in ("none", "same-origin")
    return not (
        response.status_code in (204, 206)
        or "Content-Range" in response.headers
        or (foreign and environ.get("QUERY_STRING") and response.mimetype == "text/html")
        or _REFUSED.search(environ["HTTP_ACCEPT_ENCODING"])
    )


def _as_known(response: Response) -> Response:
    """Name in a 304 the very tag that the request named: that of what its sender has kept."""
    tag, weak = response.get_etag()
    for suffix in _ALGORITHMS:
        if tag and not weak and f'"{tag}:{suffix}"' in g.get("tags_given", ""):
            response.set_etag(f"{tag}:{suffix}")
            break
    response.vary.add("Accept-Encoding")
    return response
