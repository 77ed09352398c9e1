// The fields of @rjsf, drawn as all fields of the kit are, with numbers kept as they were typed.
import React, { useState } from "react";
import fieldsOfRjsf from "@rjsf/core/lib/components/fields/index.js";
import { Area, Check, Checks, Kind, Moment, Name, NumberLine, Pick, tied } from "./form_fields.jsx";
import { Union } from "./form_union.jsx";
import { isTyped, jsonOf, numberOf, same, textOf, typedOf, write } from "./form_value.js";

// Fields of the kinds email and url would take blanks away and write letters anew.
const KEYS = { email: "email", url: "url" };
const DAY = /^\d{4}-\d\d-\d\d$/;
/** A text that came this long, or in several lines, has a field of several lines. */
const LONG = 60;
/** Fields further in than this are drawn as JSON: a form that is indented so far cannot be read. */
const DEEPEST = 7;

const wordsOf = (registry) => registry.formContext;

const control = ({ id, schema, value, rawErrors, required, disabled, readonly, placeholder, registry }) => ({
  ...tied({ id, help: schema.description, problem: rawErrors?.length, required }),
  disabled: disabled || readonly,
  placeholder: hint(schema, value, placeholder, wordsOf(registry)),
});

/** What an empty field stands for: no value, or what the tool takes where nothing is given. */
function hint(schema, value, placeholder, { t, exact }) {
  if (value === null) return t("form.none");
  if (exact && schema.default !== undefined && schema.default !== null && typeof schema.default !== "object") return t("form.default", { value: typedOf(schema.default) });
  return placeholder || undefined;
}

/** A field whose value may be null, with the way to say so. */
function OrNone({ schema, value, onChange, disabled, readonly, registry, children }) {
  const { t, exact } = wordsOf(registry);
  if (!schema.akNullable) return children;
  return (
    <div className="ak-or-none">
      {children}
      <label className="ak-check ak-check-small">
        <input type="checkbox" checked={value === null} disabled={disabled || readonly} onChange={(event) => onChange(event.target.checked ? null : exact && schema.type === "string" ? "" : undefined)} />
        <span>{t("form.none")}</span>
      </label>
    </div>
  );
}

export function Input(props) {
  const { schema, value, onChange, type, options, registry } = props;
  // A field does not change its kind under the hands of who types in it.
  const [tall] = useState(() => typedOf(value).length > LONG || typedOf(value).includes("\n"));
  if (schema.type === "integer" || schema.type === "number")
    return (
      <OrNone {...props}>
        <NumberLine
          {...control(props)}
          whole={schema.type === "integer"}
          value={typedOf(value)}
          onValue={(text) => onChange(text === "" ? undefined : numberOf(text))}
        />
      </OrNone>
    );
  // What stood there by default and was taken away is an answer of its own.
  const empty = typeof schema.default === "string" && schema.default && !wordsOf(registry).exact ? "" : options.emptyValue;
  const write_ = (text) => onChange(text === "" ? empty : textOf(text));
  if (schema.akFormat === "date-time" || schema.akFormat === "time")
    return (
      <OrNone {...props}>
        <Moment {...control(props)} clock={schema.akFormat === "time"} value={typedOf(value)} onValue={write_} t={wordsOf(registry).t} />
      </OrNone>
    );
  return (
    <OrNone {...props}>
      {tall ? (
        <Area {...control(props)} rows={5} value={typedOf(value)} onValue={write_} />
      ) : (
        <Kind {...control(props)} type={type === "date" ? "date" : "text"} shows={type === "date" ? DAY : /(?:)/} inputMode={KEYS[type]} value={typedOf(value)} onValue={write_} />
      )}
    </OrNone>
  );
}

function Textarea(props) {
  const { value, onChange, options } = props;
  return (
    <OrNone {...props}>
      <Area {...control(props)} value={typedOf(value)} onValue={(text) => onChange(text === "" ? options.emptyValue : textOf(text))} />
    </OrNone>
  );
}

