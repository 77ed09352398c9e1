// Numbers by their digits: JavaScript's own would round a long one.
import { digitsOf } from "./marks.js";

/** The farthest a number's first digit may stand from its point, and the most digits it may have. */
const FARTHEST = 5000;
const MOST_DIGITS = 4000;

/** `{units, scale}`: units times ten to the power of scale, without zeros at the end. */
function exact(value) {
  const [, sign, whole, part = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(digitsOf(value));
  const digits = (whole + part).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (!kept) return { units: 0n, scale: 0 };
  return { units: BigInt(sign + kept), scale: Number(power) - part.length + digits.length - kept.length };
}

/** Both as whole numbers of one unit. */
function aligned(left, right) {
  const a = exact(left);
  const b = exact(right);
  const scale = Math.min(a.scale, b.scale);
  const shift = ({ units, scale: own }) => units * 10n ** BigInt(own - scale);
  return [shift(a), shift(b)];
}

/** Below zero, zero or above, as the first is less, the same or more. */
export function compare(left, right) {
  // The shortest texts of two floats stand in the same order as the floats.
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [a, b] = aligned(left, right);
  return a < b ? -1 : a > b ? 1 : 0;
}

export const isWhole = (value) => (typeof value === "number" ? Number.isInteger(value) : exact(value).scale >= 0);

export function isMultiple(value, step) {
  const [a, b] = aligned(value, step);
  return b !== 0n && a % b === 0n;
}

/** One text for one number. */
export function digitKey(value) {
  const { units, scale } = exact(value);
  return `${units}e${scale}`;
}

/** Whether a number is too long, or too far from its point, to be reckoned with. */
export function isMonstrous(value) {
  const text = digitsOf(value);
  if (text === undefined) return false;
  if (text.length > MOST_DIGITS) return true;
  const [mantissa, power = "0"] = text.toLowerCase().split("e");
  const digits = mantissa.replace(/^-/, "");
  const first = digits.replace(".", "").search(/[1-9]/);
  if (first < 0) return Math.abs(Number(power)) > FARTHEST;
  const point = digits.includes(".") ? digits.indexOf(".") : digits.length;
  return Math.abs(point - 1 - first + Number(power)) > FARTHEST;
}
