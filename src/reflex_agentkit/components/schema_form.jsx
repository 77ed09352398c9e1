// The fields of a JSON Schema, by @rjsf. Values, checks and buttons belong to `form.jsx`.
import React, { useId, useMemo } from "react";
// Not the package's face: that loads a registry for tests, and with it a validator that makes code of schemas.
import withTheme from "@rjsf/core/lib/withTheme.js";
import { fields, widgets } from "./form_widgets.jsx";
import { templates, translate } from "./form_templates.jsx";
import { errorTree, validator } from "./form_validator.js";
import { useWords } from "./words.jsx";

const Themed = withTheme({ fields, templates, widgets });

const DEFAULTS = { emptyObjectFields: "populateAllDefaults", arrayMinItems: { populate: "requiredOnly" }, constAsDefaults: "skipOneOf" };
const UI = { "ui:submitButtonOptions": { norender: true } };
const SEPARATOR = "_";

/** `onData(value, path)` tells the whole value and where it changed; `problems` are drawn at their fields. */
export function SchemaForm({ schema, value, onData, problems, disabled, labels }) {
  const t = useWords(labels);
  const prefix = `f${useId().replace(/[^\w]/g, "")}`;
  const context = useMemo(() => ({ t, labels }), [t, labels]);
  const errors = useMemo(() => errorTree(problems), [problems]);
  const words = useMemo(() => translate(t), [t]);
  return (
    <Themed
      tagName="div"
      className="ak-schema"
      schema={schema}
      uiSchema={UI}
      formData={value}
      formContext={context}
      validator={validator}
      idPrefix={prefix}
      idSeparator={SEPARATOR}
      translateString={words}
      extraErrors={errors}
      experimental_defaultFormStateBehavior={DEFAULTS}
      disabled={disabled}
      showErrorList={false}
      noValidate
      onChange={({ formData }, id) => onData(formData, id === undefined ? undefined : String(id).slice(prefix.length))}
    />
  );
}
