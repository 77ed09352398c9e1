// A form card as data, and as the transcript keeps it: what it was about, what was answered, by whom, when.
import "./form.css";
import React, { useMemo } from "react";
import { canonical, read, slice } from "./exact.js";
import { Icon } from "./icons.jsx";
import { LongText, Values } from "./values.jsx";
import { Visible } from "./visible.jsx";
import { useWords } from "./words.jsx";

/** Tool, title and context of a card. */
export function About({ card, labels }) {
  const t = useWords(labels);
  return (
    <div className="ak-about">
      {card.tool && (
        <p className="ak-about-tool">
          <span className="ak-vh">{t("card.tool")} </span>
          <Icon name="wrench" size={13} />
          <code>
            <Visible text={card.tool} labels={labels} />
          </code>
        </p>
      )}
      {card.title && (
        <p className="ak-about-title">
          <LongText text={card.title} labels={labels} />
        </p>
      )}
      {card.context_text && (
        <div className="ak-card-args">
          <Values text={card.context_text} labels={labels} />
        </div>
      )}
      {card.left_out_text && (
        <div className="ak-card-args">
          <p className="ak-quiet">{t("card.left_out")}</p>
          <Values text={card.left_out_text} labels={labels} />
        </div>
      )}
    </div>
  );
}

/** A value in the words of its field. */
function Given({ field, text, node, labels }) {
  const t = useWords(labels);
  if (!field) return <Values text={slice(text, node)} labels={labels} />;
  if (node.type === "boolean") return t(node.value ? "card.yes" : "card.no");
  const labelled = (one) => {
    const option = field.options.find(({ value_text: value }) => canonical(value, read(value).root) === canonical(text, one));
    return option ? option.label : null;
  };
  if (field.options.length && node.type === "array") {
    const chosen = (node.children ?? []).map((one) => labelled(one) ?? slice(text, one));
    return chosen.length ? <LongText text={chosen.join(", ")} labels={labels} /> : t("card.none");
  }
  const chosen = field.options.length ? labelled(node) : null;
  if (chosen !== null) return <LongText text={chosen} labels={labels} />;
  if (node.type === "string") return node.value ? <LongText text={node.value} labels={labels} /> : t("card.empty");
  if (node.type === "number") return <Visible text={[slice(text, node), field.currency].filter(Boolean).join(" ")} labels={labels} />;
  return <Values text={slice(text, node)} labels={labels} />;
}

function Answers({ card, text, labels }) {
  const values = useMemo(() => {
    const { root } = read(text);
    const found = (root?.children ?? []).find(({ children }) => children?.[0].value === "values")?.children[1];
    return found?.type === "object" ? (found.children ?? []).map(({ children: [key, node] }) => [key.value, node]) : [];
  }, [text]);
  if (!values.length) return null;
  return (
    <dl className="ak-answers">
      {values.map(([name, node]) => {
        const field = card.fields.find((one) => one.name === name);
        return (
          <div key={name}>
            <dt>
              <Visible text={field?.label ?? name} labels={labels} />
            </dt>
            <dd>
              <Given field={field} text={text} node={node} labels={labels} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const approvedOf = (text) => {
  const { root } = read(text || "");
  const found = (root?.children ?? []).find(({ children }) => children?.[0].value === "approved")?.children[1];
  return found?.value === true;
};

/** The answered card in the transcript; nothing on it can be pressed. */
export function DecidedCard({ decision, labels }) {
  const t = useWords(labels);
  const { card, verdict, by, at } = decision;
  const answered = verdict === "answered";
  const yes = answered && approvedOf(decision.after_text);
  const [sign, tone] = yes ? ["check", "good"] : answered ? ["cross", "bad"] : [verdict === "expired" ? "clock" : "cross", "quiet"];
  const word = answered ? t(yes ? "card.approved" : "card.declined") : t(`verdict.${verdict}`);
  return (
    <section className={`ak-decided ak-tone-${tone}`} data-verdict={verdict} data-approved={answered ? yes : undefined} aria-label={t("card.decided")}>
      <About card={card} labels={labels} />
      {yes && <Answers card={card} text={decision.after_text} labels={labels} />}
      <p className="ak-verdict">
        <Icon name={sign} size={15} />
        <b>{word}</b>
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
      </p>
    </section>
  );
}
