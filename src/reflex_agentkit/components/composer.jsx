// Where a person writes. The text is theirs until the server has accepted it.
import React, { useEffect, useId, useRef, useState } from "react";
import { useOnline } from "$/public/external/reflex_agentkit/live/channel_asset/channel.jsx";
import { Drafts } from "./drafts.js";
import { useLayout } from "./focus.js";
import { Icon } from "./icons.jsx";
import { useLeaving } from "./leaving.js";
import { useWords } from "./words.jsx";

/** Texts by thread, so that a look at another conversation loses nothing. */
const drafts = new Drafts();
/** A send without any answer from a server that can be reached frees the button again after this time. */
const PATIENCE = 10_000;

function useDraft(threadId) {
  const [text, setText] = useState(() => drafts.get(threadId) ?? "");
  const shown = useRef(threadId);
  useEffect(() => {
    if (shown.current === threadId) return;
    // The first message gives a new conversation its id: then the text goes with it.
    const known = drafts.get(threadId);
    if (known !== undefined || shown.current) setText(known ?? "");
    shown.current = threadId;
  }, [threadId]);
  const write = (next) => {
    drafts.set(threadId, next);
    setText(next);
  };
  return [text, write];
}

/** The text under way to the server, if any: until it was accepted or refused. */
function useSending({ accepted, notice, text, write }) {
  const [sending, setSending] = useState(null);
  const before = useRef(accepted);
  const online = useOnline();
  useEffect(() => {
    if (accepted > before.current && sending !== null) {
      drafts.forEach((draft, id) => draft.trim() === sending && drafts.delete(id));
      if (text.trim() === sending) write("");
      setSending(null);
    }
    before.current = accepted;
  }, [accepted]);
  useEffect(() => {
    if (notice?.code || notice?.text) setSending(null);
  }, [notice]);
  useEffect(() => {
    // Without a connection the text waits to be sent, and would be sent twice.
    if (sending === null || !online) return undefined;
    const timer = setTimeout(() => setSending(null), PATIENCE);
    return () => clearTimeout(timer);
  }, [sending, online]);
  return [sending, setSending];
}

export function Composer({ status: known, threadId, accepted, notice, onSend, onStop, onCancelAndSend, labels, placeholder }) {
  const t = useWords(labels);
  const id = useId();
  const box = useRef(null);
  const leaving = useLeaving(threadId, known);
  const status = leaving ? "idle" : known;
  const [text, write] = useDraft(leaving ? "" : threadId);
  const [sending, setSending] = useSending({ accepted, notice, text, write });
  const running = status === "running";
  const waiting = status === "awaiting_input";
  const said = text.trim();
  const held = waiting ? t("composer.blocked") : running ? t("composer.running") : "";
  const why = (waiting || said) && held ? held : sending !== null ? t("composer.sending") : "";
  const blocked = !said || sending !== null;

  useLayout(() => {
    const element = box.current;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);

  const send = (how) => {
    if (blocked) return;
    setSending(said);
    how?.(said);
    box.current?.focus();
  };
  const submit = (event) => {
    event?.preventDefault();
    if (!running && !waiting) send(onSend);
  };
  const onKeyDown = (event) => {
    // Enter also ends a composition of an input method; then it is not ours.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    submit();
  };
  return (
    <form className="ak-composer" onSubmit={submit}>
      <label htmlFor={id} className="ak-vh">
        {t("composer.label")}
      </label>
      <textarea
        id={id}
        ref={box}
        rows={1}
        name="text"
        data-ak-composer=""
        value={text}
        placeholder={waiting ? t("composer.waiting") : placeholder || t("composer.placeholder")}
        aria-describedby={held ? `${id}-why` : undefined}
        dir={text ? "auto" : undefined}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="ak-composer-foot">
        <span id={`${id}-why`} className={why ? "ak-composer-why" : "ak-composer-why ak-keys-hint"}>
          {why || (running ? "" : t("composer.keys"))}
        </span>
        {waiting && said && (
          <button type="button" className="ak-button ak-soft" disabled={blocked} onClick={() => send(onCancelAndSend)}>
            {t("composer.cancel_and_send")}
          </button>
        )}
        {running || waiting ? (
          <button type="button" className="ak-round ak-stop" aria-label={t("composer.stop")} title={t("composer.stop")} onClick={() => onStop?.()}>
            <Icon name="stop" size={18} />
          </button>
        ) : (
          <button type="submit" className="ak-round" aria-label={t("composer.send")} title={t("composer.send")} disabled={blocked}>
            <Icon name="send" size={18} />
          </button>
        )}
      </div>
    </form>
  );
}
