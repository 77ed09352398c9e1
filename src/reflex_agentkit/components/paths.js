// Places inside a value.

/** The value at a list of keys; undefined where there is none. */
export const at = (value, keys) => keys.reduce((inner, key) => (inner && typeof inner === "object" && Object.hasOwn(inner, key) ? inner[key] : undefined), value);

/** A copy with a change at a list of keys; `change(holder, key)` works on a copy of what holds the last key. */
export function changedAt(value, keys, change) {
  const [key, ...rest] = keys;
  const copy = Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value ?? {}));
  if (!rest.length) change(copy, key);
  else Object.defineProperty(copy, key, { value: changedAt(copy[key], rest, change), configurable: true, enumerable: true, writable: true });
  return copy;
}
