// A form card: what the agent wants to do, the fields it brought, and two buttons in its own words.
import React, { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "./button.jsx";
import { CardField, composed, firstValues, valueOf } from "./card_fields.jsx";
import { About } from "./card_decided.jsx";
import { read, slice } from "./exact.js";
import { useFocusHome } from "./focus.js";
import { byField } from "./form_problems.js";
import { JsonEditor, useCheck } from "./json_editor.jsx";
import { AgentWords, Busy, Refusal, Times, useBusy, useDraft, useMeant } from "./pause_parts.jsx";
import { useReached } from "./reached.jsx";
import { FoldKeeper } from "./values.jsx";
import { Unseen } from "./unseen.jsx";
import { spoken } from "./visible.jsx";
import { useWords } from "./words.jsx";

/** The values of a JSON text by name, as JSON texts; null where it is no object. */
function named(text) {
  const { root } = read(text);
  if (root?.type !== "object") return null;
  return Object.fromEntries((root.children ?? []).map(({ children: [key, value] }) => [key.value, slice(text, value)]));
}

/** Values as fields or as JSON, the same in both. */
function useValues(pending, card) {
  const [values, setValues] = useDraft(pending.id, `card ${pending.digest}`, firstValues(card));
  const [json, setJson] = useDraft(pending.id, `card json ${pending.digest}`, null);
  const { text: made, faults } = useMemo(() => composed(card, values), [card, values]);
  const text = json ?? made;
  const verdict = useCheck(text, card.schema_text);
  const back = json === null ? null : named(json);
  return {
    text,
    verdict,
    values,
    asJson: json !== null,
    faults: json === null ? faults : [],
    change: (name, value) => setValues({ ...values, [name]: value }),
    setJson,
    stuck: json !== null && back === null,
    toggle: () => {
      if (json === null) return setJson(made);
      if (back === null) return undefined;
      setValues(back);
      return setJson(null);
    },
  };
}

function Fields({ card, held, problems, tried, touched, disabled, labels }) {
  const known = new Set(card.fields.map((field) => field.name));
  const others = problems.all.filter(({ path }) => !known.has(path[0]));
  return (
    <div className="ak-fields">
      {card.fields.map((field) => (
        <CardField
          key={field.name}
          field={field}
          value={valueOf(held.values, field.name)}
          onValue={(value) => held.change(field.name, value)}
          problem={tried || touched.has(field.name) ? problems.all.find(({ path }) => path[0] === field.name)?.text : undefined}
          disabled={disabled}
          labels={labels}
        />
      ))}
      {others.map(({ path, text }) => (
        <p className="ak-problem" key={path.join(".")}>
          <code>{path.join(".")}</code> {text}
        </p>
      ))}
    </div>
  );
}

export function CardForm({ pending, onDecide, notice, labels }) {
  const t = useWords(labels);
  const { card } = pending;
  const held = useValues(pending, card);
  const [touched, setTouched] = useState(() => new Set());
  const [tried, setTried] = useState(false);
  const [busy, setBusy, late] = useBusy(pending, notice);
  const meant = useMeant();
  const [closed, setClosed] = useState(0);
  const [all, setAll] = useState(false);
  const [seen, setSeen] = useDraft(pending.id, `seen ${pending.digest}`, false);
  const { body, end, reached, below, more } = useReached([closed, held.asJson]);
  const focus = useFocusHome(body);
  const fields = useRef(null);
  const whole = closed === 0 && reached;
  useEffect(() => {
    if (whole && !seen) setSeen(true);
  }, [whole]);
  const unseen = !seen && !whole;
  const problems = useMemo(() => byField(t, held.faults, held.verdict.problems), [t, held.faults, held.verdict]);
  const allowed = (decision) => (pending.allowed_decisions ?? []).includes(decision);
  const decide = (decision, text) => {
    if (busy) return;
    setBusy(decision);
    onDecide?.(pending.id, pending.digest, decision, text);
  };
  const approve = () => {
    setTried(true);
    if (busy || unseen || !meant) return;
    if (held.faults.length || !held.verdict.now().valid) {
      requestAnimationFrame(() => fields.current?.querySelector("[aria-invalid=true], .ak-field-bad input")?.focus());
      return;
    }
    decide("answer", `{"approved": true, "values": ${held.text}}`);
  };
  const approveWord = card.approve || t("card.approve");
  const declineWord = card.decline || t("card.decline");
  return (
    // Enter in a field approves nothing: a yes is a press of its button.
    <form
      className="ak-card"
      onSubmit={(event) => event.preventDefault()}
      data-interrupt={pending.id}
      aria-label={t("card.title")}
      noValidate
      {...focus}
    >
      <div className="ak-card-body" ref={body} tabIndex={0} role="group" data-ak-home="" aria-label={spoken(t, card.title) || t("card.title")}>
        <FoldKeeper all={all} onClosed={setClosed}>
          <About card={card} labels={labels} />
          <AgentWords text={pending.message} labels={labels} />
        </FoldKeeper>
        <div ref={fields}>
          {held.asJson ? (
            <JsonEditor text={held.text} onText={held.setJson} verdict={held.verdict} label={t("form.json")} readOnly={!!busy} labels={labels} autoFocus />
          ) : (
            <Fields
              card={card}
              held={{ ...held, change: (name, value) => (setTouched(new Set(touched).add(name)), held.change(name, value)) }}
              problems={problems}
              tried={tried}
              touched={touched}
              disabled={!!busy}
              labels={labels}
            />
          )}
        </div>
        {card.fields.length > 0 && (
          <button type="button" className="ak-fold" onClick={held.toggle} disabled={held.stuck} title={held.stuck ? t("form.stuck") : undefined}>
            {t(held.asJson ? "form.as_form" : "form.as_json")}
          </button>
        )}
        <span ref={end} className="ak-end" />
        <Times pending={pending} labels={labels} />
      </div>
      <div className="ak-card-foot" inert={!meant}>
        <Refusal notice={notice} labels={labels} />
        {unseen && <Unseen {...{ editing: false, closed, below, more, t }} unfold={() => setAll(true)} />}
        {(card.approve || card.decline) && (
          <p className="ak-means">{t("card.means", { approve: approveWord, decline: declineWord })}</p>
        )}
        <div className="ak-buttons ak-decide">
          {allowed("answer") && (
            <>
              <Button tone="primary" icon="check" off={!!busy || unseen} onClick={approve}>
                {approveWord}
              </Button>
              <Button icon="cross" off={!!busy} onClick={() => decide("answer", '{"approved": false}')}>
                {declineWord}
              </Button>
            </>
          )}
          {allowed("cancel") && (
            <Button tone="ghost" off={!!busy} onClick={() => decide("cancel", "")}>
              {t("pause.cancel")}
            </Button>
          )}
        </div>
        <Busy busy={busy} late={late} labels={labels} />
      </div>
    </form>
  );
}
