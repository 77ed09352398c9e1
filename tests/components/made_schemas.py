"""Schemas in the dialect of tools, and values that fit them or do not, made by Hypothesis."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

from hypothesis import strategies as st

from reflex_agentkit.protocol import json_text

NAMES = st.sampled_from(["a", "b", "city", "nights", "kind", "é", "toString", "__proto__", "x-1", "0"])
NUMBERS = st.one_of(
    st.integers(-5, 12),
    st.sampled_from([0.1, 0.3, 1.0, 2.5, -0.5, 1e21, 1e-7, 3.0]),
    st.sampled_from([9007199254740993, 9007199254740992, -(2**70), 10**25]),
    st.sampled_from(
        [Decimal("12345678901234567.89"), Decimal("0.30000000000000001"), Decimal("9007199254740992.00")]
    ),
)
DATES = ["2026-02-28", "2026-02-30", "2024-02-29", "0000-01-01", "20260228", "2026-2-8", "2026-12-31 "]
TIMES = ["18:30", "18:30:00", "24:00", "18:30:00Z", "18:30:00.5+01:00", "18:30:60", "6:30", "18:30:00+0100"]
ZONED = [
    "2026-02-28T10:00:00Z",
    "2026-02-28t10:00:00.5+01:00",
    "2026-02-28 10:00Z",
    "2026-02-28T10:00:00",
    "2026-02-29T10:00:00Z",
    "2026-02-28T25:00:00Z",
]
MAILS = [
    "a@b",
    "a.b+c@x.test",
    "a@",
    "@b",
    "a b@c.test",
    "a@b@c",
    "é@ü.test",
    "a@b..c",
    "a@b\u00a0c",
    "a\u200b@b",
]
ADDRESSES = [
    "https://x.test/a?b=c#d",
    "mailto:a@x.test",
    "mailto:",
    "file:///x",
    "x:?q",
    "/a",
    "http://[::1]:80/",
    "http://[",
    "http://a b",
    "http://é.test",
    "1x:y",
    "urn:a:b",
    "http://u@h:8/x[1]",
    "//x",
]
IDS = [
    "123e4567-e89b-12d3-a456-426614174000",
    "123E4567-e89b-12d3-a456-42661417400",
    "123e4567e89b12d3a456426614174000",
]
PATTERNS = [
    "^[a-z]+$",
    "^\\d{2,3}$",
    "^\\w+$",
    "\\bfoo\\b",
    "^(a|aa)+$",
    "^(a+)+$",
    "^a.b$",
    "^\\p{L}+$",
    "^[^@\\s]+@[^@\\s]+$",
    "^[A-Z]{3}(?:-\\d+)?$",
    "x{0,2}y",
    "^(?=.*\\d)(?=.*[a-z]).{3,}$",
    "^(?!no).*$",
    "[\\u00e0-\\u00ff]",
    "é",
    "\\.",
    "a|b|",
    "^$",
    "^[\\w.\\-_]+$",
    "(?P<year>\\d{4})",
    "\\S+\\s\\S",
    "[\\]x]",
    "^\\$",
    "{",
    "^[a-]$",
    "\\u{1F600}",
    "a{2}b{1,}",
    "\\D",
    "[^\\d]",
    "\\W$",
    "\\Aa\\Z",
    # What neither side takes.
    "(",
    "a**",
    "(a)\\1",
    "(?<=a)b",
    "(?i)a",
    "[z-a]",
    "a++",
    "\\q",
    "[]",
    "\\p{Greek}",
    "x{3,1}",
]
TEXTS = st.one_of(
    st.sampled_from(
        ["", "a", "aa", "aaab", "a\nb", "abc", "12", "123", "ABC-7", "foo bar", "nope", "a@b.c", "é", "😀"]
    ),
    st.sampled_from(
        ["a\n", "\n", "٣", "x\u2028y", "\u00a0", "a" * 40 + "!", "\u0000number:5", "true", "1", "\ud83d"]
    ),
    st.sampled_from([*DATES, *TIMES, *ZONED, *MAILS, *ADDRESSES, *IDS]),
    st.text(max_size=6),
)
FORMATS = ["date", "time", "date-time", "email", "uri", "uuid", "ipv4", "int32", "binary"]
FITTING = {"date": DATES, "time": TIMES, "date-time": ZONED, "email": MAILS, "uri": ADDRESSES, "uuid": IDS}


# Numbers that Hypothesis draws lean to their ends; what is drawn of a list does not.
RARELY = st.sampled_from([False] * 9 + [True])


def _some(draw: Any, choices: dict[str, st.SearchStrategy[Any]], most: int = 2) -> dict[str, Any]:
    least = 0 if draw(RARELY) else 1
    names = draw(st.lists(st.sampled_from(sorted(choices)), unique=True, min_size=least, max_size=most))
    return {name: draw(choices[name]) for name in names}


COUNTS = st.integers(0, 3)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)


@st.composite
def texts(draw: Any) -> dict[str, Any]:
    extra = {"minLength": COUNTS, "maxLength": COUNTS, "pattern": st.sampled_from(PATTERNS)}
    return {"type": "string", **_some(draw, extra | {"format": st.sampled_from(FORMATS)})}


@st.composite
def numbers(draw: Any) -> dict[str, Any]:
    limits = dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), NUMBERS)
    steps = st.sampled_from([0.01, 0.1, 1, 2, 2.5, 3, 10**16, Decimal("0.00000000000000000001")])
    return {
        "type": draw(st.sampled_from(["integer", "number"])),
        **_some(draw, limits | {"multipleOf": steps}),
    }


def choices() -> st.SearchStrategy[dict[str, Any]]:
    listed = st.lists(st.one_of(SCALARS, VALUES), min_size=1, max_size=4)
    return st.one_of(listed.map(lambda values: {"enum": values}), SCALARS.map(lambda value: {"const": value}))


@st.composite
def objects(draw: Any, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    properties = draw(st.dictionaries(NAMES, inner, max_size=4))
    made: dict[str, Any] = {"type": "object", "properties": properties}
    if properties:
        made["required"] = draw(st.lists(st.sampled_from(sorted(properties)), unique=True))
    extra = {
        "additionalProperties": st.one_of(st.booleans(), inner),
        "patternProperties": st.dictionaries(st.sampled_from(PATTERNS[:12]), inner, min_size=1, max_size=2),
        "propertyNames": texts(),
        "minProperties": COUNTS,
        "maxProperties": COUNTS,
        "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, unique=True, max_size=2), max_size=2),
        "dependentSchemas": st.dictionaries(NAMES, inner, max_size=1),
        "unevaluatedProperties": st.booleans(),
    }
    return made | _some(draw, extra)


@st.composite
def arrays(draw: Any, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    extra = {
        "items": st.one_of(inner, st.booleans()),
        "prefixItems": st.lists(inner, min_size=1, max_size=2),
        "minItems": COUNTS,
        "maxItems": COUNTS,
        "uniqueItems": st.booleans(),
        "contains": inner,
        "unevaluatedItems": st.booleans(),
    }
    return {"type": "array", **_some(draw, extra, 3)}


@st.composite
def unions(draw: Any, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    kind = draw(st.sampled_from(["optional", "anyOf", "oneOf", "allOf", "marked", "types", "not", "if"]))
    if kind == "optional":
        return {"anyOf": [draw(inner), {"type": "null"}], "default": None}
    if kind == "types":
        names = ["string", "integer", "number", "boolean", "null", "object", "array"]
        return {"type": draw(st.lists(st.sampled_from(names), unique=True, min_size=1, max_size=3))}
    if kind == "marked":
        forms = [
            {
                "type": "object",
                "properties": {"kind": {"const": name}, "a": draw(inner)},
                "required": ["kind"],
            }
            for name in ("a", "b")
        ]
        return {"oneOf": forms, "discriminator": {"propertyName": "kind"}}
    if kind == "not":
        return {"not": draw(inner)}
    if kind == "if":
        return {"if": draw(inner), "then": draw(inner), "else": draw(inner)}
    return {kind: draw(st.lists(inner, min_size=1, max_size=3))}


def _schemas() -> st.SearchStrategy[Any]:
    references = st.sampled_from([{"$ref": "#/$defs/Tree"}, {"$ref": "#/$defs/Date", "title": "When"}])
    odd = st.sampled_from(
        [True, {}, {"$ref": "#/$defs/none"}, {"type": "sandwich"}, {"minimum": "1"}, {"title": 5}]
    )
    plain = st.one_of(
        texts(), numbers(), choices(), references, st.just({"type": "boolean"}), st.just({"type": "null"})
    )
    return st.recursive(
        st.one_of(*[plain] * 12, odd),
        lambda inner: st.one_of(objects(inner), arrays(inner), unions(inner)),
        max_leaves=6,
    )


DEFS = {
    "Tree": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
        "required": ["a"],
    },
    "Date": {"type": "string", "format": "date"},
}
OLD = "http://json-schema.org/draft-07/schema#"


@st.composite
def _fitting(draw: Any, schema: Any, depth: int = 0) -> Any:
    """A value that was made with the schema in mind; now and then it is something else."""
    if depth > 5 or not isinstance(schema, dict) or draw(RARELY):
        return draw(VALUES)
    if "$ref" in schema:
        return draw(_fitting(DEFS.get(schema["$ref"].rsplit("/", 1)[-1], {}), depth + 1))
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema:
            return draw(_fitting(draw(st.sampled_from(schema[keyword])), depth + 1))
    if "enum" in schema or "const" in schema:
        value = draw(st.sampled_from(schema.get("enum", [schema.get("const")])))
        return draw(_beside(value)) if isinstance(value, int | float | Decimal) else value
    match schema.get("type"):
        case "object":
            return draw(_object(schema, depth))
        case "array":
            item = schema.get("items", True)
            if (
                schema.get("uniqueItems")
                and isinstance(item, dict)
                and item.get("type") in ("integer", "number")
            ):
                number = draw(NUMBERS)
                return [draw(_beside(number)) for _ in range(draw(COUNTS))]
            firsts = [draw(_fitting(one, depth + 1)) for one in schema.get("prefixItems", [])]
            return firsts + [draw(_fitting(item, depth + 1)) for _ in range(draw(COUNTS))]
        case "string":
            return draw(
                st.sampled_from(FITTING[schema["format"]]) if schema.get("format") in FITTING else TEXTS
            )
        case "integer" | "number":
            return draw(_near(schema))
        case "boolean":
            return draw(st.booleans())
        case "null":
            return None
    return draw(VALUES)


LIMITS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
STEPS = [0, 1, -1, Decimal("0.00000000000000000001"), Decimal("-0.00000000000000000001"), Decimal("0.5")]


@st.composite
def _near(draw: Any, schema: dict[str, Any]) -> Any:
    """A number; where there is a limit, mostly one that lies at it, or so close that a float cannot tell."""
    limits = [schema[name] for name in LIMITS if name in schema]
    if not limits or draw(RARELY):
        return draw(NUMBERS)
    return draw(_beside(draw(st.sampled_from(limits))))


@st.composite
def _beside(draw: Any, number: Any) -> Any:
    """The number, or one beside it; true and false stay what they are."""
    if isinstance(number, bool):
        return number
    plain = Decimal(repr(number) if isinstance(number, float) else number)
    with localcontext(prec=60):
        return json_text.read(format(plain + draw(st.sampled_from(STEPS)), "f"))


@st.composite
def _object(draw: Any, schema: dict[str, Any], depth: int) -> dict[str, Any]:
    required = schema.get("required", [])
    found = {
        name: draw(_fitting(inner, depth + 1))
        for name, inner in schema.get("properties", {}).items()
        if (name in required and not draw(RARELY)) or draw(st.booleans())
    }
    return found | draw(st.dictionaries(NAMES, SCALARS, max_size=1 if draw(st.booleans()) else 0))


@st.composite
def pairs(draw: Any) -> dict[str, Any]:
    """`schema` and `value` as JSON texts; `args` where they are a tool's and its arguments."""
    # Half of them look at one thing alone: in a large schema something else is mostly wrong too.
    leaf = st.one_of(texts(), numbers(), choices())
    small = draw(st.booleans())
    args = not small and draw(st.booleans())
    if small:
        kinds = [texts(), texts(), numbers(), numbers(), choices(), arrays(leaf), objects(leaf), unions(leaf)]
        schema = draw(draw(st.sampled_from(kinds)))
    else:
        schema = draw(objects(_schemas()) if args else _schemas())
    value = draw(_fitting(schema))
    if isinstance(schema, dict):
        schema = schema | {"$defs": DEFS}
        if draw(RARELY):
            schema["$schema"] = OLD
    return {
        "schema": json_text.write(schema),
        "value": json_text.write(value),
        "args": args and isinstance(value, dict),
    }


