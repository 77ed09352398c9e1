// One of several forms: which one, and its fields. What the forms have in common is kept when another is chosen.
import React, { useMemo, useState } from "react";
import { Below, Pick } from "./form_fields.jsx";
import { fits } from "./form_validator.js";
import { at } from "./paths.js";

const isObject = (value) => !!value && typeof value === "object" && !Array.isArray(value);
const isNothing = (option) => option.type === "null" || option.akConst === null;
const constants = (option) => Object.entries(option.properties ?? {}).filter(([, inner]) => isObject(inner) && "akConst" in inner);

/** Whether a value could be meant for a form: no mark of it says another. */
function couldBe(option, value) {
  if (value === null) return isNothing(option);
  if (Array.isArray(value)) return option.type === "array";
  if (!isObject(value)) return !isNothing(option) && option.type !== "object" && option.type !== "array";
  const names = Object.keys(option.properties ?? {});
  const marked = constants(option).every(([name, inner]) => !Object.hasOwn(value, name) || inner.akConst === value[name]);
  return (option.type === "object" || names.length > 0) && marked;
}

/** The form that a value has: one that it fits, one that it could be meant for, or the first. */
function formOf(options, value, root) {
  if (value === undefined) return 0;
  const fitting = options.findIndex((option) => fits(option, value, root));
  if (fitting >= 0) return fitting;
  const likely = options.findIndex((option) => couldBe(option, value));
  return Math.max(0, likely);
}

/** A value carried over to another form: the fields that it has too, and the marks that tell it apart. */
function carried(option, value, root) {
  if (isNothing(option)) return null;
  if ("akConst" in option) return option.akConst;
  if (option.type === "object" || option.properties) {
    const marks = constants(option).map(([name, inner]) => [name, inner.akConst]);
    const own = isObject(value) ? Object.entries(value).filter(([name]) => Object.hasOwn(option.properties ?? {}, name)) : [];
    return Object.fromEntries([...own, ...marks]);
  }
  if (value !== undefined && fits(option, value, root)) return value;
  return option.type === "array" ? [] : undefined;
}

export function Union(props) {
  const { schema, options, formData: value, fieldPathId, onChange, registry, required, disabled, readonly, errorSchema } = props;
  const { t, labels, original, exact } = registry.formContext;
  const { SchemaField } = registry.fields;
  const id = `${fieldPathId.$id}${schema.oneOf ? "__oneof_select" : "__anyof_select"}`;
  const [chosen, choose] = useState(null);
  const found = useMemo(() => formOf(options, value, registry.rootSchema), [options, value, registry.rootSchema]);
  const nothing = options.findIndex(isNothing);
  const absent = value === undefined && chosen === null && (!required || nothing < 0);
  // What was chosen stays while it is filled in; a value that fits another form, from the JSON say, has that one.
  const stays = chosen !== null && (value === undefined || couldBe(options[chosen] ?? {}, value));
  const index = absent ? -1 : stays ? chosen : found;
  const option = options[index];
  const change = (key) => {
    const next = key === "" ? null : Number(key);
    choose(next);
    onChange(next === null ? undefined : carried(options[next], at(original, fieldPathId.path) ?? value, registry.rootSchema), fieldPathId.path, undefined, id);
  };
  const problem = !option || isNothing(option) ? errorSchema?.__errors?.[0] : undefined;
  return (
    <div className="ak-union">
      <Pick
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        options={options.map((one, place) => ({ key: String(place), label: one.title || t("form.option", { n: place + 1 }) }))}
        value={option ? String(index) : ""}
        empty={!required}
        emptyLabel={exact && !required ? t("form.absent") : undefined}
        onValue={change}
        disabled={disabled || readonly}
        labels={labels}
      />
      <Below id={id} problem={problem} labels={labels} />
      {option && !isNothing(option) && <SchemaField {...props} key={index} schema={unmarked(typed(option, schema), value)} uiSchema={{}} required={required} />}
    </div>
  );
}

/** A form without the marks that say no more than that it is the chosen one. */
function unmarked(option, value) {
  const said = constants(option).filter(([name, inner]) => isObject(value) && Object.hasOwn(value, name) && value[name] === inner.akConst);
  if (!said.length) return option;
  const left = Object.entries(option.properties).filter(([name]) => !said.some(([one]) => one === name));
  return { ...option, properties: Object.fromEntries(left) };
}

/** A form with the type that stands around all forms, where it has none of its own. */
const typed = (option, schema) => (schema.type && !("type" in option) && !schema.properties ? { ...option, type: schema.type } : option);
