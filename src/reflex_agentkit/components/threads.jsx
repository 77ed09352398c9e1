// The conversations of a person: as a list, and as a menu that opens from the header.
import React, { useRef, useState } from "react";
import { Popover } from "@radix-ui/themes";
import { Icon, Spinner } from "./icons.jsx";
import { leave } from "./leaving.js";
import { ago, useNow } from "./time.jsx";
import { useWords } from "./words.jsx";

function begin(current, onNew) {
  leave(current);
  onNew?.();
}

export function NewThread({ current, onNew, labels }) {
  const t = useWords(labels);
  return (
    <button
      type="button"
      className="ak-head-button"
      aria-label={t("threads.new")}
      title={t("threads.new")}
      onClick={() => begin(current, onNew)}
    >
      <Icon name="plus" size={18} />
    </button>
  );
}

export function ThreadList({ threads, current, onOpen, onNew, labels }) {
  const t = useWords(labels);
  const now = useNow(60_000);
  const list = threads ?? [];
  // The list is loaded when it appears; until then an empty one says nothing.
  const first = useRef(threads);
  const known = list.length > 0 || threads !== first.current;
  const open = (id) => {
    if (id !== current) leave(current);
    onOpen?.(id);
  };
  return (
    <nav className="ak-threads" aria-label={t("threads.title")}>
      <button type="button" className="ak-thread ak-thread-new" onClick={() => begin(current, onNew)}>
        <Icon name="plus" />
        {t("threads.new")}
      </button>
      {list.length === 0 && <p className="ak-quiet">{known ? t("threads.none") : <Spinner />}</p>}
      <ul>
        {list.map((thread) => (
          <li key={thread.id}>
            <button
              type="button"
              className="ak-thread"
              aria-current={thread.id === current ? "true" : undefined}
              onClick={() => open(thread.id)}
            >
              <span dir="auto">{thread.title || t("threads.untitled")}</span>
              {thread.updated_at && (
                <time dateTime={thread.updated_at} title={t.fullTime(thread.updated_at)}>
                  {ago(t, thread.updated_at, now)}
                </time>
              )}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function ThreadMenu({ onLoad, onOpen, onNew, labels, ...rest }) {
  const t = useWords(labels);
  const [open, setOpen] = useState(false);
  const change = (next) => {
    setOpen(next);
    if (next) onLoad?.();
  };
  const closing =
    (act) =>
    (...values) => {
      setOpen(false);
      act?.(...values);
    };
  return (
    <Popover.Root open={open} onOpenChange={change}>
      <Popover.Trigger>
        <button type="button" className="ak-head-button" aria-label={t("threads.title")} title={t("threads.title")}>
          <Icon name="list" size={18} />
        </button>
      </Popover.Trigger>
      <Popover.Content className="ak-threads-pop" align="end" aria-label={t("threads.title")}>
        <ThreadList {...rest} labels={labels} onOpen={closing(onOpen)} onNew={closing(onNew)} />
      </Popover.Content>
    </Popover.Root>
  );
}