HARD: list[tuple[str, str]] = [
    ('{"maximum": 9007199254740992}', "9007199254740993"),
    ('{"minimum": 0.3}', "0.29999999999999999"),
    ('{"maximum": 12345678901234567.89}', "12345678901234567.90"),
    ('{"multipleOf": 0.01}', "12345678901234567.891"),
    ('{"multipleOf": 0.1}', "0.3"),
    ('{"const": 9007199254740992}', "9007199254740993"),
    ('{"enum": [1.0]}', "1"),
    ('{"enum": [1]}', "true"),
    ('{"uniqueItems": true}', "[9007199254740992, 9007199254740993]"),
    ('{"type": "integer"}', "9007199254740992.5"),
    ('{"type": "number"}', "1e-6000"),
    ('{"maxLength": 1}', '"😀"'),
    ('{"pattern": "^\\\\d$"}', '"٣"'),
    ('{"pattern": "^a$"}', '"a\\n"'),
    ('{"pattern": "^(a+)+$"}', '"' + "a" * 40 + '!"'),
    ('{"format": "date"}', '"2026-02-29"'),
    ('{"type": "string"}', '"\\u0000number:5"'),
    ('{"properties": {"a": {"$ref": "https://example.test/"}}}', '{"a": 1}'),
    ('{"$ref": "#"}', "1"),
]
"""Where a browser that reckons as browsers do would come to another verdict."""


