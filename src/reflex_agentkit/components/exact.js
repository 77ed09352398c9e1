// JSON read by place, so that every value can be shown and sent in the very letters it was written in.
import { parseTree } from "jsonc-parser";

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** `{root, errors}`; an error is `{offset, length, code}` with the parser's number, or code 0: nested too deep. */
export function read(text) {
  const errors = [];
  try {
    const root = parseTree(text, errors, STRICT);
    const list = errors.map(({ error, offset, length }) => ({ code: error, offset, length }));
    return { root: list.length ? undefined : root, errors: list };
  } catch {
    return { root: undefined, errors: [{ code: 0, offset: 0, length: 0 }] };
  }
}

export const slice = (text, node) => text.slice(node.offset, node.offset + node.length);

/** Line and column of an offset, both from 1. */
export function place(text, offset) {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** The text of a value without what does not count: blanks and the order of keys. Numbers stay as written. */
export function canonical(text, node) {
  if (node.type === "array") return `[${(node.children ?? []).map((child) => canonical(text, child)).join(",")}]`;
  if (node.type === "object") {
    const parts = (node.children ?? []).map(({ children: [key, value] }) => [key.value, value ? canonical(text, value) : ""]);
    parts.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${parts.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;
  }
  return node.type === "string" ? JSON.stringify(node.value) : slice(text, node);
}

/** The node at a list of keys, or the deepest one on the way. */
export function find(root, keys) {
  let node = root;
  for (const key of keys) {
    const children = node?.children ?? [];
    const next =
      node?.type === "object" ? children.find((p) => p.children[0].value === key)?.children[1] : children[Number(key)];
    if (!next) return node;
    node = next;
  }
  return node;
}

/** What JSON allows and we cannot keep: a key given twice, a number without end. */
export function faults(text, root) {
  const found = [];
  const visit = (node) => {
    if (node.type === "object") {
      const seen = new Set();
      for (const { children } of node.children ?? []) {
        const [key, value] = children;
        if (seen.has(key.value)) found.push({ kind: "twice", node: key, name: key.value });
        seen.add(key.value);
        if (value) visit(value);
      }
    } else if (node.type === "array") (node.children ?? []).forEach(visit);
    else if (node.type === "number" && !Number.isFinite(Number(slice(text, node)))) found.push({ kind: "large", node });
  };
  visit(root);
  return found;
}

const PLAIN = /^[^\s.[\]"]+$/;

/** A path as a person writes it: `guest.name[2]`, `["a.b"]`. No two paths are written alike. */
export const step = (path, key) => (PLAIN.test(key) ? (path ? `${path}.${key}` : key) : `${path}[${JSON.stringify(key)}]`);
