// Between a click on another conversation and the server's answer: what is typed then is meant for the other one.
import { useEffect, useSyncExternalStore } from "react";

let left = null;
const watchers = new Set();

function set(threadId) {
  if (left === threadId) return;
  left = threadId;
  watchers.forEach((tell) => tell());
}

/** Called by what asks the server for another conversation; `threadId` is the one that is left. */
export const leave = (threadId) => set(threadId);

function watch(tell) {
  watchers.add(tell);
  return () => watchers.delete(tell);
}

/** Whether the shown conversation is being left; over as soon as anything new is known about it. */
export function useLeaving(threadId, status) {
  const leaving = useSyncExternalStore(
    watch,
    () => left !== null && left === threadId,
    () => false,
  );
  useEffect(() => set(null), [threadId, status]);
  return leaving;
}