def hard_pairs() -> list[dict[str, Any]]:
    return [{"schema": schema, "value": value, "args": False} for schema, value in HARD]


def text_pairs() -> list[dict[str, Any]]:
    """Every format and every pattern with texts that lie at its edge."""
    edge = [
        "",
        "a",
        "aa",
        "aaab",
        "a\nb",
        "abc",
        "12",
        "123",
        "ABC-7",
        "foo bar",
        "nope",
        "a@b.c",
        "é",
        "😀",
        "a\n",
        "٣",
        "aa\n",
    ]
    edge += [
        "x\u2028y",
        "\u00a0",
        "a\rb",
        "a1",
        "ab1",
        "2026",
        "{",
        "$",
        "a-",
        "xxy",
        "aab",
        "_",
        "]",
        "a.b",
        "\x1c",
        "\ufeff",
    ]
    schemas = [({"format": name}, texts) for name, texts in FITTING.items()]
    schemas += [({"pattern": pattern}, edge) for pattern in PATTERNS]
    return [
        {"schema": json_text.write(schema), "value": json_text.write(text), "args": False}
        for schema, texts in schemas
        for text in texts
    ]


def servers_verdict(pair: dict[str, Any]) -> list[str]:
    """What the server says is wrong."""
    from reflex_agentkit.protocol.schema import check, check_args

    schema, value = json_text.read(pair["schema"]), json_text.read(pair["value"])
    return [problem.message for problem in (check_args if pair["args"] else check)(value, schema)]
