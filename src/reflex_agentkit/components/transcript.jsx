// The scrolling part of the chat: stays at the newest words unless the person reads further up.
import React, { useEffect, useRef } from "react";
import { useStickToBottom } from "use-stick-to-bottom";
import { useLayout } from "./focus.js";
import { Icon } from "./icons.jsx";
import { Markdown } from "./markdown_later.jsx";
import { useWords } from "./words.jsx";

const calm = () => typeof window !== "undefined" && window.matchMedia?.("(prefers-reduced-motion: reduce)").matches;

/** Older messages come in above what is being read: call the result before, and what was in view stays there. */
function useKeptPlace(scroll, earlier) {
  const before = useRef(null);
  useLayout(() => {
    const log = scroll.current;
    const held = before.current;
    before.current = null;
    if (!log || !held || earlier >= held.earlier) return;
    log.scrollTop = held.top + log.scrollHeight - held.height;
    if (document.activeElement === document.body) log.focus({ preventScroll: true });
  }, [earlier]);
  return () => {
    const { scrollHeight: height, scrollTop: top } = scroll.current;
    before.current = { earlier, height, top };
  };
}

export function Transcript({ children, earlier, onEarlier, labels, ...rest }) {
  const t = useWords(labels);
  const animation = calm() ? "instant" : "smooth";
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useStickToBottom({
    initial: "instant",
    resize: "instant",
  });
  useEffect(() => {
    Markdown.preload();
  }, []);
  const kept = useKeptPlace(scrollRef, earlier);
  const older = () => {
    kept();
    onEarlier?.();
  };
  const latest = () => {
    scrollToBottom({ animation });
    scrollRef.current?.focus({ preventScroll: true });
  };
  return (
    <div className="ak-transcript" {...rest}>
      <div ref={scrollRef} className="ak-scroll" tabIndex={0} role="log" aria-label={t("transcript.title")}>
        <div ref={contentRef} className="ak-column">
          {earlier > 0 && (
            <button type="button" className="ak-earlier" onClick={older}>
              {t.n("transcript.earlier", earlier)}
            </button>
          )}
          {children}
        </div>
      </div>
      {!isAtBottom && (
        <button type="button" className="ak-latest" onClick={latest}>
          <Icon name="down" size={15} />
          {t("transcript.latest")}
        </button>
      )}
    </div>
  );
}
