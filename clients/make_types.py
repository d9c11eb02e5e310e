"""Write the types of the Python client, after the API's description has changed: `python clients/make_types.py`."""

from __future__ import annotations

import keyword
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PYTHON = HERE / "python/src/ulm_client/types.py"
NAMES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def description() -> dict[str, Any]:
    """The description that a server of these sources would serve."""
    sys.path.insert(0, str(HERE.parent))
    from server.app import create_app
    from server.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database_url=f"sqlite:///{folder}/ulm.sqlite3", data_dir=Path(folder), example=False)
        app = create_app(settings)
        document: dict[str, Any] = app.test_client().get("/api/v1/openapi.json").json
        app.extensions["ulm.store"].close()
    return document


def python(schemas: dict[str, Any]) -> str:
    """A module with a type for each schema."""
    parts = [
        '"""What the API takes and gives, by the names of its description. Written by clients/make_types.py."""',
        "# What each field means stands in the description: `/api/docs` of a server.",
        "from __future__ import annotations\n\nfrom typing import Any, Literal, NotRequired, TypedDict",
    ]
    for name, schema in schemas.items():
        fields = schema.get("properties", {})
        needed = schema.get("required", [])
        types = {key: _python(value) for key, value in fields.items()}
        types = {key: text if key in needed else f"NotRequired[{text}]" for key, text in types.items()}
        if schema["type"] != "object" or not fields:
            parts.append(f"{name} = {_python(schema)}")
        elif any(map(keyword.iskeyword, fields)):
            parts.append(f"{name} = TypedDict({name!r}, {{{', '.join(f'{key!r}: {types[key]!r}' for key in fields)}}})")
        else:
            lines = [f"    {key}: {types[key]}" for key in fields]
            base = ", ".join(map(_python, schema.get("allOf", ()))) or "TypedDict"
            parts.append(f"class {name}({base}):\n" + "\n".join(lines))
    # Plain names before those that are made of them: an assignment is carried out where it stands.
    parts[3:] = sorted(parts[3:], key=lambda part: part.startswith("class") or "TypedDict(" in part)
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "-"],
        input="\n\n".join(parts), capture_output=True, text=True, check=True, cwd=HERE.parent,
    )  # fmt: skip
    return done.stdout


def _python(schema: dict[str, Any]) -> str:
    """The type that a schema is in Python."""
    kind = schema.get("type")
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(map(_python, schema["anyOf"]))
    if isinstance(kind, list):
        return " | ".join(_python({**schema, "type": each}) for each in kind)
    if "enum" in schema and kind == "string":
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    if kind == "array":
        return f"list[{_python(schema['items'])}]"
    if kind == "object":
        return f"dict[str, {_python(schema.get('additionalProperties') or {})}]"
    return NAMES[kind] if kind else "Any"


if __name__ == "__main__":
    PYTHON.write_text(python(description()["components"]["schemas"]), "utf-8")
