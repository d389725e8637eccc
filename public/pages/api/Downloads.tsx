import type { ExportFile } from "../../../generator/contract/export.ts";
import type { Feed } from "../../../generator/contract/feed.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { readWhole } from "../../format/url.ts";
import { toCount, toCounted, toSize } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { TableEnd } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { CopyButton } from "../../parts/values.tsx";

const ROWS = 20;
const ROWS_MAX = 10_000;

export function Downloads() {
  const { network, query } = useUrl();
  const resource = useDocument(documents.exports(network));
  const rows = readWhole(query["rows"], { min: ROWS, max: ROWS_MAX, otherwise: ROWS });
  return (
    <Card title={`Downloads of ${network}`}>
      <div class="prose">
        <p>
          Download whole tables as CSV or Parquet. A file changes when what it shows changes:
          histories when an epoch closes, the list of validators as often as the site. Compare the
          SHA-256 to see whether your copy is the newest. The same list as JSON:{" "}
          <a href={documents.exports(network).url}>{documents.exports(network).url}</a>.
        </p>
      </div>
      <Document
        resource={resource}
        lines={8}
        isEmpty={({ data }) => data.length === 0}
        empty="Nothing to download yet. The first files appear with the next observation."
        missing="Nothing to download: there is no data for this network yet. Choose another network."
      >
        {({ data }) => (
          <>
            <Files files={data.slice(0, rows)} />
            <TableEnd rows={rows} total={data.length} step={ROWS}>
              {toCounted(data.length, "file")}
            </TableEnd>
          </>
        )}
      </Document>
    </Card>
  );
}

function Files({ files }: { files: readonly ExportFile[] }) {
  return (
    <div class="scroll-wide" tabIndex={0} role="region" aria-label="Files">
      <table class="wide-table">
        <caption class="visually-hidden">Files to download</caption>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Content</th>
            <th scope="col" class="number">
              Rows
            </th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col">SHA-256</th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <tr key={file.path}>
              <th scope="row">
                <a href={file.path} download="">
                  {file.path.split("/").slice(3).join("/")}
                </a>
              </th>
              <td>{toContent(file)}</td>
              <td class="number">{toCount(file.rows)}</td>
              <td class="number">{toSize(file.bytes)}</td>
              <td>
                <code title={file.sha256}>{file.sha256.slice(0, 12)}…</code>{" "}
                <CopyButton text={file.sha256} what={`SHA-256 of ${file.path}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const CONTENTS: Partial<Record<string, string>> = {
  events: "all events of closed epochs",
  costs: "what these events cost",
  rugs: "validators that rugged",
  validators: "the list of validators",
  locations: "where validators are",
  epochs: "epochs and their inflation",
  history: "stake and commissions of epoch",
  uptime: "checks of each day in",
} satisfies Record<ExportFile["table"], string>;

function toContent({ table, epoch, month }: ExportFile): string {
  return `${CONTENTS[table] ?? table} ${epoch ?? month ?? ""}`.trim();
}

const FEEDS = [
  { feed: "events", title: "All changes" },
  { feed: "rug", title: "Rugs" },
  { feed: "caution", title: "Cautions" },
  { feed: "info", title: "All other changes" },
] as const satisfies { feed: Feed; title: string }[];

export function Feeds() {
  const { network } = useUrl();
  return (
    <Card title={`Feeds of ${network}`}>
      <div class="prose">
        <p>
          Subscribe to a feed to hear of changes: copy its address into your feed reader. Each
          change becomes an entry with its evidence. You need no account, and we do not learn who
          subscribes. A reader that gets the address of this site finds the feeds of mainnet.
        </p>
        <p>
          A feed has the 100 confirmed changes that we published last. Both formats have the same
          entries: Atom suits readers, JSON Feed suits programs. An entry keeps its id, so readers
          show it once. Each validator with a change has its own feed, on its page.
        </p>
      </div>
      <dl class="api-rows">
        {FEEDS.map(({ feed, title }) => (
          <Fact key={feed} name={title}>
            <FeedLine path={`/feeds/${network}/${feed}.atom`} format="Atom" title={title} />
            <FeedLine path={`/feeds/${network}/${feed}.json`} format="JSON" title={title} />
          </Fact>
        ))}
      </dl>
    </Card>
  );
}

function FeedLine({ path, format, title }: { path: string; format: string; title: string }) {
  const address = location.origin + path;
  return (
    <p>
      <a href={path}>
        {format} <span class="visually-hidden">feed: {title}</span>
      </a>{" "}
      <code class="breakable">{address}</code>{" "}
      <CopyButton text={address} what={`the address of the ${format} feed: ${title}`} />
    </p>
  );
}
