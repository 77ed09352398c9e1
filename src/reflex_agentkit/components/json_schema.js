// A JSON Schema as a check, with the verdict that the server gives (`protocol/schema.py`). Nothing is made into code.
import { isMonstrous } from "./decimal.js";
import { isNumber, isText, lettersOf } from "./marks.js";
import { matches } from "./pattern.js";
import { KEYWORDS, isObject } from "./schema_keywords.js";
import { SchemaFault, checkShape, speaks } from "./schema_shape.js";

/** So many references may follow each other inwards, and so large may a value be. */
const MOST_REFERENCES = 64;
const MOST_PARTS = 100_000;
const MOST_TEXT = 2_000_000;
const DEEPEST = 200;

const DRAFTS = [
  ["http://json-schema.org/draft-04/schema", 4],
  ["http://json-schema.org/draft-06/schema", 6],
  ["http://json-schema.org/draft-07/schema", 7],
  ["https://json-schema.org/draft/2019-09/schema", 2019],
];
const NOTHING = { problems: [], names: new Set(), items: 0 };

const has = (holder, key) => Object.hasOwn(holder, key);

function draftOf(schema) {
  const named = isObject(schema) && isText(schema.$schema) ? schema.$schema.replace(/#$/, "") : "";
  if (named === "http://json-schema.org/draft-03/schema") throw new SchemaFault("$schema");
  return DRAFTS.find(([name]) => name === named)?.[1] ?? 2020;
}

/** What is too large about a value: the values of a sentence, or null. */
export function sizeFault(value) {
  let parts = 0;
  let text = 0;
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    const below = [];
    for (const item of level) {
      parts += 1;
      if (isNumber(item) && isMonstrous(item)) return "large";
      if (typeof item === "string") text += item.length;
      else if (Array.isArray(item)) for (const one of item) below.push(one);
      else if (isObject(item))
        for (const [key, one] of Object.entries(item)) {
          text += key.length;
          below.push(one);
        }
    }
    if (parts + below.length > MOST_PARTS) return "parts";
    if (text > MOST_TEXT) return "text";
    if (!below.length) return null;
    level = below;
  }
  return "deep";
}

const pointerParts = (pointer) => pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

class Check {
  constructor(root) {
    this.root = root;
    this.draft = draftOf(root);
    this.references = 0;
  }

  /** Throws `SchemaFault` where the schema as a whole is not one that can be checked. */
  isOne() {
    const big = sizeFault(this.root);
    if (big) throw new SchemaFault(big);
    checkShape(this.root, this.draft);
  }

