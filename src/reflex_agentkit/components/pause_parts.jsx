// What the approval and the question have in common: the agent's words, time, refusals, and what is under way.
import React, { useEffect, useState } from "react";
import { useOnline } from "$/public/external/reflex_agentkit/live/channel_asset/channel.jsx";
import { Drafts } from "./drafts.js";
import { Icon, Spinner } from "./icons.jsx";
import { LongText } from "./values.jsx";
import { ago, span, useNow } from "./time.jsx";
import { Visible } from "./visible.jsx";
import { useWords } from "./words.jsx";

/** A decision without any answer from a server that can be reached frees the buttons again after this time. */
const PATIENCE = 15_000;
/** A click that lands this soon was on its way before: the second of a double click, or one meant for the page. */
const TOO_SOON = 500;

/** Reasons that say no more than the title does. */
const PLAIN_REASONS = ["tool_call", "tool_approval", "approval", "question", "input_required", "confirmation"];

/** What a person began to write, by interrupt: it outlives a hidden dialog and every other change of the page. */
const drafts = new Drafts();

export function useDraft(id, name, first) {
  const key = `${id} ${name}`;
  const [value, setValue] = useState(() => (drafts.has(key) ? drafts.get(key) : first));
  const write = (next) => {
    drafts.set(key, next);
    setValue(next);
  };
  return [value, write];
}

/**
 * The decision that is under way, or null, and whether it is late. A refusal or another request ends it. Without a
 * connection it waits to be sent, and a second one, perhaps the opposite, would be sent after it: then it stays.
 */
export function useBusy(pending, notice) {
  const [busy, setBusy] = useState(null);
  const online = useOnline();
  useEffect(() => setBusy(null), [pending.id, pending.digest]);
  useEffect(() => {
    if (notice?.code || notice?.text) setBusy(null);
  }, [notice]);
  useEffect(() => {
    if (busy === null || !online) return undefined;
    const timer = setTimeout(() => setBusy(null), PATIENCE);
    return () => clearTimeout(timer);
  }, [busy, online]);
  return [busy, setBusy, busy !== null && !online];
}

/** Whether a card has been on the screen long enough for its buttons to be meant. */
export function useMeant() {
  const [meant, setMeant] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setMeant(true), TOO_SOON);
    return () => clearTimeout(timer);
  }, []);
  return meant;
}

/** The same around a request that the app draws itself. */
export function Meant({ children }) {
  return <div inert={!useMeant()}>{children}</div>;
}

/** The agent's words, marked as such: plain text in a quotation. */
export function AgentWords({ text, labels }) {
  const t = useWords(labels);
  if (!text) return null;
  return (
    <figure className="ak-words">
      <figcaption>{t("pause.agent_says")}</figcaption>
      <blockquote dir="auto">
        <LongText text={text} labels={labels} />
      </blockquote>
    </figure>
  );
}

/** Where in an agent's own parts it was asked; a path of one part says nothing new. */
function pathOf(parts) {
  const named = Array.isArray(parts) ? parts.filter((part) => typeof part === "string") : [];
  return named.length > 1 ? named.join(" › ") : "";
}

export function Times({ pending, labels }) {
  const t = useWords(labels);
  const { opened_at: opened, expires_at: expires } = pending;
  const end = Date.parse(expires);
  const now = useNow(opened || expires ? 1000 : 0);
  const left = (end - now) / 1000;
  const agent = pending.metadata?.agent;
  const path = pathOf(pending.metadata?.path);
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
      {path && (
        <li>
          {t("pause.path")} <Visible text={path} labels={labels} />
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

export function Busy({ busy, late, labels }) {
  const t = useWords(labels);
  return (
    <p className="ak-busy" role="status" data-late={late || undefined}>
      {busy && (
        <>
          <Spinner /> {t(late ? "pause.late" : "pause.sending")}
        </>
      )}
    </p>
  );
}
