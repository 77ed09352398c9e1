// A decision as the transcript keeps it: who decided what, when, and what a person changed. Read only.
import React from "react";
import { DecidedCard } from "./card_decided.jsx";
import { Difference } from "./difference.jsx";
import { Icon } from "./icons.jsx";
import { LongText, Values } from "./values.jsx";
import { Visible } from "./visible.jsx";
import { useWords } from "./words.jsx";

const SIGNS = {
  approved: ["check", "good"],
  edited: ["pencil", "good"],
  rejected: ["cross", "bad"],
  responded: ["reply", "good"],
  answered: ["reply", "good"],
  cancelled: ["cross", "quiet"],
  expired: ["clock", "quiet"],
};

/** The verdicts that have a label of their own; another one is shown as the word it is. */
const KNOWN = Object.keys(SIGNS);

const wordOf = (t, verdict) => (KNOWN.includes(verdict) ? t(`verdict.${verdict}`) : verdict);

/** Who decided what, and when, in one line. */
export function Verdict({ decision, labels }) {
  const t = useWords(labels);
  const { verdict, by, at } = decision;
  return (
    <>
      <b>{wordOf(t, verdict)}</b>
      {by && (
        <span>
          {t("decision.by")} <Visible text={by} labels={labels} />
        </span>
      )}
      {at && (
        <time dateTime={at} title={t.fullTime(at)}>
          {t.time(at)}
        </time>
      )}
    </>
  );
}

export function Decision({ decision, labels, alone = true }) {
  const t = useWords(labels);
  if (decision.card) return <DecidedCard decision={decision} labels={labels} />;
  const { verdict, reason, message, tool_name: tool } = decision;
  const [sign, tone] = SIGNS[verdict] ?? ["check", "quiet"];
  const gave = (verdict === "answered" || verdict === "responded") && decision.after_text;
  return (
    <div className={`ak-decision ak-tone-${tone}`} data-verdict={verdict}>
      {alone && message && (
        <p className="ak-asked">
          <span className="ak-vh">{t("decision.asked")} </span>
          <bdi dir="auto">
            <LongText text={message} labels={labels} />
          </bdi>
        </p>
      )}
      <p className="ak-verdict">
        <Icon name={sign} size={15} />
        {alone && tool && (
          <code>
            <Visible text={tool} labels={labels} />
          </code>
        )}
        <Verdict decision={decision} labels={labels} />
      </p>
      {reason && (
        <blockquote className="ak-quote" dir="auto">
          <LongText text={reason} labels={labels} />
        </blockquote>
      )}
      {verdict === "edited" && <Difference before={decision.before_text} after={decision.after_text} labels={labels} />}
      {gave && <Values text={decision.after_text} labels={labels} />}
    </div>
  );
}
