// The buttons of an approval: named by what they do, and only those that the request allows.
import React, { useEffect, useId, useRef, useState } from "react";
import { approveWords } from "./act.js";
import { Button } from "./button.jsx";
import { useDraft } from "./pause_parts.jsx";
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
  const shared = { id, ref: box, value: text, readOnly: !!busy, dir: text ? "auto" : undefined, onChange: (event) => write(event.target.value) };
  return (
    <form className="ak-say" onSubmit={submit}>
      <label htmlFor={id} className="ak-label">
        {t(`${name}.label`)}
      </label>
      {rows ? <textarea rows={rows} {...shared} /> : <input type="text" placeholder={t(`${name}.placeholder`)} {...shared} />}
      <div className="ak-buttons">
        <Button tone={name === "reject" ? "danger" : "primary"} type="submit" icon={name === "reject" ? "cross" : "reply"} off={!!busy || empty}>
          {t(`${name}.send`)}
        </Button>
        <Button tone="ghost" onClick={back} off={!!busy}>
          {t("pause.back")}
        </Button>
      </div>
    </form>
  );
}

function Editing({ pending, allowed, edited, unseen, decide, back, busy, labels }) {
  const t = useWords(labels);
  // What was not changed is no edit, and needs no check.
  const ready = edited.settled && (edited.valid || edited.same);
  const plain = edited.same && allowed("approve");
  const submit = () => (plain ? decide("approve") : decide("edit", edited.text));
  return (
    <div className="ak-buttons">
      <Button tone="primary" icon="check" data-decides="approve" off={!!busy || unseen || !ready || (edited.same && !plain)} onClick={submit}>
        {approveWords(t, pending.tool_name, !edited.same)}
      </Button>
      <Button tone="soft" off={!!busy || edited.same} onClick={edited.reset}>
        {t("approval.reset_all")}
      </Button>
      <Button tone="ghost" off={!!busy} onClick={back}>
        {t("pause.back")}
      </Button>
    </div>
  );
}

export function DecideBar({ pending, mode, setMode, decide, busy, unseen, edited, labels }) {
  const t = useWords(labels);
  const allowed = (decision) => (pending.allowed_decisions ?? []).includes(decision);
  const [came, setCame] = useState("");
  const back = () => {
    setCame(mode);
    setMode("view");
  };
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
        <Button tone="primary" icon="check" data-decides="approve" off={off || unseen} onClick={() => decide("approve")}>
          {approveWords(t, pending.tool_name, false)}
        </Button>
      )}
      {allowed("edit") && pending.readable && (
        <Button icon="pencil" off={off} autoFocus={came === "edit"} onClick={() => setMode("edit")}>
          {t("approval.edit")}
        </Button>
      )}
      {allowed("respond") && (
        <Button icon="reply" off={off} autoFocus={came === "respond"} onClick={() => setMode("respond")}>
          {t("approval.respond")}
        </Button>
      )}
      {allowed("reject") && (
        <Button icon="cross" off={off} autoFocus={came === "reject"} onClick={() => setMode("reject")}>
          {t("approval.reject")}
        </Button>
      )}
      {allowed("cancel") && (
        <Button tone="ghost" off={off} onClick={() => decide("cancel")}>
          {t("pause.cancel")}
        </Button>
      )}
    </div>
  );
}
