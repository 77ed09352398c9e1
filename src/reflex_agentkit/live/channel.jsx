// The page's end of the live channel (see channel.py): one socket a page, text kept outside React and outside Reflex
// state, so that only the message that is being written draws. Offsets count code points, as Python does.
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { io } from "socket.io-client";
import env from "$/env.json";
import reflexEnvironment from "$/reflex.json";
import { getBackendURL, getToken } from "$/utils/state";

const NAMESPACE = "/agentkit";

const texts = new Map(); // live id -> { text, count, watchers }
const names = new Map(); // number on the wire -> live id
const follows = new Map(); // channel -> { threadId, revision, mounted: Set of mounted ThreadSync }

const lines = new Set(); // who wants to know whether the websocket is open

let socket = null;
let everConnected = false;

function textOf(id) {
  let entry = texts.get(id);
  if (!entry) texts.set(id, (entry = { text: "", count: 0, watchers: new Set() }));
  return entry;
}

function countPoints(text) {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function append(name, offset, text) {
  const id = names.get(name);
  if (id === undefined) return;
  const entry = textOf(id);
  if (offset > entry.count) return follows.forEach((_, channel) => subscribe(channel)); // a gap: ask again from here
  if (offset === 0 && entry.count > 0) {
    entry.text = ""; // told from the start: what was here before is not this text's beginning
    entry.count = 0;
  }
  const known = entry.count - offset;
  const added = known > 0 ? [...text].slice(known).join("") : text;
  if (!added) return;
  entry.text += added;
  entry.count += countPoints(added);
  entry.watchers.forEach((tell) => tell());
}

function introduce(name, id) {
  names.set(name, id);
  textOf(id);
}

function poke(channel, threadId, revision) {
  const follow = follows.get(channel);
  if (!follow || follow.threadId !== threadId || follow.revision === revision) return;
  follow.revision = revision;
  follow.mounted.forEach((one) => one.current.revision === revision || one.current.onSync?.(revision));
}

function subscribe(channel) {
  const follow = follows.get(channel);
  if (!follow?.threadId || !socket?.connected) return;
  const have = {};
  const start = `${channel} ${follow.threadId} `;
  texts.forEach((entry, id) => {
    if (id.startsWith(start)) have[id] = entry.count;
  });
  socket.emit("sub", { k: channel, th: follow.threadId, have });
}

function forget(channel) {
  texts.forEach((entry, id) => {
    if (id.startsWith(`${channel} `) && !entry.watchers.size) texts.delete(id);
  });
}

function connect() {
  if (socket || typeof window === "undefined") return;
  const url = getBackendURL(env.EVENT);
  // The same options as Reflex's own socket, so that whichever comes first makes the one websocket for both.
  socket = io(`${url.origin}${NAMESPACE}`, {
    path: url.pathname,
    transports: [env.TRANSPORT],
    protocols: [reflexEnvironment.version],
    autoConnect: false,
    reconnection: false,
    query: { token: getToken() },
  });
  socket.on("connect", () => {
    names.clear();
    follows.forEach((follow, channel) => {
      follow.revision = null;
      subscribe(channel);
      // After a break the server may be another one: the state has to open its thread there again.
      if (everConnected) follow.mounted.forEach((one) => one.current.onConnect?.());
    });
    everConnected = true;
  });
  socket.on("connect_error", () => {
    if (socket.io._readyState !== "open") return; // no websocket: Reflex is already trying again
    console.error(
      "reflex_agentkit: the server refused the live channel, so this page does not see what happens. " +
        "Add AgentKitPlugin() to the plugins in rxconfig.py.",
    );
  });
  socket.on("m", introduce);
  socket.on("c", append);
  socket.on("r", poke);
  // The manager connects its sockets again by itself, but for one that the server had closed.
  socket.io.on("open", () => socket.active || socket.connect());
  for (const change of ["open", "close"]) socket.io.on(change, () => lines.forEach((tell) => tell()));
  socket.connect();
}

/** The text of a message that is being written, by its live id. */
export function useLiveText(id) {
  const watch = useCallback(
    (tell) => {
      const { watchers } = textOf(id);
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    [id],
  );
  return useSyncExternalStore(
    watch,
    () => texts.get(id)?.text ?? "",
    () => "",
  );
}

function watchLine(tell) {
  lines.add(tell);
  return () => lines.delete(tell);
}

/** Whether the server can be reached; true as well where nothing is known about it. */
export const useOnline = () =>
  useSyncExternalStore(
    watchLine,
    () => !socket || socket.io._readyState === "open",
    () => true,
  );

/** Write the thread into the address, without a navigation. `null` leaves the address alone. */
function useAddress(address, param) {
  useEffect(() => {
    if (!param || address === null || address === undefined) return;
    const url = new URL(window.location.href);
    if ((url.searchParams.get(param) ?? "") === address) return;
    if (address) url.searchParams.set(param, address);
    else url.searchParams.delete(param);
    window.history.replaceState(window.history.state, "", url);
  }, [address, param]);
}

/** Keeps one state of the page in step with its thread: `onConnect` opens the thread, `onSync` pulls what is new. */
export function ThreadSync({ channel, threadId, revision, address, param, onSync, onConnect }) {
  const latest = useRef({});
  latest.current = { revision, onSync, onConnect };
  const { search } = useLocation();
  useEffect(() => {
    // A block, since what an effect returns is called when the page is left, and an event returns a promise.
    latest.current.onConnect?.();
  }, [search]);
  useAddress(address, param);
  useEffect(() => {
    if (!channel) return;
    connect();
    const follow = follows.get(channel) ?? { threadId: "", revision: null, mounted: new Set() };
    follows.set(channel, follow);
    follow.mounted.add(latest);
    if (threadId && follow.threadId !== threadId) {
      forget(channel);
      follow.threadId = threadId;
      follow.revision = null;
      subscribe(channel);
    }
    return () => {
      follow.mounted.delete(latest);
      if (follow.mounted.size) return;
      follows.delete(channel);
      forget(channel);
      if (socket?.connected) socket.emit("unsub", { k: channel });
    };
  }, [channel, threadId]);
  return null;
}
