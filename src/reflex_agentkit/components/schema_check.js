// A text checked against a JSON Schema while it is typed. The server checks again; here a doubt is no error.
import { Validator } from "@cfworker/json-schema";
import { canonical, faults, find, place, read, slice } from "./exact.js";

const DRAFTS = [
  ["draft-04", "4"],
  ["draft-07", "7"],
  ["2019-09", "2019-09"],
];
/** Keywords that only say "see further in". */
const OUTER = ["properties", "patternProperties", "items", "prefixItems", "additionalItems", "$ref", "$dynamicRef", "$recursiveRef", "allOf", "if", "dependentSchemas"];
/** Keywords with a sentence of their own; `{limit}` is the schema's value. */
const KNOWN = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "pattern", "format", "const", "multipleOf", "uniqueItems"];
const MOST = 20;

const draftOf = (schema) => DRAFTS.find(([name]) => String(schema?.$schema ?? "").includes(name))?.[1] ?? "2020-12";

/** A pattern that repeats a group can take forever on a hostile text: the server, which has a limit, checks those. */
const risky = (pattern) => pattern.length > 200 || /\)[+*?{]/.test(pattern) || (pattern.match(/[+*}]/g) ?? []).length > 6;

function tamed(schema) {
  if (Array.isArray(schema)) return schema.map(tamed);
  if (!schema || typeof schema !== "object") return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !(key === "pattern" && typeof value === "string" && risky(value)));
  return Object.fromEntries(kept.filter(([key]) => key !== "patternProperties").map(([key, value]) => [key, tamed(value)]));
}

/** A checker for a schema given as JSON text; null where there is nothing that can be checked here. */
export function checker(schemaText) {
  try {
    const schema = tamed(JSON.parse(schemaText || "{}"));
    if (!schema || typeof schema !== "object" || !Object.keys(schema).length) return null;
    return { schema, validator: new Validator(schema, draftOf(schema), false) };
  } catch {
    return null;
  }
}

const tokens = (pointer) =>
  pointer
    .replace(/^#\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => decodeURI(part).replaceAll("~1", "/").replaceAll("~0", "~"));

/** The schema's value at a keyword location, through its references. */
function limitAt(schema, location) {
  let node = schema;
  for (const part of tokens(location)) {
    node = part === "$ref" ? tokens(node?.$ref ?? "").reduce((inner, key) => inner?.[key], schema) : node?.[part];
    if (node === undefined) return undefined;
  }
  return node;
}

const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function sentence({ keyword, keywordLocation, instance }, schema, types) {
  const limit = limitAt(schema, keywordLocation);
  if (keyword === "type") return ["type", { expected: [...types] }];
  if (keyword === "required") {
    const missing = (limit ?? []).filter((name) => !(instance && Object.hasOwn(instance, name)));
    return ["required", { name: missing.join(", "), names: missing }];
  }
  if (keyword === "enum") return ["enum", { limit: (limit ?? []).map(shown).join(", ") }];
  if (keyword === "false") return ["unknown", {}];
  if (KNOWN.includes(keyword)) return [keyword, { limit: shown(limit) }];
  return ["other", { keyword }];
}

function valueAt(value, keys) {
  return keys.reduce((inner, key) => inner?.[key], value);
}

function schemaProblems(text, root, { schema, validator }) {
  const value = JSON.parse(text);
  const errors = validator.validate(value).errors.filter(({ keyword }) => !OUTER.includes(keyword));
  const at = (location) => errors.filter((error) => error.instanceLocation === location);
  const deeper = (location) => errors.some((e) => e.instanceLocation.startsWith(`${location}/`) && e.keyword !== "required");
  const found = [];
  for (const location of new Set(errors.map((error) => error.instanceLocation))) {
    const here = at(location);
    const types = new Set(here.filter((e) => e.keyword === "type").flatMap((e) => limitAt(schema, e.keywordLocation) ?? []));
    const said = new Set();
    const keys = tokens(location);
    for (const error of here) {
      const { keyword } = error;
      const choice = keyword === "anyOf" || keyword === "oneOf";
      if (choice && (types.size || here.length > 1 || deeper(location))) continue;
      if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") continue;
      if (said.has(keyword)) continue;
      said.add(keyword);
      const [kind, values] = sentence({ ...error, instance: valueAt(value, keys) }, schema, types);
      found.push({ kind, values, path: keys, offset: (find(root, keys) ?? root).offset });
    }
  }
  return found;
}

/**
 * `{valid, problems, same}` for a text. A problem is `{kind, values, path, line, column, offset}`; `kind` names a
 * label. `original` is the proposal: `same` says that the values are equal to it.
 */
export function check(text, checks, original) {
  const { root, errors } = read(text);
  const placed = (problem) => ({ values: {}, path: [], ...problem, ...place(text, problem.offset) });
  if (!root) {
    const [first = { code: 4, offset: text.length }] = errors;
    return { valid: false, same: false, problems: [placed({ kind: `syntax.${first.code}`, offset: first.offset })] };
  }
  const problems = faults(text, root).map(({ kind, node, name }) => placed({ kind, values: { name }, offset: node.offset }));
  if (!problems.length && checks) {
    try {
      problems.push(...schemaProblems(text, root, checks).map(placed));
    } catch {
      // A schema that refers to something out of reach, or to itself without end: only the server can tell.
    }
  }
  const proposal = original === undefined ? undefined : read(original);
  const same = !!proposal?.root && canonical(original, proposal.root) === canonical(text, root);
  return { valid: !problems.length, same, problems: problems.slice(0, MOST) };
}

/** A first text for a schema: its defaults, its example, or the bare shape. What has no default stays null. */
export function skeleton(schemaText) {
  let schema;
  try {
    schema = JSON.parse(schemaText || "{}");
  } catch {
    return "";
  }
  if (!schema || typeof schema !== "object") return "";
  const { root } = read(schemaText || "{}");
  const written = (keys) => {
    const node = root && find(root, keys);
    return node ? slice(schemaText, node) : "null";
  };
  if ("default" in schema) return written(["default"]);
  if (schema.type === "array") return "[]";
  if (schema.type !== "object" && !schema.properties) return "";
  const wanted = Object.entries(schema.properties ?? {}).filter(
    ([name, inner]) => (schema.required ?? []).includes(name) || (inner && typeof inner === "object" && "default" in inner),
  );
  if (!wanted.length) return "{}";
  const rows = wanted.map(([name, inner]) => {
    const value = inner && typeof inner === "object" && "default" in inner ? written(["properties", name, "default"]) : "null";
    return `  ${JSON.stringify(name)}: ${value}`;
  });
  return `{\n${rows.join(",\n")}\n}`;
}
