// Whether a person has had the end of a scrolling part in view, and how much lies below.
import { useEffect, useRef, useState } from "react";

const LINE = 22;

/** Put `body` on what scrolls and `end` on an element after what must be seen. `again` restarts the measuring. */
export function useReached(again) {
  const body = useRef(null);
  const end = useRef(null);
  const [reached, setReached] = useState(false);
  const [below, setBelow] = useState(1);
  useEffect(() => {
    const element = body.current;
    const mark = end.current;
    if (!element || !mark) return undefined;
    const measure = () => {
      const away = mark.getBoundingClientRect().bottom - element.getBoundingClientRect().bottom;
      setBelow(Math.max(1, Math.ceil(away / LINE)));
      // Two pixels: at some zooms the last pixel is never reached.
      if (away <= 2) setReached(true);
    };
    setReached(false);
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      sizes.disconnect();
    };
  }, again);
  const more = () => body.current?.scrollBy({ top: body.current.clientHeight * 0.85 });
  return { body, end, reached, below, more };
}
