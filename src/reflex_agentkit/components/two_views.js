// One value that a person fills in as a form and as JSON. The value is the truth; a text that is being typed as JSON is
// kept beside it letter for letter, and becomes the value as soon as it can be read.
import { useMemo } from "react";
import { drawn, hasNoFields, noForm, pruned, resolved } from "./form_draw.js";
import { fromText, unread, write } from "./form_value.js";
import { at } from "./paths.js";
import { useDraft } from "./pause_parts.jsx";
import { skeleton } from "./schema_check.js";

const isObject = (value) => !!value && typeof value === "object" && !Array.isArray(value);
const idOf = (path) => path.map((key) => `_${key}`).join("");

function drawnOrNot(schemaText, t) {
  const words = { none: t("form.none"), typeName: (type, n) => (typeof type === "string" ? t(`type.${type}`) : t("form.option", { n })) };
  try {
    return drawn(schemaText, words);
  } catch {
    return null;
  }
}

/** What was null, or an empty text, is that again when its field is emptied. */
function emptied(schema, value, original, root = schema) {
  if (!isObject(value) || !isObject(original)) return value;
  const properties = resolved(schema, root).properties ?? {};
  const next = { ...value };
  for (const [name, inner] of Object.entries(properties)) {
    const was = Object.hasOwn(original, name) ? original[name] : undefined;
    if ((was === null || was === "") && next[name] === undefined) next[name] = was;
    else if (isObject(next[name]) && isObject(was)) next[name] = emptied(inner, next[name], was, root);
  }
  return next;
}

/**
 * `name` tells the drafts of one request apart. With `originalText` the value is a proposal, to which nothing is added;
 * without it the value starts with the schema's defaults. `why` says why there is no form.
 */
export function useTwoViews(pending, { name, schemaText, originalText }, t) {
  const original = useMemo(() => (originalText === undefined ? undefined : fromText(originalText)), [originalText]);
  const schema = useMemo(() => drawnOrNot(schemaText, t), [schemaText, t]);
  const why = useMemo(() => (schema ? noForm(schemaText, original) : "schema"), [schema, schemaText, original]);
  const nothing = !why && hasNoFields(schema);
  const key = (what) => `${name} ${what} ${pending.digest}`;
  const [value, setValue] = useDraft(pending.id, key("value"), original ?? (nothing ? {} : undefined));
  const [typed, setTyped] = useDraft(pending.id, key("json"), why && original === undefined ? skeleton(schemaText) : null);
  const [touched, setTouched] = useDraft(pending.id, key("touched"), []);
  const [failed, setFailed] = useDraft(pending.id, key("failed"), false);
  const [open, setOpen] = useDraft(pending.id, key("open"), false);
  const isTouched = (path) => touched.some((id) => id === idOf(path) || id.startsWith(`${idOf(path)}_`));
  const wasThere = (path) => at(original, path) !== undefined;
  const kept = useMemo(() => (why ? value : pruned(schema, value, isTouched, wasThere)), [why, schema, value, touched]);
  const text = typed ?? write(kept);
  const hasForm = !why && !failed;
  const broken = hasForm && typed !== null && !isFitting(typed, schema);
  return {
    schema,
    value,
    original,
    text,
    nothing,
    isTouched,
    why: failed ? "schema" : why,
    hasForm,
    hasJson: open || !hasForm,
    broken,
    unread: typed === null ? unread(kept) : [],
    show: setOpen,
    fail: () => setFailed(true),
    undo: () => setTyped(null),
    setText: (next) => {
      setTyped(next);
      const read = isFitting(next, schema) ? fromText(next) : undefined;
      if (read !== undefined) setValue(read);
    },
    setValue: (next) => {
      setTyped(null);
      setValue(next);
    },
    change: (next, id) => {
      setTyped(null);
      setValue(original === undefined ? next : emptied(schema, next, original));
      if (id !== undefined && !touched.includes(id)) setTouched([...touched, id]);
    },
  };
}

/** Whether a text can be read, and be shown by a form. */
function isFitting(text, schema) {
  const value = fromText(text);
  return value !== undefined && (resolved(schema ?? {}, schema ?? {}).type !== "object" || isObject(value));
}
