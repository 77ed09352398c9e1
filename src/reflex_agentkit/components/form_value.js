// Values of a form while they are filled in: from JSON text and back, and what of them cannot be sent yet.
import { faults, read, slice } from "./exact.js";
import { isTyped, isTypedJson, isTypedNumber, lettersOf, numberFault, numberOf, numberText, textOf, typedOf } from "./marks.js";

export { isTyped, jsonOf, lettersOf, numberFault, numberOf, numberText, textOf, typedOf } from "./marks.js";

/** The value of a JSON text in the form's own terms; undefined where it cannot be read. */
export function fromText(text) {
  const { root } = read(text);
  return root && fromNode(text, root);
}

export function fromNode(text, node) {
  const children = node.children ?? [];
  if (node.type === "array") return children.map((child) => fromNode(text, child));
  if (node.type === "object") return Object.fromEntries(children.map(({ children: [key, value] }) => [key.value, fromNode(text, value)]));
  if (node.type === "number") return numberOf(slice(text, node));
  return node.type === "string" ? textOf(node.value) : node.value;
}

/** The JSON text of what is marked; undefined where it is none yet. */
function literal(value) {
  const typed = typedOf(value);
  return isTypedNumber(value) ? numberText(typed) : read(typed).root && typed;
}

/** The JSON text of a value. What cannot be read yet stands as null: `unread` tells where that is. */
export function write(value, pad = "") {
  if (value === undefined) return "";
  if (isTyped(value)) return literal(value) ?? "null";
  if (!value || typeof value !== "object") return JSON.stringify(lettersOf(value));
  const inner = `${pad}  `;
  const rows = Array.isArray(value)
    ? value.map((item) => inner + (write(item, inner) || "null"))
    : Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${write(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return rows.length ? `${open}\n${rows.join(",\n")}\n${pad}${close}` : open + close;
}

/** `{path, kind}` of every value that was typed and cannot be sent. */
export function unread(value, path = []) {
  if (isTyped(value)) {
    const typed = typedOf(value);
    const kind = isTypedJson(value) ? jsonFault(typed) : numberFault(typed);
    return kind ? [{ path, kind, values: {} }] : [];
  }
  if (!value || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) => unread(item, [...path, key]));
}

function jsonFault(typed) {
  const { root, errors } = read(typed);
  if (!root) return `syntax.${errors[0]?.code ?? 4}`;
  return faults(typed, root)[0]?.kind;
}

/** A value for a check: what was typed as JSON becomes what it says; numbers keep their digits. */
export function settled(value) {
  if (isTypedJson(value)) return fromText(typedOf(value)) ?? null;
  if (isTypedNumber(value)) return numberText(typedOf(value)) === undefined ? null : value;
  if (Array.isArray(value)) return value.map((item) => settled(item) ?? null);
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) => [key, settled(item)]));
}

/** A value as JavaScript has it: marks become the numbers next to them. */
export function plain(value) {
  if (isTyped(value)) return JSON.parse(literal(value) ?? "null");
  if (Array.isArray(value)) return value.map(plain);
  if (!value || typeof value !== "object") return lettersOf(value);
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) => [key, plain(item)]));
}

export const same = (left, right) => left === right || write(left) === write(right);
