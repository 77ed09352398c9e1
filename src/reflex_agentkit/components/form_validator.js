// What @rjsf asks a validator for, by the kit's own check: nothing is made into code, so a strict CSP may stand.
import { settled } from "./form_value.js";
import { checkPart } from "./json_schema.js";

function nested(problems) {
  const errors = {};
  for (const { path, text } of problems) {
    let place = errors;
    for (const key of path) {
      if (!Object.hasOwn(place, key)) Object.defineProperty(place, key, { value: {}, enumerable: true, configurable: true, writable: true });
      place = place[key];
    }
    place.__errors = [...(place.__errors ?? []), text];
  }
  return errors;
}

/** Problems with `path` and `text` as the tree of errors that @rjsf draws. */
export const errorTree = nested;

/** Whether a value fits a part of a schema; `root` is what references lead into. */
export const fits = (schema, value, root) => !checkPart(schema, root, settled(value)).length;

export const validator = {
  isValid: (schema, data, root) => fits(schema, data, root ?? schema),
  // The form checks the text that is sent, not what @rjsf makes of it.
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: (schema, data) => ({ errors: checkPart(schema, schema, settled(data)) }),
};
