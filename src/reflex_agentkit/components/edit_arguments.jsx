// The arguments of a call while a person changes them, and what has been changed so far.
import React from "react";
import { takenBack } from "./changes.js";
import { Difference } from "./difference.jsx";
import { TwoViews } from "./two_views.jsx";
import { useWords } from "./words.jsx";

export function EditArguments({ pending, held, verdict, busy, labels }) {
  const t = useWords(labels);
  const words = { json: t("editor.arguments"), show: t("form.show_json"), hide: t("form.hide_json") };
  const reset = (change) => held.setValue(takenBack(held.value, held.original, change));
  return (
    <>
      <TwoViews held={held} verdict={verdict} tried busy={!!busy} words={words} autoFocus labels={labels} />
      <section className="ak-edits" aria-label={t("difference.yours")}>
        <p className="ak-edits-head">{t("difference.yours")}</p>
        {verdict.same || held.broken ? (
          <p className="ak-quiet">{t(held.broken ? "form.broken" : "difference.none")}</p>
        ) : (
          <Difference before={pending.args_text || "{}"} after={held.text} onReset={reset} disabled={!!busy} labels={labels} />
        )}
      </section>
    </>
  );
}
