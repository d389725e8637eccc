import { useEffect, useRef } from "preact/hooks";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { useTitle } from "../../app/title.ts";
import { useUrl } from "../../app/use-url.ts";
import { Document } from "../../parts/Document.tsx";
import "../../style/api.css";
import "../../style/api-prose.css";
import "../../style/api-trial.css";
import "../../style/wide-table.css";
import { findOperation, readDescription, type Description, type Operation } from "./description/description.ts";
import { Caching } from "./guide/Caching.tsx";
import { Changelog } from "./guide/Changelog.tsx";
import { Downloads } from "./guide/Downloads.tsx";
import { Errors } from "./guide/Errors.tsx";
import { Feeds } from "./guide/Feeds.tsx";
import { Limits } from "./guide/Limits.tsx";
import { Overview } from "./guide/Overview.tsx";
import { Contents } from "./Contents.tsx";
import { findSection, OVERVIEW, type Section } from "./sections.ts";
import { OperationView } from "./OperationView.tsx";

/** The API reference, made of the description that the API itself gives; one operation or one section at a time. */
export default function Api() {
  const reading = useDocument(documents.description());
  return (
    <>
      <h1 class="api-title">API reference</h1>
      <Document reading={reading} lines={12}>
        {(document) => <Reference description={readDescription(document)} />}
      </Document>
    </>
  );
}

/** What the address asks for: `?operation=`, `?section=`, or the overview. */
function Reference({ description }: { description: Description }) {
  const { query } = useUrl();
  const operation = findOperation(description, query["operation"]);
  const section = findSection(query["section"]);
  const title = operation?.summary ?? section.title;
  useTitle(operation === null && section === OVERVIEW ? null : `${title} · API`);
  const view = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // The path stays the same, so the site's own care for focus and place does not notice.
    if (!isFirst.current) {
      view.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [title]);
  return (
    <div class="api">
      <Contents description={description} />
      <div class="api-view" tabIndex={-1} ref={view}>
        {operation === null && query["operation"] !== undefined && (
          <p class="stale">The API has no operation of the name that the address has. This is the overview.</p>
        )}
        {operation === null ? (
          <SectionView section={section} description={description} />
        ) : (
          <OperationView key={operation.id} operation={operation} tag={findTag(description, operation)} />
        )}
      </div>
    </div>
  );
}

function SectionView({ section, description }: { section: Section; description: Description }) {
  switch (section.name) {
    case "overview":
      return <Overview description={description} />;
    case "limits":
      return <Limits description={description} />;
    case "caching":
      return <Caching description={description} />;
    case "errors":
      return <Errors description={description} />;
    case "feeds":
      return <Feeds />;
    case "downloads":
      return <Downloads />;
    case "changelog":
      return <Changelog />;
  }
}

function findTag({ tags }: Description, operation: Operation): string {
  return tags.find(({ operations }) => operations.includes(operation))?.name ?? "";
}