  /** The schema that a reference names. */
  found(reference) {
    const own = isText(this.root.$id) ? this.root.$id.replace(/#$/, "") : "";
    const local = own && reference.startsWith(`${own}#`) ? reference.slice(own.length) : reference;
    if (!local.startsWith("#")) throw new SchemaFault("$ref");
    let name;
    try {
      name = decodeURIComponent(local.slice(1));
    } catch {
      throw new SchemaFault("$ref");
    }
    if (name && !name.startsWith("/")) throw new SchemaFault("$ref");
    let target = this.root;
    for (const part of pointerParts(name)) {
      if (Array.isArray(target) ? !/^(0|[1-9]\d*)$/.test(part) || part >= target.length : !isObject(target) || !has(target, part)) throw new SchemaFault("$ref");
      target = target[part];
    }
    if (typeof target !== "boolean" && !isObject(target)) throw new SchemaFault("$ref");
    return target;
  }

  reference(name, value, path) {
    this.references += 1;
    if (this.references > MOST_REFERENCES) throw new SchemaFault("nested");
    const said = this.apply(this.found(name), value, path);
    this.references -= 1;
    return said;
  }

  /** `{problems, names, items}`: what is wrong, and which parts of the value the schema has looked at. */
  apply(schema, value, path) {
    if (schema === true) return NOTHING;
    if (schema === false) return { ...NOTHING, problems: [{ kind: "unknown", values: {}, path }] };
    const said = { problems: [], names: new Set(), items: 0 };
    if (isText(schema.$ref)) {
      const inner = this.reference(schema.$ref, value, path);
      if (this.draft < 2019) return inner;
      this.join(said, inner);
    }
    for (const [keyword, test] of Object.entries(KEYWORDS)) {
      if (!has(schema, keyword) || !speaks(this.draft, keyword)) continue;
      const wrong = test(schema[keyword], value, schema);
      if (wrong) said.problems.push({ kind: keyword, values: wrong, path });
    }
    if (Array.isArray(value)) this.items(schema, value, path, said);
    if (isObject(value)) this.fields(schema, value, path, said);
    this.logic(schema, value, path, said);
    this.unevaluated(schema, value, path, said);
    return said;
  }

  join(said, inner) {
    said.problems.push(...inner.problems);
    if (!inner.problems.length) this.look(said, inner);
  }

  look(said, { names, items, some }) {
    names.forEach((name) => said.names.add(name));
    said.items = Math.max(said.items, items);
    if (some) said.some = new Set([...(said.some ?? []), ...some]);
  }

  /** A keyword of this draft; undefined where the schema has none. */
  told(schema, keyword) {
    return has(schema, keyword) && speaks(this.draft, keyword) ? schema[keyword] : undefined;
  }

  items(schema, value, path, said) {
    const tuple = this.draft < 2020 && Array.isArray(schema.items);
    const first = tuple ? schema.items : (this.told(schema, "prefixItems") ?? []);
    const rest = tuple ? this.told(schema, "additionalItems") : schema.items;
    first.slice(0, value.length).forEach((one, at) => said.problems.push(...this.apply(one, value[at], [...path, at]).problems));
    said.items = Math.max(said.items, Math.min(first.length, value.length));
    if (rest !== undefined) {
      for (let at = first.length; at < value.length; at += 1) said.problems.push(...this.apply(rest, value[at], [...path, at]).problems);
      said.items = value.length;
    }
    this.contains(schema, value, path, said);
  }

  contains(schema, value, path, said) {
    const wanted = this.told(schema, "contains");
    if (wanted === undefined) return;
    const least = Number(this.told(schema, "minContains") ?? 1);
    const most = Number(this.told(schema, "maxContains") ?? Infinity);
    const fits = value.map((item, at) => at).filter((at) => !this.apply(wanted, value[at], [...path, at]).problems.length);
    if (fits.length < least || fits.length > most) said.problems.push({ kind: "other", values: { keyword: "contains" }, path });
    if (this.draft >= 2020) this.look(said, { names: [], items: 0, some: new Set(fits) });
  }

  fields(schema, value, path, said) {
    const known = schema.properties ?? {};
    const patterns = Object.entries(schema.patternProperties ?? {});
    const named = this.told(schema, "propertyNames");
    for (const [name, item] of Object.entries(value)) {
      const here = [...path, name];
      const test = (inner) => {
        said.problems.push(...this.apply(inner, item, here).problems);
        said.names.add(name);
      };
      const fitting = patterns.filter(([pattern]) => matches(lettersOf(pattern), name));
      if (has(known, name)) test(known[name]);
      fitting.forEach(([, inner]) => test(inner));
      if (!has(known, name) && !fitting.length && schema.additionalProperties !== undefined) test(schema.additionalProperties);
      if (named !== undefined && this.apply(named, name, here).problems.length) said.problems.push({ kind: "other", values: { keyword: "propertyNames" }, path: here });
    }
    this.dependent(schema, value, path, said);
  }

  dependent(schema, value, path, said) {
    const sets = ["dependentRequired", "dependentSchemas", "dependencies"].map((keyword) => this.told(schema, keyword) ?? {});
    for (const [name, rule] of sets.flatMap((set) => Object.entries(set))) {
      if (!has(value, name)) continue;
      if (!Array.isArray(rule)) this.join(said, this.apply(rule, value, path));
      else {
        const wrong = KEYWORDS.required(rule, value);
        if (wrong) said.problems.push({ kind: "required", values: wrong, path });
      }
    }
  }

  logic(schema, value, path, said) {
    for (const inner of schema.allOf ?? []) this.join(said, this.apply(inner, value, path));
    for (const keyword of ["anyOf", "oneOf"]) {
      if (!has(schema, keyword)) continue;
      const ways = schema[keyword].map((inner) => this.apply(inner, value, path));
      const fits = ways.filter((way) => !way.problems.length);
      fits.forEach((way) => this.look(said, way));
      if (!fits.length) said.problems.push(...this.meant(ways, path, schema.discriminator?.propertyName));
      else if (keyword === "oneOf" && fits.length > 1) said.problems.push({ kind: "several", values: {}, path });
    }
    if (has(schema, "not") && !this.apply(schema.not, value, path).problems.length) said.problems.push({ kind: "other", values: { keyword: "not" }, path });
    const condition = this.told(schema, "if");
    if (condition === undefined) return;
    const outcome = this.apply(condition, value, path);
    if (!outcome.problems.length) this.look(said, outcome);
    const branch = this.told(schema, outcome.problems.length ? "else" : "then");
    if (branch !== undefined) this.join(said, this.apply(branch, value, path));
  }

  /** Of several forms only the one that was meant is told: the one whose type, or whose mark, fits. */
  meant(ways, path, mark) {
    const deep = path.length;
    const isOther = ({ kind, path: place }) =>
      (kind === "type" && place.length === deep) || ((kind === "const" || kind === "enum") && place.length === deep + 1 && (mark === undefined || place[deep] === mark));
    const left = ways.filter((way) => !way.problems.some(isOther));
    if (left.length === 1) return left[0].problems;
    const types = ways.flatMap((way) => way.problems.filter(({ kind, path: place }) => kind === "type" && place.length === deep).flatMap(({ values }) => values.expected));
    if (!left.length && types.length === ways.length) return [{ kind: "type", values: { expected: [...new Set(types)] }, path }];
    return [{ kind: "forms", values: {}, path }];
  }

  unevaluated(schema, value, path, said) {
    const names = this.told(schema, "unevaluatedProperties");
    if (names !== undefined && isObject(value)) {
      if (holds(schema, "patternProperties")) throw new SchemaFault("unevaluatedProperties");
      for (const name of Object.keys(value)) {
        if (said.names.has(name)) continue;
        said.problems.push(...this.apply(names, value[name], [...path, name]).problems);
        said.names.add(name);
      }
    }
    const items = this.told(schema, "unevaluatedItems");
    if (items === undefined || !Array.isArray(value)) return;
    for (let at = said.items; at < value.length; at += 1)
      if (!said.some?.has(at)) said.problems.push(...this.apply(items, value[at], [...path, at]).problems);
    said.items = value.length;
  }
}

function holds(schema, keyword) {
  if (!schema || typeof schema !== "object") return false;
  return (isObject(schema) && has(schema, keyword)) || Object.values(schema).some((inner) => holds(inner, keyword));
}

/** The schema of a tool's arguments: an object, and no field that the tool does not have. */
export function closed(schema) {
  if (!isObject(schema)) return schema;
  if (has(schema, "additionalProperties") || has(schema, "unevaluatedProperties")) return schema;
  const older = ["draft-03", "draft-04", "draft-06", "draft-07"].some((name) => String(schema.$schema ?? "").includes(name));
  if (has(schema, "patternProperties") || (older && has(schema, "properties"))) return { ...schema, additionalProperties: false };
  const { $schema: named, ...rest } = schema;
  const root = older && has(schema, "$ref") ? rest : { ...rest, ...(named === undefined ? {} : { $schema: named }) };
  return { ...root, unevaluatedProperties: false };
}

/** A check of values against a schema: `(value) => problems`, each `{kind, values, path}`. */
export function checkOf(schema) {
  let check = null;
  let fault = null;
  try {
    check = new Check(schema);
    check.isOne();
  } catch (error) {
    fault = error;
  }
  const cannot = ({ why = "$ref" }) => [{ kind: why === "nested" ? why : "unchecked", values: { keyword: why }, path: [] }];
  return (value) => {
    const big = sizeFault(value);
    if (big) return [{ kind: big, values: {}, path: [] }];
    if (fault) return cannot(fault);
    check.references = 0;
    try {
      return check.apply(schema, value, []).problems;
    } catch (error) {
      return cannot(error);
    }
  };
}

/** The problems of a value with a part of a schema; `root` is what references lead into. */
export function checkPart(part, root, value) {
  try {
    const check = new Check(root);
    return check.apply(part, value, []).problems;
  } catch {
    return [{ kind: "unchecked", values: {}, path: [] }];
  }
}
