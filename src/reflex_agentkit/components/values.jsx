// JSON values drawn as data, whole and in the letters they came in. What is folded is counted and can be opened.
import React, { useContext, useEffect, useId, useMemo, useRef, useState } from "react";
import { read, slice } from "./exact.js";
import { Pieces, pieces, Visible } from "./visible.jsx";
import { useWords } from "./words.jsx";

/** Texts longer than this are folded; what is drawn before the fold. */
const MOST_SIGNS = 600;
const FIRST_SIGNS = 320;
const MOST_LINES = 14;
const FIRST_LINES = 8;
/** More rows than this are drawn as one text behind a fold; deeper values too. */
const MOST_ROWS = 250;
const MOST_DEPTH = 8;
/** So many rows in all; what is further in is drawn as text. */
const MOST_IN_ALL = 1500;

const Folds = React.createContext(null);
const TooMuch = React.createContext(new Set());

/** The nodes that are drawn as text, so that lists of lists of lists do not become a million rows. */
function tooMuch(root) {
  const found = new Set();
  let left = MOST_IN_ALL;
  const visit = (node) => {
    const children = (node?.children ?? []).slice(0, MOST_ROWS);
    if (children.length > left) return found.add(node);
    left -= children.length;
    return children.forEach((child) => visit(node.type === "object" ? child.children[1] : child));
  };
  visit(root);
  return found;
}

/** Knows which folds are closed: `onClosed(n)` is told whenever that changes; `all` opens them. */
export function FoldKeeper({ all, onClosed, children }) {
  // A set that is changed at once: what is told must never be a moment in which the folds had not yet come.
  const closed = useRef(new Set());
  const [size, setSize] = useState(0);
  const keeper = useMemo(() => {
    const count = (change) => (id) => {
      change(id);
      setSize(closed.current.size);
    };
    return { all, close: count((id) => closed.current.add(id)), open: count((id) => closed.current.delete(id)) };
  }, [all]);
  useEffect(() => onClosed?.(closed.current.size), [size, onClosed]);
  return <Folds.Provider value={keeper}>{children}</Folds.Provider>;
}

function Fold({ label, before, children }) {
  const keeper = useContext(Folds);
  const id = useId();
  const [opened, setOpened] = useState(false);
  const open = opened || keeper?.all;
  useEffect(() => {
    if (!keeper || open) return undefined;
    keeper.close(id);
    return () => keeper.open(id);
  }, [keeper?.close, open, id]);
  if (open) return children;
  return (
    <>
      {before}
      <button type="button" className="ak-fold" onClick={() => setOpened(true)}>
        {label}
      </button>
    </>
  );
}

const count = (text) => Array.from(text).length;
const size = (piece) => (piece.kind === "text" ? count(piece.text) : 8);
const lines = (list) => list.reduce((sum, piece) => sum + (piece.kind === "text" ? piece.text.split("\n").length - 1 : 0), 1);

function cut(list) {
  const first = [];
  let signs = 0;
  let breaks = 0;
  for (const piece of list) {
    if (piece.kind !== "text") {
      if (signs + 8 > FIRST_SIGNS) return first;
      first.push(piece);
      signs += 8;
      continue;
    }
    let taken = "";
    for (const sign of piece.text) {
      if (sign === "\n") breaks += 1;
      if (signs >= FIRST_SIGNS || breaks >= FIRST_LINES) return [...first, { kind: "text", text: taken }];
      taken += sign;
      signs += 1;
    }
    first.push({ kind: "text", text: taken });
  }
  return first;
}

const sizeOf = (list) => list.reduce((sum, piece) => sum + size(piece), 0);

function folded(list) {
  const total = sizeOf(list);
  if (total <= MOST_SIGNS && lines(list) <= MOST_LINES) return { list, first: list, rest: 0 };
  const first = cut(list);
  return { list, first, rest: total - sizeOf(first) };
}

/** A text with hidden characters shown; a long one is folded. */
export function LongText({ text, labels }) {
  const t = useWords(labels);
  const { list, first, rest } = useMemo(() => folded(pieces(text)), [text]);
  const whole = <Pieces list={list} t={t} />;
  if (!rest) return whole;
  return (
    <Fold label={t.n("fold.characters", rest)} before={<Pieces list={first} t={t} />}>
      {whole}
    </Fold>
  );
}

function Scalar({ text, node, labels }) {
  if (node.type === "string")
    return (
      <span className="ak-string">
        <LongText text={node.value} labels={labels} />
      </span>
    );
  return (
    <span className={`ak-scalar ak-${node.type}`}>
      <LongText text={slice(text, node)} labels={labels} />
    </span>
  );
}

function Value({ text, node, labels, depth }) {
  const asText = useContext(TooMuch);
  const children = node.children ?? [];
  const nested = node.type === "object" || node.type === "array";
  if (!nested) return <Scalar text={text} node={node} labels={labels} />;
  if (!children.length) return <span className="ak-scalar">{node.type === "object" ? "{}" : "[]"}</span>;
  if (depth >= MOST_DEPTH || asText.has(node))
    return (
      <pre className="ak-raw">
        <LongText text={slice(text, node)} labels={labels} />
      </pre>
    );
  return <Rows text={text} node={node} labels={labels} depth={depth} />;
}

function Rows({ text, node, labels, depth }) {
  const t = useWords(labels);
  const children = node.children ?? [];
  const first = children.length > MOST_ROWS ? children.slice(0, MOST_ROWS) : children;
  const rest = children.slice(first.length);
  const last = children[children.length - 1];
  return (
    <dl className={depth ? "ak-values ak-nested" : "ak-values"}>
      {first.map((child, at) => {
        const [key, value] = node.type === "object" ? child.children : [null, child];
        const tall = value?.children?.length > 0;
        return (
          <div className={tall ? "ak-row ak-tall" : "ak-row"} key={at}>
            <dt>{key ? <LongText text={key.value} labels={labels} /> : at + 1}</dt>
            <dd>{value && <Value text={text} node={value} labels={labels} depth={depth + 1} />}</dd>
          </div>
        );
      })}
      {rest.length > 0 && (
        <div className="ak-row ak-rest">
          <dt>{t("fold.rest")}</dt>
          <dd>
            <Fold label={t.n("fold.values", rest.length)}>
              <pre className="ak-raw">
                <Visible text={text.slice(rest[0].offset, last.offset + last.length)} labels={labels} />
              </pre>
            </Fold>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The arguments of a call, or any JSON text; what is not JSON is shown as the text it is. */
export function Values({ text, labels }) {
  const t = useWords(labels);
  const { root, asText } = useMemo(() => {
    const { root: found } = read(text || "");
    return { root: found, asText: tooMuch(found) };
  }, [text]);
  if (!root)
    return (
      <pre className="ak-raw">
        <LongText text={text} labels={labels} />
      </pre>
    );
  if (root.type === "object" && !root.children?.length) return <p className="ak-quiet">{t("values.none")}</p>;
  return (
    <TooMuch.Provider value={asText}>
      <Value text={text} node={root} labels={labels} depth={0} />
    </TooMuch.Provider>
  );
}
