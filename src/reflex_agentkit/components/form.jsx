// How a question is asked: a card of the agent's, a form from its schema, or one plain field.
import React, { useMemo, useRef, useState } from "react";
import { CardForm } from "./card_form.jsx";
import { useFocusHome } from "./focus.js";
import { asksForForm } from "./form_draw.js";
import { useCheck } from "./json_editor.jsx";
import { AgentWords, Times, useBusy, useMeant } from "./pause_parts.jsx";
import { AnswerFoot, Details, QuestionForm as PlainForm } from "./question_form.jsx";
import { useTwoViews } from "./two_views.js";
import { TwoViews } from "./two_views.jsx";
import { useWords } from "./words.jsx";

function AskedForm({ pending, onDecide, notice, labels }) {
  const t = useWords(labels);
  const answer = useTwoViews(pending, { name: "form", schemaText: pending.response_schema_text }, t);
  const verdict = useCheck(answer.text, pending.response_schema_text);
  const [busy, setBusy, late] = useBusy(pending, notice);
  const meant = useMeant();
  const home = useRef(null);
  const focus = useFocusHome(home);
  const [tried, setTried] = useState(false);
  const form = useRef(null);
  const words = { json: t("question.json"), show: t("question.as_json"), hide: t("form.hide_json") };
  const send = () => {
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
  return (
    // Enter in a field sends nothing: an answer is a press of its button.
    <form ref={form} className="ak-card" onSubmit={(event) => event.preventDefault()} data-interrupt={pending.id} aria-label={t("question.title")} noValidate {...focus}>
      <div className="ak-card-body" ref={home} tabIndex={-1} data-ak-home="">
        {pending.message ? <AgentWords text={pending.message} labels={labels} /> : <p className="ak-quiet">{t("question.nothing")}</p>}
        <Details pending={pending} labels={labels} />
        <TwoViews held={answer} verdict={verdict} tried={tried} busy={!!busy} words={words} labels={labels} />
        <Times pending={pending} labels={labels} />
      </div>
      <AnswerFoot {...{ pending, notice, busy, late, meant, labels }} onSend={send} onCancel={cancel} />
    </form>
  );
}

export function QuestionForm({ pending, ...rest }) {
  const form = useMemo(() => asksForForm(pending?.response_schema_text), [pending?.response_schema_text]);
  if (!pending) return null;
  const Asked = pending.card ? CardForm : form ? AskedForm : PlainForm;
  return <Asked key={`${pending.id} ${pending.digest}`} pending={pending} {...rest} />;
}
