// What is wrong with the values of a form, by field, in words for a person.

const keyOf = (path) => path.map(String).join("\u0000");

/** A problem as a sentence. */
export function sentence(t, { kind, values }) {
  if (kind === "required") return t("form.needed");
  if (kind === "number") return t("form.not_number");
  const said =
    kind === "type"
      ? t("problem.type", { expected: values.expected.map((type) => t(`type.${type}`)).join(t("type.or")) })
      : kind.startsWith("syntax.")
        ? t(kind)
        : t(`problem.${kind}`, values);
  return `${said.slice(0, 1).toLocaleUpperCase()}${said.slice(1)}.`;
}

/** One entry a field: what is missing is told where it is missing, not at what holds it. */
function placed(problem) {
  if (problem.kind !== "required") return [problem];
  return (problem.values.names ?? []).map((name) => ({ ...problem, path: [...problem.path, name] }));
}

/**
 * Problems by their place: `at(path)` gives a sentence, `all` is the list with `path` and `text`. `first` are those
 * that count where two say the same place.
 */
export function byField(t, first, rest) {
  const found = new Map();
  for (const problem of [...first, ...rest].flatMap(placed)) {
    const key = keyOf(problem.path);
    if (!found.has(key)) found.set(key, { path: problem.path.map(String), text: sentence(t, problem) });
  }
  return { all: [...found.values()], at: (path) => found.get(keyOf(path))?.text };
}
