// A text area for JSON with line numbers and the faults beside their lines. The text is only ever what was typed.
import React, { useDeferredValue, useEffect, useId, useMemo, useRef } from "react";
import { check, checker } from "./schema_check.js";
import { pieces } from "./visible.jsx";
import { useWords } from "./words.jsx";

/** A larger text is edited without the mirror that carries line numbers: it would be laid out twice at each key. */
const MIRRORED = 60_000;

/** What is wrong, in words. */
export function sentence(t, { kind, values }) {
  if (kind === "type") {
    const expected = values.expected.map((type) => t(`type.${type}`)).join(t("type.or"));
    return t("problem.type", { expected });
  }
  return kind.startsWith("syntax.") ? t(kind) : t(`problem.${kind}`, values);
}

const pathWords = (path) => path.reduce((sofar, key) => (/^\d+$/.test(key) ? `${sofar}[${key}]` : sofar ? `${sofar}.${key}` : key), "");

/**
 * `{valid, same, problems, settled}` of a text, and `now()` for the same without `settled`, which is false while the
 * check lags behind the typing. With `original` the schema is that of a tool's arguments.
 */
export function useCheck(text, schemaText, original) {
  const checks = useMemo(() => checker(schemaText, original !== undefined), [schemaText, original === undefined]);
  const later = useDeferredValue(text);
  const verdict = useMemo(() => check(later, checks, original), [later, checks, original]);
  const settled = later === text;
  return { ...verdict, settled, now: () => (settled ? verdict : check(text, checks, original)) };
}

const hiddenCodes = (text) =>
  text.length > MIRRORED ? [] : [...new Set(pieces(text).filter(({ kind }) => kind === "hidden").map((piece) => piece.text))];

function Mirror({ text, byLine, t }) {
  return (
    <div className="ak-editor-mirror" aria-hidden="true">
      {text.split("\n").map((line, at) => {
        const wrong = byLine.get(at + 1);
        return (
          <div key={at} className={wrong ? "ak-line ak-line-bad" : "ak-line"}>
            {line || "\u200b"}
            {wrong && <span className="ak-line-note">{sentence(t, wrong)}</span>}
          </div>
        );
      })}
    </div>
  );
}

export function JsonEditor({ text, onText, verdict, label, labels, autoFocus, readOnly }) {
  const t = useWords(labels);
  const id = useId();
  const area = useRef(null);
  const { problems } = verdict;
  const mirrored = text.length <= MIRRORED;
  const byLine = useMemo(() => new Map([...problems].reverse().map((problem) => [problem.line, problem])), [problems]);
  // A text area draws direction marks and hides what is hidden, so what it holds is said beside it.
  const hidden = useMemo(() => hiddenCodes(text), [text]);
  useEffect(() => {
    if (autoFocus) area.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  const jump = (offset) => {
    area.current?.focus();
    area.current?.setSelectionRange(offset, offset);
  };
  return (
    <div className="ak-editor-box">
      <label htmlFor={id} className="ak-label">
        {label}
      </label>
      <div className={mirrored ? "ak-editor" : "ak-editor ak-editor-plain"} dir="ltr">
        {mirrored && <Mirror text={text} byLine={byLine} t={t} />}
        <textarea
          id={id}
          ref={area}
          value={text}
          readOnly={readOnly}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          aria-invalid={problems.length > 0}
          aria-describedby={`${id}-problems`}
          rows={mirrored ? 1 : 18}
          onChange={(event) => onText(event.target.value)}
        />
      </div>
      {hidden.length > 0 && <p className="ak-note ak-hidden">{t("editor.hidden", { codes: hidden.join(", ") })}</p>}
      <ul id={`${id}-problems`} className="ak-problems" aria-live="polite">
        {problems.map((problem, at) => (
          <li key={at}>
            <button type="button" onClick={() => jump(problem.offset)}>
              {t("editor.line", { line: problem.line })}
            </button>
            {problem.path.length > 0 && <code>{pathWords(problem.path)}</code>}
            <span>{sentence(t, problem)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
