// One call that waits for a yes or a no: its name, every argument, and the buttons that the request allows.
import React, { useEffect, useState } from "react";
import { DecideBar } from "./decide_bar.jsx";
import { useFocusHome } from "./focus.js";
import { EditArguments } from "./edit_arguments.jsx";
import { useCheck } from "./json_editor.jsx";
import { AgentWords, Busy, Refusal, Times, useBusy, useDraft, useMeant } from "./pause_parts.jsx";
import { useReached } from "./reached.jsx";
import { useTwoViews } from "./two_views.js";
import { Unseen } from "./unseen.jsx";
import { FoldKeeper, LongText, Values } from "./values.jsx";
import { Visible } from "./visible.jsx";
import { useWords } from "./words.jsx";

function Arguments({ pending, labels }) {
  const t = useWords(labels);
  if (!pending.readable)
    return (
      <>
        <div className="ak-note ak-note-bad">{t("approval.unreadable")}</div>
        {pending.args_text ? (
          <pre className="ak-raw">
            <LongText text={pending.args_text} labels={labels} />
          </pre>
        ) : (
          <p className="ak-quiet">{t("approval.nothing")}</p>
        )}
      </>
    );
  return <Values text={pending.args_text || "{}"} labels={labels} />;
}

function Card({ pending, onDecide, notice, labels }) {
  const t = useWords(labels);
  const [mode, setMode] = useDraft(pending.id, "mode", "view");
  const proposal = pending.readable ? pending.args_text || "{}" : "{}";
  const held = useTwoViews(pending, { name: "args", schemaText: pending.args_schema_text, originalText: proposal }, t);
  const [busy, setBusy, late] = useBusy(pending, notice);
  const meant = useMeant();
  const [closed, setClosed] = useState(0);
  const [all, setAll] = useState(false);
  const { body, end, reached, below, more } = useReached([mode, closed]);
  const focus = useFocusHome(body);
  const verdict = useCheck(held.text, pending.args_schema_text, proposal);
  const decide = (decision, words = "") => {
    if (busy || !meant) return;
    setBusy(decision);
    onDecide?.(pending.id, pending.digest, decision, words);
  };
  const editing = mode === "edit";
  // An edit is an approval too: the proposal has to have been in view once, not the editor with what it hides.
  const [seen, setSeen] = useDraft(pending.id, `seen ${pending.digest}`, false);
  const whole = !editing && closed === 0 && reached;
  useEffect(() => {
    if (whole && !seen) setSeen(true);
  }, [whole]);
  return (
    <section className="ak-card" data-interrupt={pending.id} aria-label={t("approval.title")} {...focus}>
      <div className="ak-card-body" ref={body} tabIndex={0} data-ak-home="" role="group" aria-label={t("approval.what")}>
        <p className="ak-card-tool">
          <span className="ak-label">{t("approval.tool")}</span>
          <code>
            {pending.tool_name ? <Visible text={pending.tool_name} labels={labels} /> : t("approval.unnamed")}
          </code>
        </p>
        {editing ? (
          <EditArguments pending={pending} held={held} verdict={verdict} busy={busy} labels={labels} />
        ) : (
          <div className="ak-card-args">
            <p className="ak-label">{t("tool.arguments")}</p>
            <FoldKeeper all={all} onClosed={setClosed}>
              <Arguments pending={pending} labels={labels} />
            </FoldKeeper>
          </div>
        )}
        <span ref={end} className="ak-end" />
        {pending.metadata?.refused_before && <div className="ak-note">{t("approval.refused_before")}</div>}
        <AgentWords text={pending.message} labels={labels} />
        <Times pending={pending} labels={labels} />
      </div>
      <div className="ak-card-foot" inert={!meant}>
        <Refusal notice={notice} labels={labels} />
        {!seen && !whole && <Unseen {...{ editing, closed, below, more, t }} unfold={() => setAll(true)} />}
        <DecideBar
          pending={pending}
          mode={mode}
          setMode={setMode}
          decide={decide}
          busy={busy}
          unseen={!seen && !whole}
          edited={{ ...verdict, valid: verdict.valid && !held.unread.length, text: held.text, reset: () => held.setValue(held.original) }}
          labels={labels}
        />
        <Busy busy={busy} late={late} labels={labels} />
      </div>
    </section>
  );
}

/** `onDecide(id, digest, decision, text)`; the card starts anew with each request and each change of what is asked. */
export function ApprovalCard({ pending, ...rest }) {
  return pending ? <Card key={`${pending.id} ${pending.digest}`} pending={pending} {...rest} /> : null;
}
