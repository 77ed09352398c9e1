// Sentences from labels: the only way that words come onto the screen.
import { useEffect, useMemo, useState } from "react";

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

export const useWords = (labels) => useMemo(() => words(labels), [labels]);

/** The time in milliseconds, again every `every` milliseconds; 0 stops it. */
export function useNow(every) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!every) return undefined;
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** "4 min", "2 h 10 min": a length of time in seconds. */
export function span(t, seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return t.n("time.seconds", whole);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return t.n("time.minutes", minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return t("time.hours", { h: hours, m: minutes % 60 });
  return t.n("time.days", Math.floor(hours / 24));
}

export function ago(t, iso, now) {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return "";
  const seconds = (now - at) / 1000;
  return seconds < 45 ? t("time.now") : t("time.ago", { span: span(t, seconds) });
}
