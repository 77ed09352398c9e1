// The cards that a pause needs, fetched when there is one. What stands in for them is as tall, so that nothing jumps.
import React from "react";
import { Spinner } from "./icons.jsx";
import { later } from "./later.jsx";
import { useWords } from "./words.jsx";

/** In place of a part that could not be fetched: the network failed, or the server has a newer page. */
function Missing({ labels }) {
  const t = useWords(labels);
  return (
    <div className="ak-note ak-note-bad" role="alert">
      <span>{t("load.failed")}</span>
      <button type="button" className="ak-button ak-danger ak-small" onClick={() => window.location.reload()}>
        {t("load.again")}
      </button>
    </div>
  );
}

const Line = () => (
  <div className="ak-coming">
    <Spinner />
  </div>
);
const Card = () => (
  <div className="ak-coming ak-coming-card">
    <Spinner />
  </div>
);

export const ApprovalCard = later(() => import("./approval_card.jsx").then((module) => module.ApprovalCard), Card, Missing);
export const QuestionForm = later(() => import("./form.jsx").then((module) => module.QuestionForm), Card, Missing);
export const ToolCard = later(() => import("./tool_card.jsx").then((module) => module.ToolCard), Line, Missing);
export const Decision = later(() => import("./decision.jsx").then((module) => module.Decision), Line, Missing);
