// The keywords of JSON Schema that look at one value: what it must be, how large, how long.
import { compare, digitKey, isMultiple, isWhole } from "./decimal.js";
import { FORMATS } from "./formats.js";
import { isNumber, isText, lettersOf, digitsOf } from "./marks.js";
import { matches } from "./pattern.js";

export const isObject = (value) => !!value && typeof value === "object" && !Array.isArray(value);

const IS = {
  array: Array.isArray,
  boolean: (value) => typeof value === "boolean",
  integer: (value) => isNumber(value) && isWhole(value),
  null: (value) => value === null,
  number: isNumber,
  object: isObject,
  string: isText,
};

/** One text for one value, whatever the order of its keys and the writing of its numbers. */
export function keyOf(value) {
  if (isNumber(value)) return digitKey(value);
  if (Array.isArray(value)) return `[${value.map(keyOf).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${keyOf(value[name])}`).join(",")}}`;
}

/** A value in a sentence. */
export function shown(value) {
  if (isNumber(value)) return digitsOf(value);
  if (isText(value)) return lettersOf(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  return isObject(value) ? `{${Object.entries(value).map(([name, inner]) => `${name}: ${shown(inner)}`).join(", ")}}` : String(value);
}

const lengthOf = (text) => Array.from(lettersOf(text)).length;
const limit = (value) => ({ limit: shown(value) });
const before = (left, right) => compareLetters(left, right) < 0;

/** The order of letters as the server has it: by code point. */
function compareLetters(left, right) {
  const a = Array.from(left);
  const b = Array.from(right);
  const at = a.findIndex((sign, place) => sign !== b[place]);
  if (at < 0) return a.length - b.length;
  return at >= b.length ? 1 : a[at].codePointAt(0) - b[at].codePointAt(0);
}

const sized = (applies, sizeOf, wrong) => (wanted, value) => (applies(value) && wrong(sizeOf(value), Number(wanted)) ? limit(wanted) : null);
const numeric = (wrong) => (wanted, value, schema) => (isNumber(value) && wrong(compare(value, wanted), schema) ? limit(wanted) : null);
const less = (size, wanted) => size < wanted;
const more = (size, wanted) => size > wanted;
const keysOf = (value) => Object.keys(value).length;
const itemsOf = (value) => value.length;

/** From a keyword to a test that gives the values of its sentence, or null where all is well. */
export const KEYWORDS = {
  type: (wanted, value) => {
    const types = [wanted].flat();
    return types.some((type) => IS[type](value)) ? null : { expected: types };
  },
  enum: (wanted, value) => (wanted.some((one) => keyOf(one) === keyOf(value)) ? null : { limit: wanted.map(shown).join(", ") }),
  const: (wanted, value) => (keyOf(wanted) === keyOf(value) ? null : limit(wanted)),
  minimum: numeric((order, schema) => order < 0 || (order === 0 && schema.exclusiveMinimum === true)),
  maximum: numeric((order, schema) => order > 0 || (order === 0 && schema.exclusiveMaximum === true)),
  exclusiveMinimum: (wanted, value) => (wanted !== true && wanted !== false && isNumber(value) && compare(value, wanted) <= 0 ? limit(wanted) : null),
  exclusiveMaximum: (wanted, value) => (wanted !== true && wanted !== false && isNumber(value) && compare(value, wanted) >= 0 ? limit(wanted) : null),
  multipleOf: (step, value) => (isNumber(value) && !isMultiple(value, step) ? limit(step) : null),
  minLength: sized(isText, lengthOf, less),
  maxLength: sized(isText, lengthOf, more),
  minItems: sized(Array.isArray, itemsOf, less),
  maxItems: sized(Array.isArray, itemsOf, more),
  minProperties: sized(isObject, keysOf, less),
  maxProperties: sized(isObject, keysOf, more),
  pattern: (pattern, value) => (isText(value) && !matches(pattern, lettersOf(value)) ? limit(pattern) : null),
  format: (name, value) => (isText(value) && Object.hasOwn(FORMATS, name) && !FORMATS[name](lettersOf(value)) ? limit(name) : null),
  formatMinimum: (first, value) => (isText(first) && isText(value) && before(lettersOf(value), lettersOf(first)) ? limit(first) : null),
  formatMaximum: (last, value) => (isText(last) && isText(value) && before(lettersOf(last), lettersOf(value)) ? limit(last) : null),
  uniqueItems: (wanted, value) => (wanted === true && Array.isArray(value) && new Set(value.map(keyOf)).size < value.length ? {} : null),
  required: (names, value) => {
    const missing = isObject(value) ? names.filter((name) => !Object.hasOwn(value, lettersOf(name))) : [];
    return missing.length ? { name: missing.map(lettersOf).join(", "), names: missing.map(lettersOf) } : null;
  },
};
