// A button of the kit.
import React from "react";
import { Icon } from "./icons.jsx";

/** `off` and not `disabled`: a button that is disabled while it has the focus loses it. */
export function Button({ tone = "soft", icon, off, onClick, children, ...rest }) {
  const press = (event) => (off ? event.preventDefault() : onClick?.(event));
  return (
    <button type="button" className={`ak-button ak-${tone}`} aria-disabled={off || undefined} onClick={press} {...rest}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}
