// Judges pairs of a schema and a value, one pair a line, as the page does.
import { checkOf, closed } from "./components/json_schema.js";
import { numberOf, textOf } from "./components/marks.js";

const kept = (key, value, { source } = {}) =>
  typeof value === "number" ? numberOf(source) : typeof value === "string" ? textOf(value) : value;

export function judge({ schema, value, args }) {
  const read = JSON.parse(schema, kept);
  return checkOf(args ? closed(read) : read)(JSON.parse(value, kept));
}
