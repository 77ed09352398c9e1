// The buttons of an approval: named by what they do, and only those that the request allows.
import React, { useEffect, useId, useRef } from "react";
import { Button, useDraft } from "./pause_parts.jsx";
import { useWords } from "./words.jsx";

function Words({ name, pending, decision, decide, back, busy, rows, required, labels }) {
  const t = useWords(labels);
  const id = useId();
  const box = useRef(null);
  const [text, write] = useDraft(pending.id, name, "");
  useEffect(() => box.current?.focus(), []);
  const empty = required && !text.trim();
  const submit = (event) => {
    event.preventDefault();
    if (!empty) decide(decision, text);
  };
  const shared = { id, ref: box, value: text, disabled: !!busy, onChange: (event) => write(event.target.value) };
  return (
    <form className="ak-say" onSubmit={submit}>
      <label htmlFor={id} className="ak-label">
        {t(`${name}.label`)}
      </label>
      {rows ? <textarea rows={rows} {...shared} /> : <input type="text" placeholder={t(`${name}.placeholder`)} {...shared} />}
      <div className="ak-buttons">
        <Button tone={name === "reject" ? "danger" : "primary"} type="submit" icon={name === "reject" ? "cross" : "reply"} disabled={!!busy || empty}>
          {t(`${name}.send`)}
        </Button>
        <Button tone="ghost" onClick={back} disabled={!!busy}>
          {t("pause.back")}
        </Button>
      </div>
    </form>
  );
}

function Editing({ allowed, edited, unseen, decide, back, busy, labels }) {
  const t = useWords(labels);
  const ready = edited.settled && edited.valid;
  const plain = edited.same && allowed("approve");
  const submit = () => (plain ? decide("approve") : decide("edit", edited.text));
  return (
    <div className="ak-buttons">
      <Button tone="primary" icon="check" disabled={!!busy || unseen || !ready || (edited.same && !plain)} onClick={submit}>
        {t(edited.same ? "approval.approve" : "approval.approve_changed")}
      </Button>
      <Button tone="soft" disabled={!!busy || edited.same} onClick={edited.reset}>
        {t("approval.reset")}
      </Button>
      <Button tone="ghost" disabled={!!busy} onClick={back}>
        {t("pause.back")}
      </Button>
    </div>
  );
}

export function DecideBar({ pending, mode, setMode, decide, busy, unseen, edited, labels }) {
  const t = useWords(labels);
  const allowed = (decision) => (pending.allowed_decisions ?? []).includes(decision);
  const back = () => setMode("view");
  const shared = { pending, decide, back, busy, labels };
  if (mode === "edit" && allowed("edit") && pending.readable)
    return <Editing {...shared} allowed={allowed} edited={edited} unseen={unseen} />;
  if (mode === "reject" && allowed("reject")) return <Words {...shared} name="reject" decision="reject" />;
  if (mode === "respond" && allowed("respond"))
    return <Words {...shared} name="respond" decision="respond" rows={3} required />;
  const off = !!busy;
  return (
    <div className="ak-buttons ak-decide">
      {allowed("approve") && pending.readable && (
        <Button tone="primary" icon="check" disabled={off || unseen} onClick={() => decide("approve")}>
          {t("approval.approve")}
        </Button>
      )}
      {allowed("edit") && pending.readable && (
        <Button icon="pencil" disabled={off} onClick={() => setMode("edit")}>
          {t("approval.edit")}
        </Button>
      )}
      {allowed("respond") && (
        <Button icon="reply" disabled={off} onClick={() => setMode("respond")}>
          {t("approval.respond")}
        </Button>
      )}
      {allowed("reject") && (
        <Button icon="cross" disabled={off} onClick={() => setMode("reject")}>
          {t("approval.reject")}
        </Button>
      )}
      {allowed("cancel") && (
        <Button tone="ghost" disabled={off} onClick={() => decide("cancel")}>
          {t("pause.cancel")}
        </Button>
      )}
    </div>
  );
}
