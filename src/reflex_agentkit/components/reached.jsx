// Whether a person has had the end of a scrolling part in view, and how much lies below.
import { useEffect, useRef, useState } from "react";

const LINE = 22;

const scrolls = (element) => getComputedStyle(element).overflowY !== "visible";

function* outwards(element) {
  for (let here = element; here; here = here.parentElement) yield here;
}

/** The lowest line that is not cut off by a part that scrolls, nor by the window. */
function lowest(element) {
  let bottom = window.innerHeight;
  for (const here of outwards(element))
    if (here !== document.body && here !== document.documentElement && scrolls(here))
      bottom = Math.min(bottom, here.getBoundingClientRect().bottom);
  return bottom;
}

/** The nearest part that can still be scrolled down. */
function scroller(element) {
  for (const here of outwards(element))
    if (scrolls(here) && here.scrollHeight - here.scrollTop - here.clientHeight > 2) return here;
  return document.scrollingElement;
}

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
      const away = mark.getBoundingClientRect().bottom - lowest(element);
      setBelow(Math.max(1, Math.ceil(away / LINE)));
      // Two pixels: at some zooms the last pixel is never reached. Without a height nothing is drawn at all.
      if (away <= 2 && element.clientHeight > 0) setReached(true);
    };
    setReached(false);
    measure();
    // Whichever part scrolls: at a high zoom it is not this one.
    const way = { capture: true, passive: true };
    document.addEventListener("scroll", measure, way);
    window.addEventListener("resize", measure);
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => {
      document.removeEventListener("scroll", measure, way);
      window.removeEventListener("resize", measure);
      sizes.disconnect();
    };
  }, again);
  const more = () => {
    const part = scroller(body.current);
    part?.scrollBy({ top: part.clientHeight * 0.85 });
  };
  return { body, end, reached, below, more };
}
