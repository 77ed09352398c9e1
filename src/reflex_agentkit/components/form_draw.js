// A JSON Schema made ready to be drawn as a form. What is checked is the schema as it came.
import { fromText, plain } from "./form_value.js";

/** Formats that have a field of their own; any other is a text. */
const FORMATS = ["date", "email", "uri"];
const WITH_FIELD = [...FORMATS, "date-time", "time"];
/** The type of a value that is drawn as its JSON. */
export const ANY = "ak-any";
/** Where a value stands that may be sent: exact numbers stay marked there. */
const VALUES = ["default", "const", "enum", "examples"];
const SCALARS = ["string", "number", "integer", "boolean"];
const DEEPEST = 40;
const LARGEST = 100_000;

const isObject = (value) => !!value && typeof value === "object" && !Array.isArray(value);
const isNull = (schema) => isObject(schema) && (schema.type === "null" || schema.const === null);

/** A schema through its local references; what leads elsewhere, or around in a circle, is empty. */
export function resolved(schema, root) {
  let found = schema;
  for (let step = 0; step < 20; step += 1) {
    if (typeof found?.$ref !== "string") return found ?? {};
    if (!found.$ref.startsWith("#/")) return {};
    const { $ref, ...beside } = found;
    const parts = $ref.slice(2).split("/").map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
    const target = parts.reduce((inner, key) => (inner && Object.hasOwn(inner, key) ? inner[key] : undefined), root);
    if (!isObject(target)) return {};
    found = { ...target, ...beside };
  }
  return {};
}

const isScalar = (schema) => !!schema.enum || SCALARS.includes(schema.type) || (Array.isArray(schema.oneOf) && schema.oneOf.every((one) => isObject(one) && "const" in one));

const saysNothing = (schema) =>
  !["type", "enum", "const", "properties", "$ref", "anyOf", "oneOf", "allOf", "if", "additionalProperties", "patternProperties"].some((key) => key in schema);

const each = (map, change) => Object.fromEntries(Object.entries(isObject(map) ? map : {}).map(([key, value]) => [key, change(value, key)]));

function union(schema, key, scene) {
  const list = schema[key];
  const others = list.filter((one) => !isNull(one));
  const nullable = others.length < list.length;
  const only = others.length === 1 && resolved(others[0], scene.root);
  if (nullable && only && isScalar(only)) {
    const { [key]: _, ...rest } = schema;
    return { ...only, ...rest, title: rest.title ?? only.title, akNullable: true };
  }
  if (others.every((one) => isObject(one) && "const" in one))
    return { type: "string", ...schema, [key]: others.map((one) => ({ const: one.const, title: String(one.title ?? typedName(one.const)) })), akNullable: nullable };
  const named = (one, at) => {
    const inner = resolved(one, scene.root);
    return { ...one, title: one.title ?? inner.title ?? begun(isNull(one) ? scene.none : scene.typeName(inner.type, at + 1)) };
  };
  return { ...schema, [key]: list.filter(isObject).map(named) };
}

const begun = (words) => words.slice(0, 1).toLocaleUpperCase() + words.slice(1);

const typedName = (value) => (typeof value === "string" ? value : JSON.stringify(plain(value)));

function typed(schema) {
  if (!Array.isArray(schema.type)) return schema;
  const others = schema.type.filter((type) => type !== "null");
  const nullable = others.length < schema.type.length || undefined;
  if (others.length === 1) return { ...schema, type: others[0], akNullable: nullable };
  const { type: _, ...rest } = schema;
  return others.length ? rest : { ...schema, type: "null" };
}

function draw(given, scene, name = "", depth = 0) {
  if (!isObject(given) || depth > DEEPEST) return { title: name, type: ANY };
  const { $schema: _schema, $id: _id, id: _old, $anchor: _anchor, ...copy } = given;
  let schema = typed(copy);
  for (const key of ["anyOf", "oneOf"]) if (Array.isArray(schema[key]) && schema[key].length) schema = typed(union(schema, key, scene));
  const inner = (child, key) => draw(child, scene, key, depth + 1);
  const found = {};
  schema = open(schema);
  for (const [key, value] of Object.entries(schema)) {
    if (key === "const") Object.assign(found, { akConst: value, enum: [value] });
    else if (VALUES.includes(key)) found[key] = value;
    else if (["properties", "$defs", "definitions"].includes(key)) found[key] = each(value, inner);
    else if (["anyOf", "oneOf", "allOf"].includes(key) && Array.isArray(value)) found[key] = value.map((one) => (isObject(one) && "const" in one ? one : inner(one, "")));
    else if (key === "additionalProperties" && isObject(value)) found[key] = named(inner(value, ""));
    else if (["items", "then", "else", "additionalItems"].includes(key) && isObject(value)) found[key] = inner(value, "");
    else if (key === "prefixItems" && Array.isArray(value)) found.items = value.map((one) => inner(one, ""));
    else if (key === "format") Object.assign(found, { akFormat: plain(value) }, FORMATS.includes(value) ? { format: value } : {});
    else found[key] = plain(value);
  }
  if (saysNothing(found)) Object.assign(found, { title: found.title ?? name, type: ANY });
  return found;
}

