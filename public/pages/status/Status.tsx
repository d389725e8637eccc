import type { ComponentChildren } from "preact";
import type { Network } from "../../../generator/contract/networks.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { Status } from "../../../generator/contract/status.ts";
import { useEpoch } from "../../api/clock.ts";
import { documents } from "../../api/documents.ts";
import { type Resource, useDocument } from "../../api/use-document.ts";
import { NETWORKS } from "../../format/url.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { NetworkCard } from "./NetworkCard.tsx";
import { Pending, Swept } from "./Pending.tsx";
import { Refused, Rulings } from "./Refused.tsx";
import { SourceGuide } from "./SourceGuide.tsx";
import "../../style/status.css";

/** As long as caches hold the status. */
const STATUS_MILLISECONDS = 15_000;

/** Of every network how fresh it is, of the chosen one what is pending and refused. */
export default function Status() {
  const { network } = useUrl();
  useEpoch(network);
  const chosen = useDocument(documents.status(network), { everyMilliseconds: STATUS_MILLISECONDS });
  return (
    <div class="status-page">
      <header class="status-header">
        <h1>How fresh this is</h1>
        <p class="quiet">
          Every network is observed each minute, and in full every ten minutes. What one source does not tell keeps its
          last value, and the rest goes on. The same as a document:{" "}
          <a href={documents.status(network).url}>{documents.status(network).url}</a>
        </p>
      </header>
      <div class="networks">
        {NETWORKS.map((name) => (
          <NetworkCard key={name} network={name} isChosen={name === network} />
        ))}
      </div>
      <Record resource={chosen} network={network} />
      <SourceGuide />
    </div>
  );
}

interface Block {
  title: string;
  show: (status: Status) => ComponentChildren;
}

/** What the other documents leave out, and why. */
function Record({ resource, network }: { resource: Resource<DocumentOf<"status">>; network: Network }) {
  const blocks: Block[] = [
    { title: `Pending changes on ${network}`, show: (status) => <Pending status={status} /> },
    { title: `Transactions searched on ${network}`, show: (status) => <Swept status={status} /> },
    { title: `Refused observations of ${network}`, show: (status) => <Refused status={status} /> },
    { title: `Rulings on ${network}`, show: (status) => <Rulings status={status} /> },
  ];
  return (
    <div class="record">
      {blocks.map(({ title, show }) => (
        <Card key={title} title={title}>
          <Document resource={resource} lines={2} missing="Nothing is published of this network yet.">
            {({ data }) => show(data)}
          </Document>
        </Card>
      ))}
    </div>
  );
}
