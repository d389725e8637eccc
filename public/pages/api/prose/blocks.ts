/** A run of text of one kind. */
export interface Span {
  kind: "text" | "code";
  text: string;
}

export interface Block {
  kind: "heading" | "paragraph";
  spans: readonly Span[];
}

/**
 * The Markdown that descriptions of the API are written in: paragraphs, `## ` headings and `code`. Anything else is shown as it
 * is written, so a whole parser of Markdown is not worth its bytes here.
 */
export function toBlocks(markdown: string): Block[] {
  return markdown
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) =>
      text.startsWith("## ")
        ? { kind: "heading", spans: toSpans(text.slice(3)) }
        : { kind: "paragraph", spans: toSpans(text) },
    );
}

/** The runs of one line or paragraph. */
export function toSpans(text: string): Span[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, index): Span => ({ kind: index % 2 === 1 ? "code" : "text", text: part }))
    .filter((span) => span.text !== "");
}
