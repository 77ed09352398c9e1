// The formats of texts that are checked; `protocol/formats.py` is its counterpart.

const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const BLANK = "\\u0000-\\u0020\\u007f-\\u00a0\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff";
const LOCAL = `[^${BLANK}@<>()\\[\\],;:\\\\"]+`;
const LABEL = `[^${BLANK}@.<>()\\[\\],;:\\\\"]+`;
const EMAIL = new RegExp(`^${LOCAL}@${LABEL}(?:\\.${LABEL})*$`, "u");
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/([^/?#]*))?([^?#]*)(?:\?[^#]*)?(?:#.*)?$/;
const URI_SIGNS = /^[!#-;=?-\[\]_a-z~]*$/;
const HOST = /^(?:[^[\]@]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^[\]@]*)(?::\d*)?$/;

function isDate(text) {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (!year || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
}

function isUri(text) {
  const parts = URI_SIGNS.test(text) && URI.exec(text);
  return !!parts && !!(parts[1] || parts[2]) && HOST.test(parts[1] ?? "");
}

/** From the name of a format to whether a text has it; another format is only a hint. */
export const FORMATS = {
  date: isDate,
  time: (text) => TIME.test(text),
  "date-time": (text) => isDate(text.slice(0, 10)) && /[Tt ]/.test(text[10] ?? "") && TIME.test(text.slice(11)) && /([Zz]|[+-]\d\d:\d\d)$/.test(text),
  email: (text) => Array.from(text).length <= 320 && EMAIL.test(text),
  uri: isUri,
  uuid: (text) => UUID.test(text),
};
