// A question of the agent: its words, a field for the answer, and the JSON editor that can say everything.
import React, { useEffect, useId, useMemo, useRef, useState } from "react";
import { Button } from "./button.jsx";
import { find, read, slice } from "./exact.js";
import { useFocusHome } from "./focus.js";
import { JsonEditor, sentence, useCheck } from "./json_editor.jsx";
import { AgentWords, Busy, Refusal, Times, useBusy, useDraft, useMeant } from "./pause_parts.jsx";
import { skeleton } from "./schema_check.js";
import { Values } from "./values.jsx";
import { Visible } from "./visible.jsx";
import { useWords } from "./words.jsx";

const MOST_CHOICES = 12;

/** The values of a choice in the letters of the schema: a large number would change on its way through JavaScript. */
const written = (schemaText) => find(read(schemaText).root, ["enum"]).children.map((node) => slice(schemaText, node));

/** How a schema can be asked for without JSON: `text`, `number`, `choice` (with the JSON of its values), or null. */
function simple(schemaText) {
  let schema;
  try {
    schema = JSON.parse(schemaText || "{}");
  } catch {
    return { kind: "text" };
  }
  if (!schema || typeof schema !== "object" || !Object.keys(schema).length) return { kind: "text" };
  const scalars = Array.isArray(schema.enum) && schema.enum.every((value) => value === null || typeof value !== "object");
  if (scalars && schema.enum.length <= MOST_CHOICES) return { kind: "choice", values: written(schemaText) };
  if (schema.enum || schema.$ref || schema.anyOf || schema.oneOf || schema.allOf) return null;
  if (schema.type === "boolean") return { kind: "choice", values: ["true", "false"] };
  if (schema.type === "integer" || schema.type === "number") return { kind: "number" };
  return schema.type === "string" ? { kind: "text" } : null;
}

function Choice({ values, text, write, readOnly, missing, labels }) {
  const t = useWords(labels);
  const name = useId();
  const word = (json) => {
    if (json === "true" || json === "false") return t(json === "true" ? "question.yes" : "question.no");
    return json.startsWith('"') ? JSON.parse(json) : json;
  };
  return (
    <fieldset className="ak-choices">
      <legend className="ak-label">{t("question.answer")}</legend>
      {values.map((json) => (
        <label key={json}>
          <input type="radio" name={name} checked={text === json} onChange={() => !readOnly && write(json)} />
          <Visible text={word(json)} labels={labels} />
        </label>
      ))}
      {missing && (
        <p className="ak-problem" role="alert">
          {t("question.choose")}
        </p>
      )}
    </fieldset>
  );
}

function Field({ kind, text, write, readOnly, verdict, tried, autoFocus, labels }) {
  const t = useWords(labels);
  const id = useId();
  const box = useRef(null);
  useEffect(() => {
    if (autoFocus) box.current?.focus({ preventScroll: true });
  }, []);
  const wrong = (tried || text !== "") && verdict.problems[0];
  const shared = {
    id,
    ref: box,
    value: text,
    readOnly,
    dir: text ? "auto" : undefined,
    "aria-invalid": !!wrong,
    "aria-describedby": `${id}-wrong`,
    onChange: (event) => write(event.target.value),
  };
  return (
    <div className="ak-say">
      <label htmlFor={id} className="ak-label">
        {t("question.answer")}
      </label>
      {kind === "number" ? <input type="text" inputMode="decimal" {...shared} /> : <textarea rows={3} {...shared} />}
      <p id={`${id}-wrong`} className="ak-problem" role="status">
        {wrong && (wrong.kind.startsWith("syntax.") ? t("question.not_number") : sentence(t, wrong))}
      </p>
    </div>
  );
}

export function Details({ pending, labels }) {
  const t = useWords(labels);
  const keys = pending.payload && typeof pending.payload === "object" ? Object.keys(pending.payload) : [];
  if (!pending.payload_text || keys.every((key) => key === "message" || key === "reason")) return null;
  return (
    <details className="ak-more">
      <summary>{t("question.details")}</summary>
      <Values text={pending.payload_text} labels={labels} />
    </details>
  );
}

