// The alert dialog around what is asked. It hides on Escape and decides nothing by itself.
import React, { useEffect, useRef, useState } from "react";
import { Dialog, VisuallyHidden } from "@radix-ui/themes";
import { ApprovalCard, QuestionForm } from "./cards.jsx";
import { Icon } from "./icons.jsx";
import { spoken } from "./visible.jsx";
import { useWords } from "./words.jsx";

/** A screen reader is read this many signs of the arguments; the rest it finds in the card. */
const SPOKEN = 600;

/** So many signs of a text, and how many more there are. */
function said(t, text, most = SPOKEN) {
  const whole = String(text ?? "");
  const first = Array.from(whole.slice(0, 2 * most)).slice(0, most).join("");
  const rest = whole.length - first.length;
  return rest > 0 ? `${spoken(t, first)}… (${t.n("fold.characters", rest)})` : spoken(t, whole);
}

export const titleOf = (t, pending) => t(pending?.card ? "card.title" : pending?.kind === "question" ? "question.title" : "approval.title");

/** What waits, in a line. The agent's words never stand where they could be taken for ours. */
function lineOf(t, key, pending, most) {
  if (pending.kind !== "question") return t(key, { what: said(t, pending.tool_name || t("approval.unnamed"), most) });
  const message = [pending.card?.title, pending.message].filter(Boolean).join(" ");
  return message ? t("question.describe", { message: said(t, message, most) }) : t("question.nothing");
}

export function describe(t, pending) {
  if (pending.kind === "question") return lineOf(t, "", pending);
  const args = said(t, pending.args_text);
  return t("approval.describe", { tool: spoken(t, pending.tool_name || t("approval.unnamed")), args });
}

export function Position({ pending, labels }) {
  const t = useWords(labels);
  if (!(pending?.total > 1)) return null;
  return (
    <span className="ak-position">
      {t("pause.position", { position: t.number(pending.position), total: t.number(pending.total) })}
    </span>
  );
}

export function PauseDialog({ open, pending, onDismiss, labels, children }) {
  const t = useWords(labels);
  const before = useRef(null);
  const title = useRef(null);
  useEffect(() => {
    ApprovalCard.preload();
    QuestionForm.preload();
  }, []);
  // The next of several has its own title: whoever listens is told, and Enter that was meant for the last one is lost.
  useEffect(() => {
    title.current?.focus();
  }, [pending?.id]);
  const dismiss = () => onDismiss?.(pending?.id ?? "");
  return (
    <Dialog.Root open={!!open && !!pending} onOpenChange={(next) => !next && dismiss()}>
      <Dialog.Content
        className="ak-dialog"
        role="alertdialog"
        aria-modal="true"
        onInteractOutside={(event) => event.preventDefault()}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          before.current = document.activeElement;
          title.current?.focus();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          const last = before.current;
          const usable = last && last !== document.body && last.isConnected;
          (usable ? last : document.querySelector("[data-ak-composer]"))?.focus();
        }}
      >
        {pending && (
          <div className="ak-dialog-frame" key={pending.id}>
            <div className="ak-dialog-head">
              <Dialog.Title ref={title} tabIndex={-1} size="4" mb="0">
                {titleOf(t, pending)}
              </Dialog.Title>
              <Position pending={pending} labels={labels} />
              <button type="button" className="ak-head-button" aria-label={t("pause.hide")} title={t("pause.hide")} onClick={dismiss}>
                <Icon name="cross" size={18} />
              </button>
            </div>
            <VisuallyHidden>
              <Dialog.Description>{describe(t, pending)}</Dialog.Description>
            </VisuallyHidden>
            <div className="ak-dialog-body">{children}</div>
          </div>
        )}
      </Dialog.Content>
    </Dialog.Root>
  );
}

/** Says once, to those who listen, that something waits. */
export function Announcer({ pending, labels }) {
  const t = useWords(labels);
  const [text, setText] = useState("");
  const id = pending?.id;
  useEffect(() => {
    setText(pending ? lineOf(t, "pause.announce", pending, 200) : "");
  }, [id]);
  return (
    <div className="ak-vh" role="status" aria-live="polite">
      {text}
    </div>
  );
}

/** The line above the composer that brings a hidden request back. */
export function WaitingBar({ pending, onReview, labels }) {
  const t = useWords(labels);
  if (!pending) return null;
  return (
    <div className="ak-bar">
      <Icon name="hand" size={16} />
      <span>{lineOf(t, "pause.bar", pending, 120)}</span>
      <Position pending={pending} labels={labels} />
      <button type="button" className="ak-button ak-primary ak-small" onClick={() => onReview?.(pending.id)}>
        {t("pause.review")}
      </button>
    </div>
  );
}
