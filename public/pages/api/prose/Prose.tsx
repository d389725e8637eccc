import { toBlocks, toSpans, type Span } from "./blocks.ts";

/** What the description says in several paragraphs. */
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

/** The same for a cell or a line. */
export function Words({ text }: { text: string }) {
  return <Spans spans={toSpans(text)} />;
}

function Spans({ spans }: { spans: readonly Span[] }) {
  return <>{spans.map(({ kind, text }, index) => (kind === "code" ? <code key={index}>{text}</code> : text))}</>;
}
