"""Contents between AG-UI and the SDK: text, images, files, sound."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

from ag_ui.core import (
    AudioPart,
    ContentPart,
    DataSource,
    DocumentPart,
    FileSource,
    ImagePart,
    TextPart,
    UrlSource,
)

Content: TypeAlias = str | list[ContentPart]
Parts: TypeAlias = str | list[dict[str, Any]]
"""A content as the SDK sends it to a model: a text, or `input_text`, `input_image` ... parts."""

_DATA = "data:"


def given(content: Content) -> Parts:
    """An AG-UI content as the SDK takes it. What no model can be given becomes a text that says so."""
    if isinstance(content, str):
        return content
    return [_given(part) for part in content]


def shown(output: Any) -> Content:
    """A tool's output, as the SDK sends it to the model, as an AG-UI content; texts alone are one text."""
    if not isinstance(output, list):
        return output if isinstance(output, str) else str(output)
    parts = [_shown(cast("dict[str, Any]", part)) for part in cast("list[Any]", output)]
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    return "\n".join(texts) if len(texts) == len(parts) else parts


def text_of(content: Content) -> str:
    """What can be read of a content."""
    if isinstance(content, str):
        return content
    return "".join(part.text for part in content if isinstance(part, TextPart))


def _given(part: ContentPart) -> dict[str, Any]:
    match part:
        case TextPart():
            return {"type": "input_text", "text": part.text}
        case ImagePart(source=FileSource(value=value)):
            return {"type": "input_image", "file_id": value, "detail": "auto"}
        case ImagePart(source=source):
            return {"type": "input_image", "image_url": _url(source), "detail": "auto"}
        case DocumentPart(source=FileSource(value=value)):
            return {"type": "input_file", "file_id": value}
        case DocumentPart(source=UrlSource(value=value)) if not value.startswith(_DATA):
            return {"type": "input_file", "file_url": value}
        case DocumentPart(source=source):
            return {"type": "input_file", "file_data": _url(source), "filename": _name(part)}
        case AudioPart(source=DataSource(value=value, mime_type=kind)):
            sound = {"data": value, "format": kind.rpartition("/")[2]}
            return {"type": "input_audio", "input_audio": sound}
        case _:
            return {"type": "input_text", "text": f"[{part.type}: this model cannot be given it]"}


def _shown(part: dict[str, Any]) -> ContentPart:
    kind = part.get("type")
    if kind == "input_text":
        return TextPart(text=part["text"])
    made = ImagePart if kind == "input_image" else DocumentPart
    if file_id := part.get("file_id"):
        return made(source=FileSource(value=file_id))
    named = {"filename": part["filename"]} if part.get("filename") else None
    address = part.get("image_url") or part.get("file_url") or part.get("file_data") or ""
    return made(source=_source(address), metadata=named)


def _url(source: Any) -> str:
    if isinstance(source, DataSource):
        return f"{_DATA}{source.mime_type};base64,{source.value}"
    return source.value


def _source(address: str) -> UrlSource | DataSource:
    if address.startswith(_DATA):
        kind, found, value = address.removeprefix(_DATA).partition(";base64,")
        if found:
            return DataSource(value=value, mime_type=kind or "application/octet-stream")
        return UrlSource(value=address)
    if "://" in address:
        return UrlSource(value=address)
    return DataSource(value=address, mime_type="application/octet-stream")


def _name(part: DocumentPart) -> str:
    named: Any = part.metadata
    found: Any = cast("dict[str, Any]", named).get("filename") if isinstance(named, dict) else None
    return found if isinstance(found, str) and found else "document"
