import type { ComponentChildren } from "preact";
import { toWebAddress } from "../format/url.ts";

/** See https://github.com/syntax-tree/mdast. */
export interface MarkdownNode {
  type: string;
  children?: readonly MarkdownNode[];
  value?: string;
  depth?: number;
  ordered?: boolean | null;
  url?: string;
}

export function Markdown({ nodes }: { nodes: readonly MarkdownNode[] }) {
  return (
    <>
      {nodes.map((node, index) => (
        <Node key={index} node={node} />
      ))}
    </>
  );
}

function Node({ node }: { node: MarkdownNode }): ComponentChildren {
  const content = node.children === undefined ? node.value : <Markdown nodes={node.children} />;
  switch (node.type) {
    case "heading":
      return node.depth === 2 ? <h3>{content}</h3> : <h4>{content}</h4>;
    case "paragraph":
      return <p>{content}</p>;
    case "strong":
      return <strong>{content}</strong>;
    case "emphasis":
      return <em>{content}</em>;
    case "inlineCode":
      return <code>{content}</code>;
    case "code":
      return <pre class="body">{content}</pre>;
    case "list":
      return node.ordered === true ? <ol>{content}</ol> : <ul>{content}</ul>;
    case "listItem":
      return <li>{content}</li>;
    case "link":
      return <Link url={node.url}>{content}</Link>;
    case "table":
      return <Table rows={node.children ?? []} />;
    default:
      return content;
  }
}

/** A relative link points into the repository, which the site does not have. */
function Link({ url, children }: { url: string | undefined; children: ComponentChildren }) {
  const address = toWebAddress(url ?? null);
  return address === null ? <>{children}</> : <a href={address}>{children}</a>;
}

function Table({ rows: [head, ...rows] }: { rows: readonly MarkdownNode[] }) {
  return (
    <div class="scroll-wide" tabIndex={0} role="region" aria-label="Table">
      <table class="wide-table">
        <thead>
          <tr>
            {head?.children?.map((cell, column) => (
              <th key={column} scope="col">
                <Markdown nodes={cell.children ?? []} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.children?.map((cell, column) => (
                <td key={column}>
                  <Markdown nodes={cell.children ?? []} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
