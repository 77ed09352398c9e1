// What a person changed, by place: two JSON texts compared, and a change taken back.
import { canonical, read, slice, step } from "./exact.js";
import { at, changedAt } from "./paths.js";

const written = (keys) => keys.reduce((path, key) => (typeof key === "number" ? `${path}[${key}]` : step(path, key)), "");

const fields = (node) => new Map((node.children ?? []).map(({ children: [key, value] }) => [key.value, value]));

/**
 * The changes from one JSON text to another, in the order of the text: `{keys, path, kind, before, after}`. `kind` is
 * `changed`, `added` or `removed`; `before` and `after` are `{text, words}`, `words` only of a text, or undefined. What
 * was added or removed is told as a whole, at its outermost place.
 */
export function changes(beforeText, afterText) {
  const found = [];
  const side = (text, node) => node && { text: slice(text, node), words: node.type === "string" ? node.value : undefined };
  const add = (keys, left, right) => {
    const kind = !left ? "added" : right ? "changed" : "removed";
    found.push({ keys, path: written(keys), kind, before: side(beforeText, left), after: side(afterText, right) });
  };
  const same = (left, right) => canonical(beforeText, left) === canonical(afterText, right);
  const visit = (left, right, keys) => {
    if (!left || !right) return add(keys, left, right);
    if (same(left, right)) return undefined;
    if (left.type === "object" && right.type === "object") return objects(left, right, keys);
    if (left.type === "array" && right.type === "array") return lists(left.children ?? [], right.children ?? [], keys);
    return add(keys, left, right);
  };
  const objects = (left, right, keys) => {
    const [olds, news] = [fields(left), fields(right)];
    for (const name of new Set([...olds.keys(), ...news.keys()])) visit(olds.get(name), news.get(name), [...keys, name]);
  };
  // What is the same at both ends is left aside, so that an entry taken out does not change all that follow it.
  const lists = (olds, news, keys) => {
    const least = Math.min(olds.length, news.length);
    let first = 0;
    while (first < least && same(olds[first], news[first])) first += 1;
    let last = 0;
    while (last < least - first && same(olds[olds.length - 1 - last], news[news.length - 1 - last])) last += 1;
    const [gone, come] = [olds.slice(first, olds.length - last), news.slice(first, news.length - last)];
    for (let index = 0; index < Math.max(gone.length, come.length); index += 1) visit(gone[index], come[index], [...keys, first + index]);
  };
  visit(read(beforeText || "null").root, read(afterText || "null").root, []);
  return found;
}

/** `value` without one change; `original` is what was proposed. Both are in the form's own terms. */
export function takenBack(value, original, { keys, kind }) {
  if (!keys.length) return original;
  return changedAt(value, keys, (holder, key) => {
    if (Array.isArray(holder)) holder.splice(key, kind === "removed" ? 0 : 1, ...(kind === "added" ? [] : [at(original, keys)]));
    else if (kind === "added") delete holder[key];
    else Object.defineProperty(holder, key, { value: at(original, keys), configurable: true, enumerable: true, writable: true });
  });
}

const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
/** Texts with more different words than this are shown one after the other. */
const MOST_WORDS = 700;

function common(left, right) {
  let first = 0;
  while (first < left.length && first < right.length && left[first] === right[first]) first += 1;
  let last = 0;
  while (last < left.length - first && last < right.length - first && left[left.length - 1 - last] === right[right.length - 1 - last]) last += 1;
  return [first, last];
}

/** The longest row of words that both have, as a table of lengths. */
function shared(left, right) {
  const table = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let a = left.length - 1; a >= 0; a -= 1)
    for (let b = right.length - 1; b >= 0; b -= 1) table[a][b] = left[a] === right[b] ? table[a + 1][b + 1] + 1 : Math.max(table[a + 1][b], table[a][b + 1]);
  return table;
}

/** Two texts as one row of `[kind, words]`; `kind` is `same`, `gone` or `come`. */
export function wordChanges(before, after) {
  const left = before.match(WORDS) ?? [];
  const right = after.match(WORDS) ?? [];
  const [first, last] = common(left, right);
  const [gone, come] = [left.slice(first, left.length - last), right.slice(first, right.length - last)];
  const runs = [];
  const add = (kind, words) => {
    const text = words.join("");
    if (!text) return;
    if (runs.at(-1)?.[0] === kind) runs.at(-1)[1] += text;
    else runs.push([kind, text]);
  };
  add("same", left.slice(0, first));
  if (gone.length > MOST_WORDS || come.length > MOST_WORDS) {
    add("gone", gone);
    add("come", come);
  } else {
    const table = shared(gone, come);
    let [a, b] = [0, 0];
    while (a < gone.length || b < come.length) {
      if (a < gone.length && b < come.length && gone[a] === come[b]) {
        add("same", [gone[a]]);
        a += 1;
        b += 1;
      } else if (a < gone.length && (b === come.length || table[a + 1][b] >= table[a][b + 1])) add("gone", [gone[a++]]);
      else add("come", [come[b++]]);
    }
  }
  add("same", left.slice(left.length - last));
  return joined(runs);
}

/** Runs that only blanks hold apart as one: a text that was written anew is not woven into the old one. */
function joined(runs) {
  const found = [];
  let [gone, come] = ["", ""];
  const close = () => {
    if (gone) found.push(["gone", gone]);
    if (come) found.push(["come", come]);
    [gone, come] = ["", ""];
  };
  runs.forEach(([kind, text], place) => {
    const between = kind === "same" && (gone || come) && !text.trim() && place < runs.length - 1;
    if (kind === "same" && !between) {
      close();
      found.push([kind, text]);
    } else {
      if (kind !== "come") gone += text;
      if (kind !== "gone") come += text;
    }
  });
  close();
  return found;
}
