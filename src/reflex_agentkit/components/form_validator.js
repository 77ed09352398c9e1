// What @rjsf asks a validator for, by @cfworker/json-schema: nothing is made into code, so a strict CSP may stand.
import { Validator } from "@cfworker/json-schema";
import { plain, write } from "./form_value.js";
import { check, checker } from "./schema_check.js";

/** A schema of a part with what its references lead to. */
const within = (schema, root) => {
  if (!schema || typeof schema !== "object") return schema;
  const { $defs, definitions } = root ?? {};
  return { ...($defs && { $defs }), ...(definitions && { definitions }), ...schema };
};

function nested(problems, sentence) {
  const errors = {};
  for (const problem of problems) {
    let place = errors;
    for (const key of problem.path) {
      if (!Object.hasOwn(place, key)) Object.defineProperty(place, key, { value: {}, enumerable: true, configurable: true, writable: true });
      place = place[key];
    }
    place.__errors = [...(place.__errors ?? []), sentence(problem)];
  }
  return errors;
}

/** Problems with `path` and `text` as the tree of errors that @rjsf draws. */
export const errorTree = (problems) => nested(problems, (problem) => problem.text);

const problemsOf = (data, schema) => check(write(data) || "null", checker(JSON.stringify(plain(schema)))).problems;

export const validator = {
  isValid(schema, data, root) {
    try {
      return new Validator(plain(within(schema, root)), "2020-12", true).validate(plain(data)).valid;
    } catch {
      return false;
    }
  },
  validateFormData(data, schema) {
    const problems = problemsOf(data, schema);
    const errors = problems.map(({ kind, path }) => ({ stack: kind, name: kind, property: path.join(".") }));
    return { errors, errorSchema: nested(problems, ({ kind }) => kind) };
  },
  rawValidation(schema, data) {
    return { errors: problemsOf(data, schema) };
  },
};
