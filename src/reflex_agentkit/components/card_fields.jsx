// The fields of a form card. Each holds its value as JSON text, `undefined` while nobody has answered it.
import React, { useId } from "react";
import { canonical, read } from "./exact.js";
import { Area, Check, Checks, Choices, Field, Line, NumberLine, Pick, tied } from "./form_fields.jsx";
import { numberFault, numberText } from "./form_value.js";

const NUMBERS = ["number", "currency"];

const isNumber = ({ kind }) => NUMBERS.includes(kind);

/** One text for one value, whatever its blanks and the order of its keys. */
const key = (text) => {
  const { root } = read(text ?? "");
  return root ? canonical(text, root) : "";
};

const words = (text) => {
  const { root } = read(text ?? "");
  return root?.type === "string" ? root.value : "";
};

/** The value under a name, which an agent chose: it may be that of something every object has. */
export const valueOf = (values, name) => (Object.hasOwn(values, name) ? values[name] : undefined);

/** The values of a card before anybody has touched them: its defaults. */
export const firstValues = (card) =>
  Object.fromEntries(card.fields.filter((field) => field.default_text).map((field) => [field.name, field.default_text]));

/** The value of a field as JSON text; `fault` is the kind of a problem where there is none. */
function told(field, text) {
  if (isNumber(field)) {
    const fault = numberFault(text);
    return { text: fault ? "null" : numberText(text), fault };
  }
  if (field.kind === "json") {
    const { root, errors } = read(text);
    return root ? { text } : { text: "null", fault: `syntax.${errors[0]?.code ?? 4}` };
  }
  const day = words(text);
  if ((field.kind === "date" || field.kind === "time") && day) {
    if (field.minimum && day < field.minimum) return { text, fault: "earliest", limit: field.minimum };
    if (field.maximum && day > field.maximum) return { text, fault: "latest", limit: field.maximum };
  }
  return { text };
}

/** `{text, faults}`: all values as one JSON text, and what of it cannot be sent. */
export function composed(card, values) {
  const known = new Map(card.fields.map((field) => [field.name, field]));
  const names = [...known.keys(), ...Object.keys(values).filter((name) => !known.has(name))];
  const faults = [];
  const rows = [];
  for (const name of names) {
    const field = known.get(name);
    const required = field?.kind === "checkbox" && field.required ? "false" : undefined;
    const held = valueOf(values, name) ?? required;
    if (held === undefined) continue;
    const { text, fault, limit } = field ? told(field, held) : { text: held };
    if (fault) faults.push({ kind: fault, values: { limit }, path: [name] });
    rows.push(`  ${JSON.stringify(name)}: ${text}`);
  }
  return { text: rows.length ? `{\n${rows.join(",\n")}\n}` : "{}", faults };
}

/** What an emptied text means: "" where something stood there by default, else nothing. */
const emptied = (field) => (field.default_text ? '""' : undefined);

export function CardField({ field, value, onValue, problem, disabled, labels }) {
  const id = useId();
  const { kind, label, required, help, placeholder } = field;
  const shared = { id, label, required, help, problem, labels };
  const control = { ...tied(shared), disabled, placeholder: placeholder || undefined };
  const options = field.options.map((option) => ({ key: key(option.value_text), label: option.label, text: option.value_text }));
  const textOf = (chosen) => options.find((option) => option.key === chosen)?.text;
  const say = (text) => onValue(text === "" ? emptied(field) : JSON.stringify(text));
  if (kind === "checkbox")
    return <Check {...shared} value={value === "true"} disabled={disabled} onValue={(on) => onValue(on ? "true" : "false")} />;
  if (kind === "radio")
    return (
      <Field {...shared} group>
        <Choices name={id} options={options} value={key(value)} onValue={(one) => onValue(textOf(one))} disabled={disabled} labels={labels} />
      </Field>
    );
  if (kind === "multiselect") {
    const { root } = read(value ?? "[]");
    const chosen = (root?.children ?? []).map((node) => canonical(value, node));
    const choose = (keys) => onValue(`[${keys.map(textOf).join(", ")}]`);
    return (
      <Field {...shared} group>
        <Checks options={options} values={chosen} onValues={choose} disabled={disabled} labels={labels} />
      </Field>
    );
  }
  if (kind === "select") {
    const chosen = options.some((option) => option.key === key(value)) ? key(value) : "";
    return (
      <Field {...shared}>
        <Pick {...control} options={options} value={chosen} empty={!required && !field.default_text} onValue={(one) => onValue(textOf(one))} labels={labels} />
      </Field>
    );
  }
  if (isNumber(field)) {
    const typed = read(value ?? "").root?.type === "string" ? "" : (value ?? "");
    return (
      <Field {...shared}>
        <NumberLine {...control} whole={field.whole} after={field.currency} value={typed} onValue={(text) => onValue(text === "" ? undefined : text)} />
      </Field>
    );
  }
  // What was given as JSON to a field of text stays what it is.
  const other = value !== undefined && read(value).root?.type !== "string";
  if (kind === "json" || other)
    return (
      <Field {...shared}>
        <Area {...control} code value={value ?? ""} onValue={(text) => onValue(text === "" ? undefined : text)} />
      </Field>
    );
  if (kind === "textarea")
    return (
      <Field {...shared}>
        <Area {...control} rows={4} value={words(value)} onValue={say} />
      </Field>
    );
  const limits = kind === "text" ? {} : { min: field.minimum || undefined, max: field.maximum || undefined };
  return (
    <Field {...shared}>
      <Line {...control} {...limits} type={kind} value={words(value)} onValue={say} />
    </Field>
  );
}
