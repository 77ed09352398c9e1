// Text as data: hidden characters become chips with their code, long runs of blanks become a count.
import React, { useMemo } from "react";
import { useWords } from "./words.jsx";

const BREAKS = "\\n\\r\\u0085\\u000b\\u000c\\u2028\\u2029";
const BLANKS = " \\t\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\u2800\\u3164\\uffa0\\u115f\\u1160";
const EMOJI = "\\p{Extended_Pictographic}\\ufe0f?\\p{Emoji_Modifier}?";
const KEYCAP = "[0-9#*]\\ufe0f\\u20e3";
const HIDDEN = "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{DI}";
// An emoji is one sign although it holds joiners; everything else that cannot be seen is shown.
const PIECE = new RegExp(`${EMOJI}(?:\\u200d${EMOJI})*|${KEYCAP}|[${BREAKS}${BLANKS}]+|[${HIDDEN}]`, "gu");
const IS_BREAK = new RegExp(`[${BREAKS}]`, "u");
const PLAIN_BLANKS = /^[ \t\r\n]*$/;

/** The most blanks in a row, the most line breaks, and the deepest indentation, that are drawn as they are. */
const MOST_BLANKS = 7;
const MOST_BREAKS = 3;
const MOST_INDENT = 40;

const code = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

function whitespace(run) {
  const plain = PLAIN_BLANKS.test(run) && !/\r(?!\n)/.test(run);
  const flat = run.replace(/\r\n/g, "\n");
  const signs = Array.from(flat);
  const breaks = signs.filter((sign) => IS_BREAK.test(sign)).length;
  const blanks = signs.length - breaks;
  const indent = flat.length - 1 - flat.lastIndexOf("\n");
  const fits = breaks ? breaks <= MOST_BREAKS && blanks <= MOST_INDENT && indent <= MOST_INDENT : blanks <= MOST_BLANKS;
  if (plain && fits) return [{ kind: "text", text: flat }];
  if (!plain && signs.length <= MOST_BLANKS && breaks <= MOST_BREAKS)
    return signs.map((sign) => (/[ \t\n]/.test(sign) ? { kind: "text", text: sign } : { kind: "hidden", text: code(sign) }));
  const gap = { kind: "gap", blanks, breaks };
  return breaks ? [gap, { kind: "text", text: "\n" }] : [gap];
}

/** Pieces to draw: `text`, `hidden` (a code), `gap` (`blanks`, `breaks`). */
export function pieces(source) {
  const text = String(source ?? "");
  const found = [];
  let from = 0;
  const add = (piece) => {
    const last = found[found.length - 1];
    if (piece.kind === "text" && last?.kind === "text") last.text += piece.text;
    else found.push({ ...piece });
  };
  for (const match of text.matchAll(PIECE)) {
    const [run] = match;
    if (match.index > from) add({ kind: "text", text: text.slice(from, match.index) });
    from = match.index + run.length;
    if (/^[\s\u0085\u2800\u3164\uffa0\u115f\u1160]/u.test(run) && run !== "\ufeff") whitespace(run).forEach(add);
    else if (new RegExp(`^[${HIDDEN}]$`, "u").test(run)) add({ kind: "hidden", text: code(run) });
    else add({ kind: "text", text: run });
  }
  if (from < text.length) add({ kind: "text", text: text.slice(from) });
  return found;
}

export function gapWords(t, { blanks, breaks }) {
  if (!breaks) return t.n("visible.blanks", blanks);
  if (!blanks) return t.n("visible.breaks", breaks);
  return t("visible.both", { breaks: t.n("visible.breaks", breaks), blanks: t.n("visible.blanks", blanks) });
}

/** The same as one line of plain text, for a name that a screen reader speaks. */
export const spoken = (t, text) =>
  pieces(text)
    .map((piece) => (piece.kind === "text" ? piece.text : `⟨${piece.kind === "gap" ? gapWords(t, piece) : piece.text}⟩`))
    .join("");

export function Pieces({ list, t }) {
  return list.map((piece, at) => {
    if (piece.kind === "text") return <React.Fragment key={at}>{piece.text}</React.Fragment>;
    const words = piece.kind === "gap" ? gapWords(t, piece) : piece.text;
    return (
      <span key={at} className="ak-chip" title={t(piece.kind === "gap" ? "visible.gap" : "visible.hidden")}>
        {`⟨${words}⟩`}
      </span>
    );
  });
}

export function Visible({ text, labels }) {
  const t = useWords(labels);
  const list = useMemo(() => pieces(text), [text]);
  return (
    <bdi>
      <Pieces list={list} t={t} />
    </bdi>
  );
}