/** The foot of a question that is answered with one button; without `onSend` it submits the form around it. */
export function AnswerFoot({ pending, notice, busy, late, meant, onSend, onCancel, labels }) {
  const t = useWords(labels);
  const allowed = pending.allowed_decisions ?? [];
  return (
    <div className="ak-card-foot" inert={!meant}>
      <Refusal notice={notice} labels={labels} />
      <div className="ak-buttons ak-decide">
        {allowed.includes("answer") && (
          <Button tone="primary" type={onSend ? "button" : "submit"} icon="send" off={!!busy} onClick={onSend}>
            {t("question.send")}
          </Button>
        )}
        {allowed.includes("cancel") && (
          <Button tone="ghost" off={!!busy} onClick={onCancel}>
            {t("pause.cancel")}
          </Button>
        )}
      </div>
      <Busy busy={busy} late={late} labels={labels} />
    </div>
  );
}

function Form({ pending, onDecide, notice, labels }) {
  const t = useWords(labels);
  const plain = useMemo(() => simple(pending.response_schema_text), [pending.response_schema_text]);
  const [mode, setMode] = useDraft(pending.id, "mode", plain ? "plain" : "json");
  const [words, setWords] = useDraft(pending.id, "plain", "");
  const first = useMemo(() => skeleton(pending.response_schema_text), [pending.response_schema_text]);
  const [json, setJson] = useDraft(pending.id, "json", first);
  const [busy, setBusy, late] = useBusy(pending, notice);
  const meant = useMeant();
  const home = useRef(null);
  const focus = useFocusHome(home);
  const [turned, setTurned] = useState(false);
  const [tried, setTried] = useState(false);
  const said = plain?.kind === "text" ? JSON.stringify(words) : words;
  const answer = mode === "plain" && plain ? said : json;
  const verdict = useCheck(answer, pending.response_schema_text);
  const submit = (event) => {
    event.preventDefault();
    setTried(true);
    if (busy || !meant || !verdict.now().valid) return;
    setBusy("answer");
    onDecide?.(pending.id, pending.digest, "answer", answer);
  };
  const turn = () => {
    setTurned(true);
    setMode(mode === "json" ? "plain" : "json");
  };
  const cancel = () => {
    setBusy("cancel");
    onDecide?.(pending.id, pending.digest, "cancel", "");
  };
  const shared = { readOnly: !!busy, autoFocus: turned, labels };
  const quiet = mode === "json" && !tried && json === first;
  return (
    <form className="ak-card" onSubmit={submit} data-interrupt={pending.id} aria-label={t("question.title")} {...focus}>
      <div className="ak-card-body" ref={home} tabIndex={-1} data-ak-home="">
        {pending.message ? <AgentWords text={pending.message} labels={labels} /> : <p className="ak-quiet">{t("question.nothing")}</p>}
        <Details pending={pending} labels={labels} />
        {mode === "json" && (
          <JsonEditor text={json} onText={setJson} verdict={quiet ? { ...verdict, problems: [] } : verdict} label={t("question.json")} {...shared} />
        )}
        {mode === "plain" && plain?.kind === "choice" && <Choice values={plain.values} text={words} write={setWords} missing={tried && !words} {...shared} />}
        {mode === "plain" && plain && plain.kind !== "choice" && (
          <Field kind={plain.kind} text={words} write={setWords} verdict={verdict} tried={tried} {...shared} />
        )}
        {plain && (
          <button type="button" className="ak-fold" onClick={turn}>
            {t(mode === "json" ? "question.as_field" : "question.as_json")}
          </button>
        )}
        <Times pending={pending} labels={labels} />
      </div>
      <AnswerFoot {...{ pending, notice, busy, late, meant, labels }} onCancel={cancel} />
    </form>
  );
}

export function QuestionForm({ pending, ...rest }) {
  return pending ? <Form key={`${pending.id} ${pending.digest}`} pending={pending} {...rest} /> : null;
}