/** What may hold anything is drawn so that anything can be put in. */
function open(schema) {
  if (schema.type === "array" && schema.items === undefined && !schema.prefixItems) return { ...schema, items: {} };
  const free = schema.type === "object" && !("properties" in schema) && !["anyOf", "oneOf", "allOf", "$ref"].some((key) => key in schema);
  // @rjsf would run the patterns of names itself, without a limit.
  if (isObject(schema.patternProperties)) {
    const { patternProperties: _, ...rest } = schema;
    return { ...rest, additionalProperties: {} };
  }
  if (schema.additionalProperties === true || (free && schema.additionalProperties === undefined)) return { ...schema, additionalProperties: {} };
  return schema;
}

/** A field under a name that a person gives: @rjsf would take one of several forms for an object. */
const named = (schema) => (["anyOf", "oneOf"].some((key) => key in schema) && !schema.type ? { title: schema.title ?? "", description: schema.description, type: ANY } : schema);

const parsed = (schemaText) => {
  const schema = fromText(schemaText || "{}");
  return isObject(schema) ? schema : null;
};

/** The schema as a form draws it. `words` are `none` and `typeName(type, number)`. */
export function drawn(schemaText, words) {
  const root = parsed(schemaText) ?? {};
  return draw(root, { ...words, root });
}

/** Whether a schema asks for more than one plain value, so that a form says it better than one field. */
export function asksForForm(schemaText) {
  if (!schemaText || schemaText.length > LARGEST) return false;
  const root = parsed(schemaText);
  if (!root || !Object.keys(root).length) return false;
  const schema = resolved(root, root);
  if (Array.isArray(schema.enum)) return schema.enum.length > 12;
  if (schema.type === "object" || schema.type === "array" || schema.properties) return true;
  return ["anyOf", "oneOf", "allOf"].some((key) => Array.isArray(schema[key])) || WITH_FIELD.includes(schema.format);
}

/** So many fields a form may have: with more, each key that is pressed would take a second. */
const MOST_FIELDS = 300;

/** How many fields a form would draw for a value, counted up to a little more than it may have. */
function fieldsOf(schema, value, root, depth = 0) {
  if (depth > 30) return 1;
  const found = resolved(schema, root);
  let count = 1;
  const add = (inner, item) => {
    if (count <= MOST_FIELDS) count += fieldsOf(inner, item, root, depth + 1);
  };
  const forms = found.anyOf ?? found.oneOf;
  if (Array.isArray(forms) && forms.length) add(forms[0], undefined);
  if (Array.isArray(value)) value.forEach((item, at) => add((Array.isArray(found.items) ? found.items[at] : found.items) ?? {}, item));
  const properties = isObject(found.properties) ? found.properties : {};
  if (depth < 8) for (const [name, inner] of Object.entries(properties)) add(inner, isObject(value) ? value[name] : undefined);
  if (isObject(value) && isObject(found.additionalProperties)) for (const name of Object.keys(value)) if (!Object.hasOwn(properties, name)) add(found.additionalProperties, value[name]);
  return count;
}

/** Why no form is drawn: `schema` where there is nothing to draw from, `many` where it would have too many fields; or null. */
export function noForm(schemaText, value) {
  const root = schemaText && schemaText.length <= 10 * LARGEST ? parsed(schemaText) : null;
  if (schemaText && !root) return "many";
  if (!root || !Object.keys(root).length) return "schema";
  return schemaText.length > LARGEST * 10 || fieldsOf(root, value, root) > MOST_FIELDS ? "many" : null;
}

/** Whether the object has no field to draw: all that can be said is `{}`, or more by JSON. */
export function hasNoFields(schema) {
  const found = resolved(schema, schema);
  return found.type === "object" && !Object.keys(found.properties ?? {}).length && !["anyOf", "oneOf", "allOf", "if"].some((key) => key in found) && !isObject(found.additionalProperties);
}

/** Whether a form shows a field, or a field around it, for this place. */
export function isDrawn(schema, path, root = schema) {
  const found = resolved(schema, root);
  const [key, ...rest] = path;
  if (key === undefined || ["anyOf", "oneOf", "allOf", "if"].some((one) => one in found)) return true;
  if (found.type === "array" || found.items) return true;
  const child = isObject(found.properties) && Object.hasOwn(found.properties, key) ? found.properties[key] : found.additionalProperties;
  return isObject(child) && isDrawn(child, rest, root);
}

/**
 * A value without optional objects that nobody filled in. `touched(path)` tells what a person has changed,
 * `proposed(path)` what was there before: that stays.
 */
export function pruned(schema, value, touched, proposed = () => false, root = schema, path = []) {
  if (Array.isArray(value)) {
    const items = resolved(schema, root).items;
    return value.map((item, at) => pruned((Array.isArray(items) ? items[at] : items) ?? {}, item, touched, proposed, root, [...path, at]));
  }
  if (!isObject(value)) return value;
  const found = resolved(schema, root);
  const properties = isObject(found.properties) ? found.properties : {};
  const kept = Object.entries(value).flatMap(([key, item]) => {
    if (item === undefined) return [];
    const here = [...path, key];
    const inner = Object.hasOwn(properties, key) ? properties[key] : {};
    const left = pruned(inner, item, touched, proposed, root, here);
    const optional = Object.hasOwn(properties, key) && !(found.required ?? []).includes(key);
    return optional && isObject(left) && !proposed(here) && isIdle(resolved(inner, root), left, touched(here)) ? [] : [[key, left]];
  });
  return Object.fromEntries(kept);
}

const isIdle = (schema, value, touched) =>
  !("default" in schema) && (!Object.keys(value).length || (!touched && (schema.required ?? []).some((name) => !Object.hasOwn(value, name))));
