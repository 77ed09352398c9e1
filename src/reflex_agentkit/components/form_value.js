// Values of a form while they are filled in. What a person typed for a number, or as JSON, is kept letter for
// letter behind a mark, so that it reaches the server as it was typed.
import { faults, read, slice } from "./exact.js";

const NUMBER = "\u0000number:";
const JSON_TEXT = "\u0000json:";

/** Whether a value is held as it was typed. */
export const isTyped = (value) => typeof value === "string" && (value.startsWith(NUMBER) || value.startsWith(JSON_TEXT));

/** The JSON text of a number as people type one; undefined where it is none. */
export function numberText(typed) {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(typed.trim());
  if (!parts || (!parts[2] && !parts[3])) return undefined;
  const whole = parts[2].replace(/^0+(?=\d)/, "") || "0";
  return (parts[1] === "-" ? "-" : "") + whole + (parts[3] ? `.${parts[3]}` : "") + (parts[4] ? `e${parts[4]}` : "");
}

/** What is wrong with a number as it was typed: the kind of a problem, or undefined. */
export function numberFault(typed) {
  const text = numberText(typed);
  if (text === undefined) return "number";
  return Number.isFinite(Number(text)) ? undefined : "large";
}

const isNumber = (text) => /^-?\d/.test(text) && String(Number(text)) === text;

/** A number that JavaScript can hold as it was written, or the writing itself. */
export const numberOf = (text) => (isNumber(text) ? Number(text) : NUMBER + text);
export const jsonOf = (text) => JSON_TEXT + text;

/** What to show in a field for a value. */
export function typedOf(value) {
  if (value === undefined || value === null) return "";
  return isTyped(value) ? value.slice(value.indexOf(":") + 1) : String(value);
}

/** The value of a JSON text in the form's own terms; undefined where it cannot be read. */
export function fromText(text) {
  const { root } = read(text);
  return root && fromNode(text, root);
}

function fromNode(text, node) {
  const children = node.children ?? [];
  if (node.type === "array") return children.map((child) => fromNode(text, child));
  if (node.type === "object") return Object.fromEntries(children.map(({ children: [key, value] }) => [key.value, fromNode(text, value)]));
  return node.type === "number" ? numberOf(slice(text, node)) : node.value;
}

/** The JSON text of what is marked; undefined where it is none yet. */
function literal(value) {
  const typed = typedOf(value);
  return value.startsWith(NUMBER) ? numberText(typed) : read(typed).root && typed;
}

/** The JSON text of a value. What cannot be read yet stands as null: `unread` tells where that is. */
export function write(value, pad = "") {
  if (value === undefined) return "";
  if (isTyped(value)) return literal(value) ?? "null";
  if (!value || typeof value !== "object") return JSON.stringify(value);
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
    const kind = value.startsWith(NUMBER) ? numberFault(typed) : jsonFault(typed);
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

/** A value for a check in JavaScript: marks become the numbers next to them. */
export function plain(value) {
  if (isTyped(value)) return JSON.parse(literal(value) ?? "null");
  if (Array.isArray(value)) return value.map(plain);
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) => [key, plain(item)]));
}

export const same = (left, right) => left === right || write(left) === write(right);