function Select(props) {
  const { id, schema, value, onChange, options, multiple, required, registry, disabled } = props;
  const { t, labels, exact } = wordsOf(registry);
  const choices = (options.enumOptions ?? []).map((option, at) => ({ key: String(at), label: option.label, value: option.value }));
  if (multiple) {
    const held = Array.isArray(value) ? value : [];
    const keys = choices.filter((choice) => held.some((one) => same(one, choice.value))).map(({ key }) => key);
    return <Checks options={choices} values={keys} onValues={(chosen) => onChange(chosen.map((key) => choices[key].value))} disabled={disabled} labels={labels} />;
  }
  const isUnion = id.endsWith("of_select");
  const all = schema.akNullable && !choices.some((choice) => choice.value === null) ? [...choices, { key: "null", label: t("form.none"), value: null }] : choices;
  const chosen = all.find((choice) => choice.value === value || (value !== undefined && same(choice.value, value)))?.key ?? "";
  return (
    <Pick
      {...control(props)}
      options={all}
      value={chosen}
      empty={!required && !isUnion}
      emptyLabel={exact && !required ? hint(schema, undefined, "", wordsOf(registry)) || t("form.absent") : undefined}
      onValue={(key) => onChange(key === "" ? undefined : all.find((one) => one.key === key).value)}
      labels={labels}
    />
  );
}

function Checkbox(props) {
  const { id, schema, value, onChange, label, required, disabled, registry, rawErrors } = props;
  if (schema.akNullable || schema.oneOf || schema.enum) return <Select {...props} />;
  const { labels } = wordsOf(registry);
  return (
    <Check
      id={id}
      label={label}
      required={required}
      help={schema.description}
      problem={rawErrors?.[0]}
      value={value}
      disabled={disabled}
      onValue={onChange}
      labels={labels}
      bare
    />
  );
}

/** A value of any shape: its JSON. */
export function AnyField({ schema, formData, onChange, fieldPathId, required, disabled, rawErrors, registry }) {
  const text = isTyped(formData) ? typedOf(formData) : write(formData);
  return (
    <Area
      {...control({ id: fieldPathId.$id, schema, rawErrors, required, disabled, registry })}
      code
      rows={Math.min(12, Math.max(2, text.split("\n").length))}
      value={text}
      onValue={(next) => onChange(next === "" ? undefined : jsonOf(next), fieldPathId.path)}
    />
  );
}

/** Without the rounding of the field that @rjsf brings. */
function NumberField(props) {
  const { StringField } = props.registry.fields;
  return <StringField {...props} />;
}

const rjsf = fieldsOfRjsf();

/** A field of @rjsf down to a depth that can be read, and its JSON further in. */
function bounded(Field) {
  return function Bounded(props) {
    const { fieldPathId, schema, name, required, registry, errorSchema } = props;
    if (fieldPathId.path.length <= DEEPEST) return <Field {...props} />;
    return (
      <div className="ak-field">
        <label className="ak-field-label" htmlFor={fieldPathId.$id}>
          <Name label={schema.title || String(name)} required={required} labels={wordsOf(registry).labels} />
        </label>
        <AnyField {...props} rawErrors={errorSchema?.__errors} />
      </div>
    );
  };
}

const Nothing = () => null;

export const fields = {
  NumberField,
  AnyOfField: Union,
  OneOfField: Union,
  // A schema that leads back into itself is drawn as JSON where it does.
  CyclicSchemaField: AnyField,
  FallbackField: AnyField,
  NullField: Nothing,
  ArrayField: bounded(rjsf.ArrayField),
  ObjectField: bounded(rjsf.ObjectField),
};

export const widgets = {
  CheckboxWidget: Checkbox,
  CheckboxesWidget: (props) => <Select {...props} multiple />,
  RadioWidget: Select,
  SelectWidget: Select,
  TextareaWidget: Textarea,
};
