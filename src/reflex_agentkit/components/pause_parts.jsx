// What the approval and the question have in common: the agent's words, time, refusals, and what is under way.
import React, { useEffect, useState } from "react";
import { Icon, Spinner } from "./icons.jsx";
import { LongText } from "./values.jsx";
import { ago, span, useNow } from "./time.jsx";
import { Visible } from "./visible.jsx";
import { useWords } from "./words.jsx";

/** A decision without any answer from the server frees the buttons again after this time. */
const PATIENCE = 15_000;

/** Reasons that say no more than the title does. */
const PLAIN_REASONS = ["tool_call", "tool_approval", "approval", "question", "input_required", "confirmation"];

/** What a person began to write, by interrupt: it outlives a hidden dialog and every other change of the page. */
const drafts = new Map();

export function useDraft(id, name, first) {
  const key = `${id} ${name}`;
  const [value, setValue] = useState(() => (drafts.has(key) ? drafts.get(key) : first));
  const write = (next) => {
    drafts.set(key, next);
    setValue(next);
  };
  return [value, write];
}

/** The decision that is under way, or null; a refusal, or another request, ends it. */
export function useBusy(pending, notice) {
  const [busy, setBusy] = useState(null);
  useEffect(() => setBusy(null), [pending.id, pending.digest]);
  useEffect(() => {
    if (notice?.code || notice?.text) setBusy(null);
  }, [notice]);
  useEffect(() => {
    if (busy === null) return undefined;
    const timer = setTimeout(() => setBusy(null), PATIENCE);
    return () => clearTimeout(timer);
  }, [busy]);
  return [busy, setBusy];
}

/** The agent's words, marked as such: plain text in a quotation. */
export function AgentWords({ text, labels }) {
  const t = useWords(labels);
  if (!text) return null;
  return (
    <figure className="ak-words">
      <figcaption>{t("pause.agent_says")}</figcaption>
      <blockquote>
        <LongText text={text} labels={labels} />
      </blockquote>
    </figure>
  );
}

export function Times({ pending, labels }) {
  const t = useWords(labels);
  const { opened_at: opened, expires_at: expires } = pending;
  const end = Date.parse(expires);
  const now = useNow(opened || expires ? 1000 : 0);
  const left = (end - now) / 1000;
  const agent = pending.metadata?.agent;
  return (
    <ul className="ak-facts">
      {opened && (
        <li title={t.fullTime(opened)}>
          <Icon name="clock" size={14} />
          {t("pause.asked", { ago: ago(t, opened, now) })}
        </li>
      )}
      {!Number.isNaN(end) && (
        <li title={t.fullTime(expires)} className={left < 60 ? "ak-late" : undefined}>
          <Icon name="clock" size={14} />
          {left > 0 ? t("pause.expires", { span: span(t, left) }) : t("pause.expired")}
        </li>
      )}
      {typeof agent === "string" && agent && (
        <li>
          {t("pause.agent")} <Visible text={agent} labels={labels} />
        </li>
      )}
      {pending.reason && !PLAIN_REASONS.includes(pending.reason) && (
        <li>
          {t("pause.reason")} <Visible text={pending.reason} labels={labels} />
        </li>
      )}
    </ul>
  );
}

/** Why the last answer was refused. */
export function Refusal({ notice, tone = "bad", labels }) {
  const t = useWords(labels);
  if (!notice?.text && !notice?.code) return null;
  return (
    <div className={`ak-note ak-note-${tone}`} role="alert" data-code={notice.code}>
      <Icon name="hand" />
      <span>
        <LongText text={notice.text || t("pause.refused")} labels={labels} />
        {notice.path && (
          <code className="ak-path">
            <Visible text={notice.path} labels={labels} />
          </code>
        )}
      </span>
    </div>
  );
}

export function Busy({ busy, labels }) {
  const t = useWords(labels);
  return (
    <p className="ak-busy" role="status">
      {busy && (
        <>
          <Spinner /> {t("pause.sending")}
        </>
      )}
    </p>
  );
}

export function Button({ tone = "soft", icon, children, ...rest }) {
  return (
    <button type="button" className={`ak-button ak-${tone}`} {...rest}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}
