// The fields of @rjsf, drawn as all fields of the kit are, with numbers kept as they were typed.
import React from "react";
import { Area, Check, Checks, Line, NumberLine, Pick, tied } from "./form_fields.jsx";
import { isTyped, jsonOf, numberOf, same, typedOf, write } from "./form_value.js";

const INPUTS = { date: "date", "datetime-local": "datetime-local", time: "time", email: "email", url: "url" };

const wordsOf = (registry) => registry.formContext;

const control = ({ id, schema, value, rawErrors, required, disabled, readonly, placeholder, registry }) => ({
  ...tied({ id, help: schema.description, problem: rawErrors?.length, required }),
  disabled: disabled || readonly,
  placeholder: (value === null ? wordsOf(registry).t("form.none") : placeholder) || undefined,
});

/** A field whose value may be null, with the way to say so. */
function OrNone({ schema, value, onChange, disabled, registry, children }) {
  const { t } = wordsOf(registry);
  if (!schema.akNullable) return children;
  return (
    <div className="ak-or-none">
      {children}
      <label className="ak-check ak-check-small">
        <input type="checkbox" checked={value === null} disabled={disabled} onChange={(event) => onChange(event.target.checked ? null : undefined)} />
        <span>{t("form.none")}</span>
      </label>
    </div>
  );
}

export function Input(props) {
  const { schema, value, onChange, type, options } = props;
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
  const empty = typeof schema.default === "string" && schema.default ? "" : options.emptyValue;
  return (
    <OrNone {...props}>
      <Line {...control(props)} type={INPUTS[type] ?? "text"} value={typedOf(value)} onValue={(text) => onChange(text === "" ? empty : text)} />
    </OrNone>
  );
}

function Textarea(props) {
  const { value, onChange, options } = props;
  return (
    <OrNone {...props}>
      <Area {...control(props)} value={typedOf(value)} onValue={(text) => onChange(text === "" ? options.emptyValue : text)} />
    </OrNone>
  );
}

function Select(props) {
  const { id, schema, value, onChange, options, multiple, required, registry, disabled } = props;
  const { t, labels } = wordsOf(registry);
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
  return (
    <Area
      {...control({ id: fieldPathId.$id, schema, rawErrors, required, disabled, registry })}
      code
      rows={2}
      value={isTyped(formData) ? typedOf(formData) : write(formData)}
      onValue={(next) => onChange(next === "" ? undefined : jsonOf(next), fieldPathId.path)}
    />
  );
}

/** Without the rounding of the field that @rjsf brings. */
function NumberField(props) {
  const { StringField } = props.registry.fields;
  return <StringField {...props} />;
}

export const fields = { NumberField, FallbackField: AnyField };

export const widgets = {
  CheckboxWidget: Checkbox,
  CheckboxesWidget: (props) => <Select {...props} multiple />,
  RadioWidget: Select,
  SelectWidget: Select,
  TextareaWidget: Textarea,
};
