// Lengths of time in words, and a clock that ticks.
import { useEffect, useState } from "react";

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
