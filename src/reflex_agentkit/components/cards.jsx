// The cards that a pause needs, fetched when there is one.
import { later } from "./later.jsx";

export const ApprovalCard = later(() => import("./approval_card.jsx").then((module) => module.ApprovalCard));
export const QuestionForm = later(() => import("./form.jsx").then((module) => module.QuestionForm));
export const ToolCard = later(() => import("./tool_card.jsx").then((module) => module.ToolCard));
export const Decision = later(() => import("./decision.jsx").then((module) => module.Decision));
