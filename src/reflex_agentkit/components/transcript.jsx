// The scrolling part of the chat: stays at the newest words unless the person reads further up.
import React, { useEffect } from "react";
import { useStickToBottom } from "use-stick-to-bottom";
import { Icon } from "./icons.jsx";
import { Markdown } from "./markdown_later.jsx";
import { useWords } from "./words.jsx";

const calm = () => typeof window !== "undefined" && window.matchMedia?.("(prefers-reduced-motion: reduce)").matches;

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
  return (
    <div className="ak-transcript" {...rest}>
      <div ref={scrollRef} className="ak-scroll" tabIndex={0} role="log" aria-label={t("transcript.title")}>
        <div ref={contentRef} className="ak-column">
          {earlier > 0 && (
            <button type="button" className="ak-earlier" onClick={() => onEarlier?.()}>
              {t.n("transcript.earlier", earlier)}
            </button>
          )}
          {children}
        </div>
      </div>
      {!isAtBottom && (
        <button type="button" className="ak-latest" onClick={() => scrollToBottom({ animation })}>
          <Icon name="down" size={15} />
          {t("transcript.latest")}
        </button>
      )}
    </div>
  );
}
