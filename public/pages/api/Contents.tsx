import { toAddress } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import { findOperation, type Description } from "./description/description.ts";
import { findSection, SECTIONS } from "./sections.ts";

/** All that the reference has; beside the view where there is room, else above it and folded. */
export function Contents({ description }: { description: Description }) {
  const { network, query } = useUrl();
  const chosen = findOperation(description, query["operation"]);
  const section = chosen === null ? findSection(query["section"]) : null;
  const link = (title: string, parameter: Record<string, string | null>, isCurrent: boolean) => (
    <li key={title}>
      <a href={toAddress("/api", { ...parameter, network })} aria-current={isCurrent ? "page" : undefined}>
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
          <ul>{operations.map(({ id, summary }) => link(summary, { operation: id }, id === chosen?.id))}</ul>
        </div>
      ))}
    </nav>
  );
}
