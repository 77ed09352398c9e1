// A value as a form, and its JSON beside it. What is changed in one is changed in the other.
import "./two_views.css";
import React, { useId, useMemo } from "react";
import { isDrawn } from "./form_draw.js";
import { byField } from "./form_problems.js";
import { JsonEditor } from "./json_editor.jsx";
import { later } from "./later.jsx";
import { useWords } from "./words.jsx";

const Waiting = () => <div className="ak-form-waiting" />;
const Missing = ({ labels }) => <p className="ak-note ak-note-bad">{useWords(labels)("load.failed")}</p>;
const SchemaForm = later(() => import("./schema_form.jsx").then((module) => module.SchemaForm), Waiting, Missing);

/** A schema that cannot be drawn is filled in as JSON. */
class Undrawn extends React.Component {
  state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  componentDidCatch() {
    this.props.onFail();
  }
  render() {
    return this.state.failed ? null : this.props.children;
  }
}

function Fields({ held, verdict, tried, disabled, labels }) {
  const t = useWords(labels);
  const { schema } = held;
  const problems = useMemo(() => byField(t, held.unread, held.broken ? [] : verdict.problems).all, [t, held.text, held.broken, verdict]);
  const shown = problems.filter(({ path }) => tried || (path.length > 0 && held.isTouched(path)));
  const elsewhere = shown.filter(({ path }) => !isDrawn(schema, path));
  if (held.nothing) return <p className="ak-quiet">{t("form.nothing")}</p>;
  return (
    <>
      <SchemaForm schema={schema} value={held.value} original={held.original} onData={held.change} problems={shown} disabled={disabled} labels={labels} />
      {elsewhere.map(({ path, text }) => (
        <p className="ak-problem" key={path.join(".")}>
          {path.length > 0 && <code>{path.join(".")}</code>} {text}
        </p>
      ))}
    </>
  );
}

/** `held` is what `useTwoViews` gives, `words` the labels `{json, show, hide}`; `tried` shows every problem. */
export function TwoViews({ held, verdict, tried, busy, words, autoFocus, labels }) {
  const t = useWords(labels);
  const id = useId();
  const { hasForm, hasJson, broken } = held;
  return (
    <div className="ak-views" data-both={(hasForm && hasJson) || undefined}>
      {held.why === "many" && <p className="ak-note">{t("form.many")}</p>}
      {hasForm && (
        <button type="button" className="ak-fold ak-views-turn" aria-expanded={hasJson} aria-controls={hasJson ? id : undefined} onClick={() => held.show(!hasJson)} disabled={broken}>
          {hasJson ? words.hide : words.show}
        </button>
      )}
      <div className="ak-views-row">
        {hasForm && (
          <div className="ak-views-form">
            {broken && (
              <div className="ak-note ak-note-bad" role="status">
                <span>{t("form.broken")}</span>
                <button type="button" className="ak-fold" onClick={held.undo}>
                  {t("form.undo")}
                </button>
              </div>
            )}
            <Undrawn onFail={held.fail}>
              <Fields held={held} verdict={verdict} tried={tried} disabled={busy || broken} labels={labels} />
            </Undrawn>
          </div>
        )}
        {hasJson && (
          <div className="ak-views-json" id={id}>
            <JsonEditor text={held.text} onText={held.setText} verdict={verdict} label={words.json} readOnly={busy} autoFocus={autoFocus && !hasForm} labels={labels} />
          </div>
        )}
      </div>
    </div>
  );
}
