// Keyboard focus stays where a person was, although what they pressed goes away.
import { useEffect, useLayoutEffect, useRef } from "react";

/** `useLayoutEffect`, silent where a page is made on the server. */
export const useLayout = typeof window === "undefined" ? useEffect : useLayoutEffect;

const ASTRAY = "[data-interrupt] [data-ak-home], [data-ak-composer]";

/**
 * Spread the result on a part that has buttons: when the focused one is removed, `home` is focused. When the whole
 * part goes (outside a dialog, which looks after that itself), the next request or the composer is.
 */
export function useFocusHome(home) {
  const last = useRef(null);
  useLayout(() => {
    if (!last.current || last.current.isConnected) return;
    last.current = null;
    const now = document.activeElement;
    if (!now || now.contains(home.current)) home.current?.focus({ preventScroll: true });
  });
  useLayout(
    () => () => {
      const held = last.current;
      if (!held || held !== document.activeElement || held.closest("[role=alertdialog]")) return;
      queueMicrotask(() => {
        if (document.activeElement === document.body) document.querySelector(ASTRAY)?.focus({ preventScroll: true });
      });
    },
    [],
  );
  return {
    onFocus: (event) => {
      last.current = event.target;
    },
    onBlur: (event) => {
      if (event.relatedTarget) last.current = null;
    },
  };
}
