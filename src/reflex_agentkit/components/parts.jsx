// What the Python side names. Light parts come at once, heavy ones are fetched by `later`.
import "./chat.css";
import "./cards.css";

export { ApprovalCard, Decision, QuestionForm, ToolCard } from "./cards.jsx";
export { Composer } from "./composer.jsx";
export { Announcer, PauseDialog, Position, WaitingBar } from "./dialog.jsx";
export { Failed } from "./failed.jsx";
export { Usage } from "./frame.jsx";
export { Icon } from "./icons.jsx";
export { LiveMessage, Reasoning, Working } from "./live_message.jsx";
export { Markdown } from "./markdown_later.jsx";
export { Meant, Refusal } from "./pause_parts.jsx";
export { NewThread, ThreadList, ThreadMenu } from "./threads.jsx";
export { Transcript } from "./transcript.jsx";
