// Markdown without its weight in the first load: the text is readable at once and takes its form a moment later.
import React from "react";
import { later } from "./later.jsx";

const Plain = ({ text }) => (
  <div className="ak-md ak-plain" dir="auto">
    {text}
  </div>
);

export const Markdown = later(() => import("./markdown.jsx").then((module) => module.Markdown), Plain, Plain);
