// Values in the form's own terms. What a person typed for a number, or as JSON, is kept letter for letter behind a
// mark, so that it reaches the server as it was typed. A text that looks like a mark is marked as the text it is.

const MARK = "\u0000";
const NUMBER = `${MARK}number:`;
const JSON_TEXT = `${MARK}json:`;
const TEXT = `${MARK}text:`;

const begins = (value, mark) => typeof value === "string" && value.startsWith(mark);

/** Whether a value is held as it was typed. */
export const isTyped = (value) => begins(value, NUMBER) || begins(value, JSON_TEXT);
export const isTypedNumber = (value) => begins(value, NUMBER);
export const isTypedJson = (value) => begins(value, JSON_TEXT);
export const isNumber = (value) => typeof value === "number" || isTypedNumber(value);
export const isText = (value) => typeof value === "string" && !isTyped(value);

/** The JSON text of a number as people type one; undefined where it is none. */
export function numberText(typed) {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(typed.trim());
  if (!parts || (!parts[2] && !parts[3])) return undefined;
  const whole = parts[2].replace(/^0+(?=\d)/, "") || "0";
  return (parts[1] === "-" ? "-" : "") + whole + (parts[3] ? `.${parts[3]}` : "") + (parts[4] ? `e${parts[4]}` : "");
}

/** What is wrong with a number as it was typed: the kind of a problem, or undefined. */
export function numberFault(typed) {
  const text = numberText(typed);
  if (text === undefined) return "number";
  return Number.isFinite(Number(text)) ? undefined : "large";
}

const isPlain = (text) => /^-?\d/.test(text) && String(Number(text)) === text;

/** A number that JavaScript can hold as it was written, or the writing itself. */
export const numberOf = (text) => (isPlain(text) ? Number(text) : NUMBER + text);
export const jsonOf = (text) => JSON_TEXT + text;
/** A text as a value, and back. */
export const textOf = (text) => (text.startsWith(MARK) ? TEXT + text : text);
export const lettersOf = (value) => (begins(value, TEXT) ? value.slice(TEXT.length) : value);

/** What to show in a field for a value. */
export function typedOf(value) {
  if (value === undefined || value === null) return "";
  return begins(value, MARK) ? value.slice(value.indexOf(":") + 1) : String(value);
}

/** The JSON text of a number; undefined where what was typed is none. */
export const digitsOf = (value) => (typeof value === "number" ? String(value) : numberText(typedOf(value)));
