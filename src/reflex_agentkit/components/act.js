// What a call does, in words made of its tool's name: `book_hotel` books a hotel.

/** Words that our own buttons say: a tool that is called so must not look like one of them. */
const OURS = new Set(
  "abort accept allow approve back cancel close confirm decline deny discard dismiss dont edit hide ignore no not ok refuse reject reset respond skip stop undo yes".split(" "),
);
const PLAIN = /^[A-Za-z][A-Za-z0-9_-]{1,39}$/;
const MOST_WORDS = 5;

const begun = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `{act, verb, ours}`: the whole, its first word, and whether it could be taken for a button of ours; or null. */
export function actOf(toolName) {
  // `server__tool`, `server.tool`, `server/tool`: what it is called is the last part.
  const last = String(toolName ?? "").split(/__|[./:]/).at(-1);
  if (!PLAIN.test(last)) return null;
  const words = last
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
  if (!words.length || words.length > MOST_WORDS) return null;
  return { act: begun(words.join(" ")), verb: begun(words[0]), ours: words.some((word) => OURS.has(word)) };
}

/** What the button says that lets a call run. */
export function approveWords(t, toolName, changed) {
  const found = actOf(toolName);
  if (!found) return t(changed ? "approval.approve_changed" : "approval.approve");
  if (found.ours) return t(changed ? "approval.do_named_changed" : "approval.do_named", found);
  return t(changed ? "approval.do_changed" : "approval.do", found);
}
