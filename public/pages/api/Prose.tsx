export function Prose({ text }: { text: string }) {
  return (
    <div class="prose">
      {toBlocks(text).map(({ kind, spans }, index) =>
        kind === "heading" ? (
          <h3 key={index}>
            <Spans spans={spans} />
          </h3>
        ) : (
          <p key={index}>
            <Spans spans={spans} />
          </p>
        ),
      )}
    </div>
  );
}

export function Words({ text }: { text: string }) {
  return <Spans spans={toSpans(text)} />;
}

function Spans({ spans }: { spans: readonly Span[] }) {
  return (
    <>
      {spans.map(({ kind, text }, index) =>
        kind === "code" ? <code key={index}>{text}</code> : text,
      )}
    </>
  );
}

interface Span {
  kind: "text" | "code";
  text: string;
}

interface Block {
  kind: "heading" | "paragraph";
  spans: readonly Span[];
}

/** The description uses no other Markdown. */
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

export function toSpans(text: string): Span[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, index): Span => ({ kind: index % 2 === 1 ? "code" : "text", text: part }))
    .filter((span) => span.text !== "");
}
