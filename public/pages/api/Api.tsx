import { useEffect, useRef } from "preact/hooks";
import changelog from "virtual:changelog";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toAddress } from "../../format/url.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Markdown } from "../../parts/Markdown.tsx";
import { useTitle, useUrl } from "../../parts/use-url.ts";
import { Downloads, Feeds } from "./Downloads.tsx";
import { Examples } from "./Examples.tsx";
import { OperationView } from "./OperationView.tsx";
import { Prose, Words } from "./Prose.tsx";
import { Caching, Errors, Limits } from "./Rules.tsx";
import { type Description, findOperation, type Operation, readDescription } from "./description.ts";
import "../../style/api.css";
import "../../style/api-trial.css";

export default function Api() {
  const resource = useDocument(documents.description());
  return (
    <>
      <h1 class="api-title">API reference</h1>
      <Document resource={resource} lines={12}>
        {(document) => <Reference description={readDescription(document)} />}
      </Document>
    </>
  );
}

function Reference({ description }: { description: Description }) {
  const { query } = useUrl();
  const operation = findOperation(description, query["operation"]);
  const section = findSection(query["section"]);
  const title = operation?.summary ?? section.title;
  useTitle(operation === null && section === OVERVIEW ? null : `${title} · API`);
  const view = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // The path stays the same, so the shell moves neither focus nor scroll.
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
          <p class="stale">
            The API has no operation with the name in the address. Choose one from this overview.
          </p>
        )}
        {operation === null ? (
          <SectionView section={section} description={description} />
        ) : (
          <OperationView
            key={operation.id}
            operation={operation}
            tag={findTag(description, operation)}
          />
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
    case "examples":
      return <Examples />;
    case "changelog":
      return <Changelog />;
  }
}

function Changelog() {
  return (
    <Card title="Changelog">
      <div class="prose">
        <Markdown
          nodes={changelog.children.filter(({ type, depth }) => type !== "heading" || depth !== 1)}
        />
      </div>
    </Card>
  );
}

function findTag({ tags }: Description, operation: Operation): string {
  return tags.find(({ operations }) => operations.includes(operation))?.name ?? "";
}

function Contents({ description }: { description: Description }) {
  const { network, query } = useUrl();
  const chosen = findOperation(description, query["operation"]);
  const section = chosen === null ? findSection(query["section"]) : null;
  const link = (title: string, parameter: Record<string, string | null>, isCurrent: boolean) => (
    <li key={title}>
      <a
        href={toAddress("/api", { ...parameter, network })}
        aria-current={isCurrent ? "page" : undefined}
      >
        {title}
      </a>
    </li>
  );
  return (
    <nav class="api-contents" aria-label="API reference">
      <ul>
        {SECTIONS.map(({ name, title }) =>
          link(title, { section: name === "overview" ? null : name }, name === section?.name),
        )}
      </ul>
      {description.tags.map(({ name, operations }) => (
        <div key={name} class="api-group">
          <p class="api-tag">{name}</p>
          <ul>
            {operations.map(({ id, summary }) =>
              link(summary, { operation: id }, id === chosen?.id),
            )}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const SECTIONS = [
  { name: "overview", title: "Overview" },
  { name: "limits", title: "Limits" },
  { name: "caching", title: "Caching" },
  { name: "errors", title: "Errors" },
  { name: "feeds", title: "Feeds" },
  { name: "downloads", title: "Downloads" },
  { name: "examples", title: "Examples" },
  { name: "changelog", title: "Changelog" },
] as const;

const OVERVIEW = SECTIONS[0];

type Section = (typeof SECTIONS)[number];

function findSection(name: string | undefined): Section {
  return SECTIONS.find((section) => section.name === name) ?? OVERVIEW;
}

function Overview({
  description: { summary, version, prose, tags },
}: {
  description: Description;
}) {
  const { network } = useUrl();
  return (
    <>
      <header class="api-header">
        <h2 class="api-heading">{summary}</h2>
        <p class="quiet">
          Version {version}. Generate a client from{" "}
          <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>, which this reference is made of,
          or take its types for TypeScript: <a href="/client.d.ts">/client.d.ts</a>. Words you do
          not know: <a href={toAddress("/glossary", { network })}>glossary</a>.
        </p>
      </header>
      {tags.map(({ name, description, operations }) => (
        <Card key={name} title={name}>
          <p class="api-lead">
            <Words text={description} />
          </p>
          <ul class="api-operations">
            {operations.map((operation) => (
              <OperationLine key={operation.id} operation={operation} />
            ))}
          </ul>
        </Card>
      ))}
      <Card title="For every request">
        <Prose text={prose} />
      </Card>
    </>
  );
}

function OperationLine({ operation: { id, method, path, summary } }: { operation: Operation }) {
  const { network } = useUrl();
  return (
    <li>
      <a href={toAddress("/api", { operation: id, network })}>{summary}</a>
      <span class="api-path">
        <span class="method">{method}</span> <code class="breakable">{path}</code>
      </span>
    </li>
  );
}
