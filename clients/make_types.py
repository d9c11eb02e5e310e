"""Write the types of the clients from the API's description, after it has changed: `python clients/make_types.py`."""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PYTHON = HERE / "python/src/ulm_client/types.py"
TYPESCRIPT = HERE / "js/types.d.ts"
NAMES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
BASE = "/api/v1"


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
            told = {key: " ".join(value.get("description", "").split()) for key, value in fields.items()}
            lines = [
                f"    {key}: {types[key]}" + (f'\n    """{_wrapped(told[key])}"""' if told[key] else "")
                for key in fields
            ]
            base = ", ".join(map(_python, schema.get("allOf", ()))) or "TypedDict"
            parts.append(f"class {name}({base}):\n" + "\n".join(lines))
    # Plain names before those that are made of them: an assignment is carried out where it stands.
    parts[2:] = sorted(parts[2:], key=lambda part: part.startswith("class") or "TypedDict(" in part)
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


def typescript(document: dict[str, Any]) -> str:
    """Declarations of a type for each schema, and of what each operation takes and gives, by its name."""
    lines = ["// What the API takes and gives, by the names of its description. Written by clients/make_types.py."]
    for name, schema in document["components"]["schemas"].items():
        fields = schema.get("properties")
        above = "".join(f" extends {_typescript(base)}" for base in schema.get("allOf", ()))
        lines.append(f"export interface {name}{above} {{" if fields else f"export type {name} = {_typescript(schema)};")
        lines += [
            f"  {_field(key, value, key in schema.get('required', []))};" for key, value in (fields or {}).items()
        ]
        lines += ["}"] * bool(fields)
    lines.append("export interface Operations {")
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method in ("get", "post", "put", "patch", "delete"):
                name = f"{method.upper()} {path.removeprefix(BASE) or '/'}"
                takes, gives = _takes(document, path, operation), _gives(operation)
                lines.append(f"  {json.dumps(name)}: {{ takes: {takes}; gives: {gives} }};")
    return "\n".join([*lines, "}", ""])


def _takes(document: dict[str, Any], path: str, operation: dict[str, Any]) -> str:
    shared = document["components"]["parameters"]
    parameters = [shared[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
                  for part in operation.get("parameters", [])]  # fmt: skip
    parts = [f"{name}: string | number" for name in re.findall(r"{(\w+)}", path)]
    parts += [_field(part["name"], part["schema"], part.get("required", False)) for part in parameters
              if part["in"] == "query"]  # fmt: skip
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    return f"{{ {'; '.join(parts)} }}" + (f" & {_typescript(body)}" if body else "")


def _gives(operation: dict[str, Any]) -> str:
    contents = [answer.get("content", {}) for code, answer in operation["responses"].items() if code.startswith("2")]
    found = {
        _typescript(content["schema"]) if kind == "application/json" else "Blob" if kind == "image/gif" else "string"
        for each in contents
        for kind, content in each.items()
    }
    return " | ".join(sorted(found)) or "null"


def _field(name: str, schema: dict[str, Any], needed: bool) -> str:
    return f"{name if name.isidentifier() else json.dumps(name)}{'' if needed else '?'}: {_typescript(schema)}"


def _typescript(schema: dict[str, Any]) -> str:
    """The type that a schema is in TypeScript."""
    kind = schema.get("type")
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema or "oneOf" in schema:
        return " | ".join(map(_typescript, schema.get("anyOf") or schema["oneOf"]))
    if isinstance(kind, list):
        return " | ".join(_typescript({**schema, "type": each}) for each in kind)
    if "enum" in schema and kind == "string":
        return " | ".join(map(json.dumps, schema["enum"]))
    if kind == "array":
        return f"({_typescript(schema['items'])})[]"
    if kind == "object":
        return f"{{ [name: string]: {_typescript(schema.get('additionalProperties') or {})} }}"
    return {"integer": "number", None: "any"}.get(kind, str(kind))


def _wrapped(text: str, width: int = 105) -> str:
    lines: list[str] = [""]
    for word in text.replace("\\", "\\\\").split():
        if len(lines[-1]) + len(word) > width:
            lines.append("   ")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


if __name__ == "__main__":
    document = description()
    PYTHON.write_text(python(document["components"]["schemas"]), "utf-8")
    TYPESCRIPT.write_text(typescript(document), "utf-8")
