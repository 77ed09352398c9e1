// The end of a run that went wrong.
import React from "react";
import { Button } from "./button.jsx";
import { Icon } from "./icons.jsx";
import { LongText } from "./values.jsx";
import { useWords } from "./words.jsx";

/** Why a run ended badly, and what a person can do about it. */
export function Failed({ error, onRetry, onNew, labels }) {
  const t = useWords(labels);
  if (!error?.text) return null;
  return (
    <div className="ak-note ak-note-bad ak-error" role="alert">
      <Icon name="hand" />
      <span>
        <b>{t("error.title")}</b>
        <bdi dir="auto">
          <LongText text={error.text} labels={labels} />
        </bdi>
      </span>
      <Button tone="danger ak-small" onClick={() => onRetry?.()}>
        {t("error.retry")}
      </Button>
      <Button tone="ghost ak-small" onClick={() => onNew?.()}>
        {t("error.new")}
      </Button>
    </div>
  );
}
