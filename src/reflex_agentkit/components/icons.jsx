// The few signs that the kit draws; each is decoration beside a word or inside a named button.
import React from "react";

const PATHS = {
  send: "M12 19V5M5 12l7-7 7 7",
  stop: "M7 7h10v10H7z",
  down: "M12 5v14M5 12l7 7 7-7",
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6 6l12 12M18 6L6 18",
  pencil: "M4 20h4L19 9l-4-4L4 16v4zM13.5 6.5l4 4",
  hand: "M12 8v5M12 16.5v.01M10.3 4.2L2.9 17a2 2 0 001.7 3h14.8a2 2 0 001.7-3L13.7 4.2a2 2 0 00-3.4 0z",
  clock: "M12 7v5l3 2M12 3a9 9 0 100 18 9 9 0 000-18z",
  wrench: "M14.5 6.5a4 4 0 00-5.3 5L4 16.7V20h3.3l5.2-5.2a4 4 0 005-5.3l-2.6 2.6-2.4-.6-.6-2.4 2.6-2.6z",
  list: "M4 7h16M4 12h16M4 17h10",
  plus: "M12 5v14M5 12h14",
  right: "M9 6l6 6-6 6",
  copy: "M9 9h10v10H9zM5 15V5h10",
  question: "M9.2 9a3 3 0 015.8 1c0 2-3 2.5-3 4M12 17.5v.01M12 3a9 9 0 100 18 9 9 0 000-18z",
  chat: "M5 5h14a1 1 0 011 1v9a1 1 0 01-1 1h-7l-5 4v-4H5a1 1 0 01-1-1V6a1 1 0 011-1z",
  spark: "M12 4l1.7 5.3L19 11l-5.3 1.7L12 18l-1.7-5.3L5 11l5.3-1.7zM19 3v3M20.5 4.5h-3",
  undo: "M8 5L4 9l4 4M4 9h9.5a5.5 5.5 0 010 11H8",
  reply: "M10 8L5 12.5 10 17M5 12.5h9a5 5 0 015 5V18",
  pulse: "M3 12h4l3-7 4 14 3-7h4",
};

export function Icon({ name, size = 16 }) {
  return (
    <svg
      className="ak-icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name] ?? PATHS.chat} />
    </svg>
  );
}

export const Spinner = () => <span className="ak-spinner" aria-hidden="true" />;
