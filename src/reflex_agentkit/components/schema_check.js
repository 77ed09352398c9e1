// A text checked against a JSON Schema while it is typed, with the verdict that the server gives.
import { canonical, faults, find, place, read, slice } from "./exact.js";
import { fromNode, fromText } from "./form_value.js";
import { checkOf, closed } from "./json_schema.js";

const MOST = 20;
/** A longer message would be cut off on its way: the connection of a page takes a million bytes. */
const MOST_BYTES = 990_000;

const bytesOf = (text) => new TextEncoder().encode(JSON.stringify(text)).length;

/**
 * A checker for a schema given as JSON text; null where there is none. `args` makes it the schema of a tool's
 * arguments, which may hold no further field.
 */
export function checker(schemaText, args = false) {
  if (!schemaText) return null;
  const schema = fromText(schemaText);
  return checkOf(args ? closed(schema) : schema);
}

/**
 * `{valid, problems, same}` for a text. A problem is `{kind, values, path, line, column, offset}`; `kind` names a
 * label. `original` is the proposal: `same` says that the values are equal to it.
 */
export function check(text, test, original) {
  const { root, errors } = read(text);
  const placed = (problem) => ({ values: {}, path: [], ...problem, ...place(text, problem.offset) });
  if (!root) {
    const [first = { code: 4, offset: text.length }] = errors;
    return { valid: false, same: false, problems: [placed({ kind: `syntax.${first.code}`, offset: first.offset })] };
  }
  const tooLong = text.length > MOST_BYTES / 6 && bytesOf(text) > MOST_BYTES;
  if (tooLong && text !== original) return { valid: false, same: false, problems: [placed({ kind: "bytes", offset: 0 })] };
  const problems = faults(text, root).map(({ kind, node, name }) => placed({ kind, values: { name }, offset: node.offset }));
  if (!problems.length && test) {
    const found = test(fromNode(text, root)).slice(0, MOST);
    problems.push(...found.map((problem) => placed({ ...problem, offset: (find(root, problem.path) ?? root).offset })));
  }
  const proposal = original === undefined ? undefined : read(original);
  const same = !!proposal?.root && canonical(original, proposal.root) === canonical(text, root);
  return { valid: !problems.length, same, problems: problems.slice(0, MOST) };
}

/** A first text for a schema: its defaults, its example, or the bare shape. What has no default stays null. */
export function skeleton(schemaText) {
  const { root } = read(schemaText || "{}");
  if (root?.type !== "object") return "";
  const at = (...keys) => {
    const node = keys.reduce((inner, key) => inner?.children?.find(({ children }) => children?.[0].value === key)?.children[1], root);
    return node && slice(schemaText, node);
  };
  if (at("default") !== undefined) return at("default");
  const schema = fromText(schemaText || "{}");
  if (schema.type === "array") return "[]";
  if (schema.type !== "object" && !schema.properties) return "";
  const names = Object.keys(schema.properties ?? {});
  const required = Array.isArray(schema.required) ? schema.required : [];
  const wanted = names.filter((name) => required.includes(name) || at("properties", name, "default") !== undefined);
  const rows = wanted.map((name) => `  ${JSON.stringify(name)}: ${at("properties", name, "default") ?? "null"}`);
  return rows.length ? `{\n${rows.join(",\n")}\n}` : "{}";
}
