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
/** For a value that is there already: nothing is added to it that a person did not put in. */
const EXACT = { emptyObjectFields: "skipDefaults", arrayMinItems: { populate: "never" }, allOf: "skipDefaults", constAsDefaults: "never", mergeDefaultsIntoFormData: "useFormDataIfPresent" };
const UI = { "ui:submitButtonOptions": { norender: true } };
const SEPARATOR = "_";

/**
 * `onData(value, path)` tells the whole value and where it changed; `problems` are drawn at their fields. With `original`
 * the value is a proposal: no default is added to it.
 */
export function SchemaForm({ schema, value, original, onData, problems, disabled, labels }) {
  const t = useWords(labels);
  const prefix = `f${useId().replace(/[^\w]/g, "")}`;
  const exact = original !== undefined;
  const context = useMemo(() => ({ t, labels, original, exact }), [t, labels, original, exact]);
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
      experimental_defaultFormStateBehavior={exact ? EXACT : DEFAULTS}
      disabled={disabled}
      showErrorList={false}
      noValidate
      onChange={({ formData }, id) => {
        // Without the id of a field it is a default of the library's own.
        if (id !== undefined || !exact) onData(formData, id === undefined ? undefined : String(id).slice(prefix.length));
      }}
    />
  );
}
