// One call of a tool: what it is, how it stands, what it was given and what it gave.
import React, { useState } from "react";
import { Decision, Verdict } from "./decision.jsx";
import { Icon, Spinner } from "./icons.jsx";
import { LongText, Values } from "./values.jsx";
import { Visible } from "./visible.jsx";
import { useWords } from "./words.jsx";

const SIGNS = {
  streaming: [null, "busy"],
  running: [null, "busy"],
  approved: [null, "busy"],
  sent: ["send", "quiet"],
  pending_approval: ["hand", "wait"],
  pending_input: ["question", "wait"],
  done: ["check", "good"],
  responded: ["reply", "good"],
  failed: ["hand", "bad"],
  rejected: ["cross", "bad"],
  cancelled: ["cross", "quiet"],
  expired: ["clock", "quiet"],
};

/** Until a person opens or closes it: one that waits, failed, or that somebody changed is open, any other closed. */
const startsOpen = ({ status, decision }) =>
  ["pending_approval", "pending_input", "failed"].includes(status) || decision?.verdict === "edited";

/** Statuses that the decision itself says better: by whom, and when. */
const SAID_BY_DECISION = ["approved", "rejected", "cancelled", "expired", "responded"];

/** Whether a decision holds more than who and when. */
const saysMore = ({ verdict, reason, after_text: after, card }) =>
  !!card || verdict === "edited" || !!reason || (verdict === "responded" && !!after);

function Part({ title, children }) {
  return (
    <div className="ak-part">
      <p>{title}</p>
      {children}
    </div>
  );
}

export function ToolCard({ call, labels }) {
  const t = useWords(labels);
  const [chosen, choose] = useState(null);
  const open = chosen ?? startsOpen(call);
  const [sign, tone] = SIGNS[call.status] ?? ["wrench", "quiet"];
  const word = SIGNS[call.status] ? t(`status.${call.status}`) : call.status;
  const decided = !!call.decision?.verdict;
  return (
    <details
      className={`ak-tool ak-tone-${tone}`}
      data-status={call.status}
      data-tool-call={call.id}
      open={open}
      onToggle={({ currentTarget: shown }) => shown.open !== open && choose(shown.open)}
    >
      <summary>
        <span className="ak-tool-sign">{sign ? <Icon name={sign} size={15} /> : <Spinner />}</span>
        <code className="ak-tool-name">
          <Visible text={call.name} labels={labels} />
        </code>
        <span className="ak-tool-word">
          {!(decided && SAID_BY_DECISION.includes(call.status)) && <span>{word}</span>}
          {decided && <Verdict decision={call.decision} labels={labels} />}
        </span>
        <Icon name="right" size={14} />
      </summary>
      {open && (
        <div className="ak-tool-body">
          <Part title={t("tool.arguments")}>
            {call.args_text ? (
              <Values text={call.args_text} labels={labels} />
            ) : (
              <p className="ak-quiet">{t(call.status === "streaming" ? "tool.coming" : "values.none")}</p>
            )}
          </Part>
          {decided && saysMore(call.decision) && <Decision decision={call.decision} labels={labels} alone={false} />}
          {call.result && (
            <Part title={t("tool.result")}>
              <pre className="ak-raw">
                <LongText text={call.result} labels={labels} />
              </pre>
            </Part>
          )}
          {call.error && (
            <Part title={t("tool.error")}>
              <pre className="ak-raw ak-bad">
                <LongText text={call.error} labels={labels} />
              </pre>
            </Part>
          )}
        </div>
      )}
    </details>
  );
}
