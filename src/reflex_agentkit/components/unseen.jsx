// What a person has not had in view.
import React from "react";

/** What has not been in view yet, and the way to it. */
export function Unseen({ editing, closed, below, more, unfold, t }) {
  if (editing) return <div className="ak-unseen">{t("approval.unseen")}</div>;
  return (
    <div className="ak-unseen">
      <span>{closed > 0 ? t.n("approval.folded", closed) : t.n("approval.below", below)}</span>
      <button type="button" className="ak-fold" onClick={closed > 0 ? unfold : more}>
        {t(closed > 0 ? "approval.unfold" : "approval.more")}
      </button>
    </div>
  );
}
