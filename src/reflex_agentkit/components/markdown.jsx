// Markdown that is drawn as it streams and cannot act: no markup of its own, no pictures, no hidden link targets.
import React, { memo, useMemo, useRef, useState } from "react";
import { Blockquote, Code, Heading, Separator, Strong, Table } from "@radix-ui/themes";
import { Streamdown } from "streamdown";
import { Icon } from "./icons.jsx";
import { useWords, wordsOf } from "./words.jsx";

const SAFE = ["http:", "https:", "mailto:"];
// Without rehype-raw, Streamdown shows raw HTML letter for letter.
const NO_RAW_HTML = [];
// Words that come out letter by letter are our own doing; a tag that is not closed yet is text like any other.
const HEALING = { htmlTags: false };

/** The address of a link that may be followed, or null. Addresses without a scheme would lead into our own page. */
export function target(href) {
  try {
    const url = new URL(String(href ?? ""));
    return SAFE.includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

const textOf = (children) =>
  React.Children.toArray(children)
    .map((child) => (typeof child === "object" ? textOf(child.props?.children) : String(child)))
    .join("");

function Anchor({ href, children }) {
  const url = target(href);
  if (!url) return <span className="ak-inert">{children}</span>;
  const where = url.protocol === "mailto:" ? decode(url.pathname) : url.host;
  // A name before the host is there to look like another host.
  const plain = !url.username && !url.password;
  const same = plain && [url.href, url.href.replace(/\/$/, ""), where, String(href)].includes(textOf(children).trim());
  return (
    <a href={url.href} title={url.href} target="_blank" rel="noopener noreferrer nofollow" className="ak-link">
      <bdi>{children}</bdi>
      {!same && <bdi className="ak-host"> ({where})</bdi>}
    </a>
  );
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function CopyButton({ source, t }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard?.writeText(source.current?.innerText ?? "").then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <button type="button" className="ak-copy" onClick={copy} onBlur={() => setCopied(false)}>
      <Icon name={copied ? "check" : "copy"} size={14} />
      {t(copied ? "markdown.copied" : "markdown.copy")}
    </button>
  );
}

function Block({ children, t }) {
  const source = useRef(null);
  const { className = "", children: code = children } = children?.props ?? {};
  const language = /language-([\w+#.-]+)/.exec(className)?.[1] ?? "";
  return (
    <div className="ak-code">
      <div className="ak-code-head">
        <span>{language}</span>
        <CopyButton source={source} t={t} />
      </div>
      <pre ref={source} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </div>
  );
}

const heading = (level) =>
  function Level({ children }) {
    return (
      <Heading as={`h${Math.min(6, level + 3)}`} size={String(Math.max(2, 6 - level))} className="ak-heading" dir="auto">
        {children}
      </Heading>
    );
  };

function mapped(t) {
  return {
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading(level)])),
    p: ({ children }) => <p dir="auto">{children}</p>,
    a: Anchor,
    img: ({ alt, src }) => {
      const label = t("markdown.image", { alt: alt || String(src ?? "") });
      return <Anchor href={src}>{label}</Anchor>;
    },
    blockquote: ({ children }) => <Blockquote className="ak-blockquote">{children}</Blockquote>,
    strong: ({ children }) => <Strong>{children}</Strong>,
    em: ({ children }) => <em>{children}</em>,
    hr: () => <Separator size="4" my="4" />,
    ul: ({ children }) => <ul dir="auto">{children}</ul>,
    ol: ({ children, start }) => <ol start={start} dir="auto">{children}</ol>,
    li: ({ children }) => <li>{children}</li>,
    input: ({ checked }) => <span className="ak-task">{checked ? "☑" : "☐"} </span>,
    code: ({ children, className }) => <Code variant="soft" className={className}>{children}</Code>,
    pre: ({ children }) => <Block t={t}>{children}</Block>,
    table: ({ children }) => (
      <div className="ak-table" tabIndex={0} role="group" aria-label={t("markdown.table")}>
        <Table.Root size="1">{children}</Table.Root>
      </div>
    ),
    thead: ({ children }) => <Table.Header>{children}</Table.Header>,
    tbody: ({ children }) => <Table.Body>{children}</Table.Body>,
    tr: ({ children }) => <Table.Row>{children}</Table.Row>,
    td: ({ children, style }) => <Table.Cell style={style} dir="auto">{children}</Table.Cell>,
    th: ({ children, style }) => <Table.ColumnHeaderCell style={style} dir="auto">{children}</Table.ColumnHeaderCell>,
    section: ({ children }) => <section>{children}</section>,
    sup: ({ children }) => <sup>{children}</sup>,
    sub: ({ children }) => <sub>{children}</sub>,
  };
}

function Drawn({ text, streaming, labels }) {
  const t = useWords(labels);
  const components = useMemo(() => mapped(t), [t]);
  return (
    <div className="ak-md" aria-busy={streaming ? true : undefined}>
      <Streamdown
        components={components}
        rehypePlugins={NO_RAW_HTML}
        remend={HEALING}
        parseIncompleteMarkdown={!!streaming}
        isAnimating={!!streaming}
        controls={false}
        linkSafety={{ enabled: false }}
      >
        {text || ""}
      </Streamdown>
    </div>
  );
}

/** Drawn again only for other words: a transcript is sent whole with each message that comes to it. */
export const Markdown = memo(
  Drawn,
  (before, after) =>
    before.text === after.text &&
    !before.streaming === !after.streaming &&
    wordsOf(before.labels) === wordsOf(after.labels),
);
