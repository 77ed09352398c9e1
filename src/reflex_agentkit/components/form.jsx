// How a question is asked: a card of the agent's, a form from its schema, or one plain field.
import React, { useMemo, useRef, useState } from "react";
import { CardForm } from "./card_form.jsx";
import { useFocusHome } from "./focus.js";
import { asksForForm, drawn, hasNoFields, isDrawn, pruned } from "./form_draw.js";
import { byField } from "./form_problems.js";
import { fromText, unread, write } from "./form_value.js";
import { JsonEditor, useCheck } from "./json_editor.jsx";
import { later } from "./later.jsx";
import { AgentWords, Times, useBusy, useDraft, useMeant } from "./pause_parts.jsx";
import { AnswerFoot, Details, QuestionForm as PlainForm } from "./question_form.jsx";
import { skeleton } from "./schema_check.js";
import { useWords } from "./words.jsx";

const Waiting = () => <div className="ak-form-waiting" />;
const SchemaForm = later(() => import("./schema_form.jsx").then((module) => module.SchemaForm), Waiting);

/** A schema that cannot be drawn is answered as JSON. */
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

const idOf = (path) => path.map((key) => `_${key}`).join("");

/** The value of the form and its JSON text, one of which a person is changing. */
function useAnswer(pending, t) {
  const schemaText = pending.response_schema_text;
  const schema = useMemo(
    () => drawn(schemaText, { none: t("form.none"), typeName: (type, n) => (typeof type === "string" ? t(`type.${type}`) : t("form.option", { n })) }),
    [schemaText, t],
  );
  const nothing = hasNoFields(schema);
  const [value, setValue] = useDraft(pending.id, `form ${pending.digest}`, nothing ? {} : undefined);
  const [touched, setTouched] = useDraft(pending.id, `touched ${pending.digest}`, []);
  const [json, setJson] = useDraft(pending.id, `form json ${pending.digest}`, null);
  const isTouched = (path) => touched.some((id) => id === idOf(path) || id.startsWith(`${idOf(path)}_`));
  const kept = useMemo(() => pruned(schema, value, isTouched), [schema, value, touched]);
  const text = json ?? write(kept);
  const back = json === null ? undefined : fromText(json);
  const fits = back !== undefined && (schema.type !== "object" || (back && typeof back === "object" && !Array.isArray(back)));
  return {
    schema,
    nothing,
    value,
    text,
    json,
    setJson,
    isTouched,
    unread: json === null ? unread(kept) : [],
    stuck: json !== null && !fits,
    change: (next, id) => {
      setValue(next);
      if (id !== undefined && !touched.includes(id)) setTouched([...touched, id]);
    },
    toJson: () => setJson(write(kept) || skeleton(schemaText)),
    toForm: () => {
      if (!fits) return;
      setValue(back);
      setJson(null);
    },
  };
}

function Fields({ answer, verdict, tried, disabled, labels }) {
  const t = useWords(labels);
  const { schema } = answer;
  const problems = useMemo(() => byField(t, answer.unread, verdict.problems).all, [t, answer.text, verdict]);
  const shown = problems.filter(({ path }) => tried || (path.length > 0 && answer.isTouched(path)));
  const elsewhere = shown.filter(({ path }) => !isDrawn(schema, path));
  if (answer.nothing) return <p className="ak-quiet">{t("form.nothing")}</p>;
  return (
    <>
      <SchemaForm schema={schema} value={answer.value} onData={answer.change} problems={shown} disabled={disabled} labels={labels} />
      {elsewhere.map(({ path, text }) => (
        <p className="ak-problem" key={path.join(".")}>
          <code>{path.join(".")}</code> {text}
        </p>
      ))}
    </>
  );
}

function AskedForm({ pending, onDecide, notice, labels }) {
  const t = useWords(labels);
  const answer = useAnswer(pending, t);
  const verdict = useCheck(answer.text, pending.response_schema_text);
  const [busy, setBusy, late] = useBusy(pending, notice);
  const meant = useMeant();
  const home = useRef(null);
  const focus = useFocusHome(home);
  const [tried, setTried] = useState(false);
  const [failed, setFailed] = useState(false);
  const form = useRef(null);
  const asJson = answer.json !== null;
  const submit = (event) => {
    event.preventDefault();
    setTried(true);
    if (busy || !meant) return;
    if (answer.unread.length || !verdict.now().valid) {
      requestAnimationFrame(() => form.current?.querySelector("[aria-invalid=true], .ak-field-bad input, .ak-problem")?.focus());
      return;
    }
    setBusy("answer");
    onDecide?.(pending.id, pending.digest, "answer", answer.text);
  };
  const cancel = () => {
    setBusy("cancel");
    onDecide?.(pending.id, pending.digest, "cancel", "");
  };
  const fail = () => {
    setFailed(true);
    answer.toJson();
  };
  return (
    <form ref={form} className="ak-card" onSubmit={submit} data-interrupt={pending.id} aria-label={t("question.title")} noValidate {...focus}>
      <div className="ak-card-body" ref={home} tabIndex={-1} data-ak-home="">
        {pending.message ? <AgentWords text={pending.message} labels={labels} /> : <p className="ak-quiet">{t("question.nothing")}</p>}
        <Details pending={pending} labels={labels} />
        {asJson ? (
          <JsonEditor text={answer.text} onText={answer.setJson} verdict={verdict} label={t("question.json")} readOnly={!!busy} labels={labels} />
        ) : (
          <Undrawn onFail={fail}>
            <Fields answer={answer} verdict={verdict} tried={tried} disabled={!!busy} labels={labels} />
          </Undrawn>
        )}
        {!failed && (
          <button type="button" className="ak-fold" onClick={asJson ? answer.toForm : answer.toJson} disabled={answer.stuck} title={answer.stuck ? t("form.stuck") : undefined}>
            {t(asJson ? "form.as_form" : "question.as_json")}
          </button>
        )}
        <Times pending={pending} labels={labels} />
      </div>
      <AnswerFoot {...{ pending, notice, busy, late, meant, labels }} onCancel={cancel} />
    </form>
  );
}

export function QuestionForm({ pending, ...rest }) {
  const form = useMemo(() => asksForForm(pending?.response_schema_text), [pending?.response_schema_text]);
  if (!pending) return null;
  const Asked = pending.card ? CardForm : form ? AskedForm : PlainForm;
  return <Asked key={`${pending.id} ${pending.digest}`} pending={pending} {...rest} />;
}
