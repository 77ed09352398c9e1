// Small lines of the frame.
import React from "react";
import { useWords } from "./words.jsx";

export function Usage({ total, labels }) {
  const t = useWords(labels);
  return total > 0 ? <p className="ak-usage">{t("chat.usage", { total: t.number(total) })}</p> : null;
}
