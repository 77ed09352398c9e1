// Sentences from labels: the only way that words come onto the screen.
import { useMemo } from "react";

export function fill(template, values) {
  return String(template ?? "").replace(/\{(\w+)\}/g, (whole, name) =>
    values && name in values ? String(values[name]) : whole,
  );
}

/** `t(key, values)` fills a label, `t.n(key, n)` picks the singular where there is one, `t.number(n)` writes a number. */
export function words(labels) {
  const locale = labels?.locale || undefined;
  const number = (n) => new Intl.NumberFormat(locale).format(n);
  const t = (key, values) => fill(labels?.[key] ?? key, values);
  t.number = number;
  t.n = (key, n, values) => {
    const one = `${key}.one`;
    return t(n === 1 && labels?.[one] !== undefined ? one : key, { ...values, n: number(n) });
  };
  t.time = (iso) => {
    const at = new Date(iso);
    if (Number.isNaN(at.getTime())) return "";
    const today = new Date().toDateString() === at.toDateString();
    const options = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
    return new Intl.DateTimeFormat(locale, options).format(at);
  };
  t.fullTime = (iso) => {
    const at = new Date(iso);
    if (Number.isNaN(at.getTime())) return "";
    return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "medium" }).format(at);
  };
  return t;
}

const made = new WeakMap();
const kinds = [];
const NONE = {};

function equal(left, right) {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}

/** The `t` of these labels. Reflex writes labels anew each time it draws; the same words are the same `t`. */
export function wordsOf(labels = NONE) {
  const known = made.get(labels);
  if (known) return known;
  let kind = kinds.find((one) => equal(one.labels, labels));
  if (!kind) kinds.push((kind = { labels, t: words(labels) }));
  made.set(labels, kind.t);
  return kind.t;
}

export const useWords = (labels) => useMemo(() => wordsOf(labels ?? NONE), [labels]);
