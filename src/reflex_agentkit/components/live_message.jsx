// A message that is being written now, and reasoning in both its lives.
import React, { useState } from "react";
import { useLiveText } from "$/public/external/reflex_agentkit/live/channel_asset/channel.jsx";
import { Icon, Spinner } from "./icons.jsx";
import { Markdown } from "./markdown_later.jsx";
import { Visible } from "./visible.jsx";
import { useWords } from "./words.jsx";

/** What the agent thought, folded: open while it is being written if the person wants so, closed afterwards. */
export function Reasoning({ text, streaming, labels }) {
  const t = useWords(labels);
  const [open, setOpen] = useState(false);
  return (
    <details className="ak-reasoning" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {streaming ? <Spinner /> : <Icon name="spark" size={14} />}
        <span className={streaming ? "ak-shimmer" : undefined}>{t(streaming ? "reasoning.now" : "reasoning.title")}</span>
        <Icon name="right" size={14} />
      </summary>
      {open && (
        <div className="ak-reasoning-text" dir="auto">
          <Visible text={text} labels={labels} />
        </div>
      )}
    </details>
  );
}

export function LiveMessage({ messageId, role, labels }) {
  const text = useLiveText(messageId);
  if (role === "reasoning") return <Reasoning text={text} streaming labels={labels} />;
  return text ? (
    <div className="ak-live">
      <Markdown text={text} streaming labels={labels} />
    </div>
  ) : (
    <Working labels={labels} />
  );
}

/** That a run goes on: the newest step that runs, or three dots. Words that stream already say so themselves. */
export function Working({ steps, live, labels }) {
  const t = useWords(labels);
  const step = (steps ?? []).filter(({ status }) => status === "running").at(-1)?.name;
  if (live > 0 && !step) return null;
  return (
    <p className="ak-working">
      <span className="ak-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {step ? (
        <span>
          {t("working.step")} <Visible text={step} labels={labels} />
        </span>
      ) : (
        <span className="ak-vh" aria-live="off">
          {t("working.now")}
        </span>
      )}
    </p>
  );
}
