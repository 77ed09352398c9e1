// Whether a JSON Schema is one, as its own rules have it, and what it holds is something that can be checked.
import { compare } from "./decimal.js";
import { isNumber, isText } from "./marks.js";
import { PatternFault, checkPattern } from "./pattern.js";

const isObject = (value) => !!value && typeof value === "object" && !Array.isArray(value);
const isCount = (value) => isNumber(value) && Number.isInteger(Number(value)) && Number(value) >= 0;
const isNames = (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isFlag = (value) => typeof value === "boolean";

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];
/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const ONE = ["additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"];
const LIST = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
/** Newer than some drafts, which do not look at them. */
const SINCE = {
  const: 6, contains: 6, dependentRequired: 2019, dependentSchemas: 2019, examples: 6, else: 7, if: 7, then: 7, maxContains: 2019, minContains: 2019,
  prefixItems: 2020, propertyNames: 6, readOnly: 7, unevaluatedItems: 2019, unevaluatedProperties: 2019, $anchor: 2019, deprecated: 2019, writeOnly: 7,
};
const UNTIL = { additionalItems: 2019, dependencies: 7 };
const PLAIN = {
  $anchor: (value) => isText(value) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
  $comment: isText,
  $id: (value) => isText(value) && /^[^#]*#?$/.test(value),
  $ref: isText,
  $schema: isText,
  contentEncoding: isText,
  contentMediaType: isText,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(isNames),
  deprecated: isFlag,
  description: isText,
  enum: Array.isArray,
  examples: Array.isArray,
  format: isText,
  maxContains: isCount,
  maxItems: isCount,
  maxLength: isCount,
  maxProperties: isCount,
  maximum: isNumber,
  minContains: isCount,
  minItems: isCount,
  minLength: isCount,
  minProperties: isCount,
  minimum: isNumber,
  multipleOf: (value) => isNumber(value) && compare(value, 0) > 0,
  pattern: isText,
  readOnly: isFlag,
  required: isNames,
  title: isText,
  type: (value) => TYPES.includes(value) || (isNames(value) && value.length > 0 && value.every((type) => TYPES.includes(type))),
  uniqueItems: isFlag,
  writeOnly: isFlag,
};
const PLACED = ["$id", "$dynamicRef", "$recursiveRef"];

/** Thrown where a schema cannot be checked; `why` is the keyword at fault. */
export class SchemaFault extends Error {
  constructor(why) {
    super(why);
    this.why = why;
  }
}

const has = (schema, key) => Object.hasOwn(schema, key);
export const speaks = (draft, key) => draft >= (SINCE[key] ?? 0) && draft <= (UNTIL[key] ?? 9999);

function isPlainFault(key, value, draft) {
  if (key === "exclusiveMinimum" || key === "exclusiveMaximum") return !(draft < 6 ? isFlag(value) : isNumber(value));
  if (draft < 6 && (key === "required" || key === "enum") && Array.isArray(value) && !value.length) return true;
  return has(PLAIN, key) && speaks(draft, key) && !PLAIN[key](value);
}

function patternsOf(schema) {
  const named = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
  return isText(schema.pattern) ? [schema.pattern, ...named] : named;
}

/** The schemas right inside another. */
function* inner(schema, draft) {
  for (const [key, value] of Object.entries(schema)) {
    if (!speaks(draft, key)) continue;
    if (key === "items" && draft < 2020 && Array.isArray(value)) yield* value;
    else if (ONE.includes(key)) yield value;
    else if (LIST.includes(key)) {
      if (!Array.isArray(value) || !value.length) throw new SchemaFault(key);
      yield* value;
    } else if (NAMED.includes(key)) {
      if (!isObject(value)) throw new SchemaFault(key);
      yield* Object.values(value);
    } else if (key === "dependencies") {
      if (!isObject(value)) throw new SchemaFault(key);
      yield* Object.values(value).filter((one) => !(Array.isArray(one) && isNames(one)));
    }
  }
}

/** Throws `SchemaFault` where a schema is none. `draft` is a number: 4, 6, 7, 2019 or 2020. */
export function checkShape(root, draft) {
  const waiting = [root];
  while (waiting.length) {
    const schema = waiting.pop();
    if (typeof schema === "boolean") continue;
    if (!isObject(schema)) throw new SchemaFault("type");
    for (const [key, value] of Object.entries(schema)) if (isPlainFault(key, value, draft)) throw new SchemaFault(key);
    const moved = PLACED.find((key) => has(schema, key) && (key !== "$id" || schema !== root));
    if (moved) throw new SchemaFault(moved);
    try {
      patternsOf(schema).forEach(checkPattern);
    } catch (error) {
      throw error instanceof PatternFault ? new SchemaFault("pattern") : error;
    }
    waiting.push(...inner(schema, draft));
  }
}
