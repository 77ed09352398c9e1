// Changes as a person reads them: the place, what was there, what is there now. Each can be taken back while it can.
import "./difference.css";
import React, { useMemo, useState } from "react";
import { changes, wordChanges } from "./changes.js";
import { Icon } from "./icons.jsx";
import { LongText } from "./values.jsx";
import { Visible, spoken } from "./visible.jsx";
import { useWords } from "./words.jsx";

/** Texts up to this length are shown one beside the other; longer ones word by word. */
const SHORT = 40;
/** Of a longer stretch that stayed as it was, its ends are shown. */
const MOST_SAME = 200;
const ENDS = 70;

function Same({ text, labels }) {
  const t = useWords(labels);
  const [open, setOpen] = useState(false);
  const signs = useMemo(() => Array.from(text), [text]);
  if (open || signs.length <= MOST_SAME) return <Visible text={text} labels={labels} />;
  return (
    <>
      <Visible text={signs.slice(0, ENDS).join("")} labels={labels} />
      <button type="button" className="ak-fold" onClick={() => setOpen(true)}>
        {t.n("fold.characters", signs.length - 2 * ENDS)}
      </button>
      <Visible text={signs.slice(-ENDS).join("")} labels={labels} />
    </>
  );
}

function Words({ before, after, labels }) {
  const t = useWords(labels);
  const runs = useMemo(() => wordChanges(before, after), [before, after]);
  return (
    <p className="ak-word-changes" dir="auto">
      {runs.map(([kind, text], place) => {
        if (kind === "same") return <Same key={place} text={text} labels={labels} />;
        const Mark = kind === "gone" ? "del" : "ins";
        return (
          <Mark key={place}>
            <span className="ak-vh">{t(kind === "gone" ? "difference.before" : "difference.after")} </span>
            <LongText text={text} labels={labels} />
          </Mark>
        );
      })}
    </p>
  );
}

const isProse = (side) => side?.words !== undefined && (side.words.length > SHORT || side.words.includes("\n"));

function Sides({ change, labels }) {
  const t = useWords(labels);
  const { before, after } = change;
  if (before?.words !== undefined && after?.words !== undefined && (isProse(before) || isProse(after)))
    return <Words before={before.words} after={after.words} labels={labels} />;
  const side = (value) => (value ? <LongText text={value.text} labels={labels} /> : <i>{t("difference.absent")}</i>);
  return (
    <>
      <del>
        <span className="ak-vh">{t("difference.before")} </span>
        {side(before)}
      </del>
      <span className="ak-arrow" aria-hidden="true">
        →
      </span>
      <ins>
        <span className="ak-vh">{t("difference.after")} </span>
        {side(after)}
      </ins>
    </>
  );
}

function Reset({ what, t, ...rest }) {
  const words = t("difference.reset", { what });
  return (
    <button type="button" className="ak-tiny" aria-label={words} title={words} {...rest}>
      <Icon name="undo" size={15} />
    </button>
  );
}

/** The changes between two JSON texts. With `onReset(change)` each has a button that takes it back. */
export function Difference({ before, after, onReset, disabled, labels }) {
  const t = useWords(labels);
  const list = useMemo(() => changes(before, after), [before, after]);
  if (!list.length) return null;
  const name = (change) => change.path || t("difference.all");
  return (
    <dl className="ak-difference" aria-label={t("difference.title")}>
      {list.map((change) => (
        <div key={`${change.kind} ${change.path}`} data-kind={change.kind}>
          <dt>
            <Visible text={name(change)} labels={labels} />
            {change.kind !== "changed" && <span className="ak-kind">{t(`difference.${change.kind}`)}</span>}
          </dt>
          <dd>
            <div className="ak-sides">
              <Sides change={change} labels={labels} />
            </div>
            {onReset && <Reset what={spoken(t, name(change))} onClick={() => onReset(change)} disabled={disabled} t={t} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
