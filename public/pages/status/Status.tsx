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
import { Term } from "../../parts/Term.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { NetworkCard, NOT_PUBLISHED } from "./NetworkCard.tsx";
import { Pending, Swept } from "./Pending.tsx";
import { Refused, Rulings } from "./Refused.tsx";
import { SourceGuide } from "./SourceGuide.tsx";
import "../../style/status.css";

const STATUS_MILLISECONDS = 15_000;

export default function Status() {
  const { network } = useUrl();
  useEpoch(network);
  const chosen = useDocument(documents.status(network), { everyMilliseconds: STATUS_MILLISECONDS });
  return (
    <div class="status-page">
      <header class="status-header">
        <h1>How fresh the data is</h1>
        <p class="quiet">
          We read every network at least once a minute, and take a full{" "}
          <Term of="Snapshot">snapshot</Term> every ten minutes. If a source fails, its values stay
          as they were and the others go on. The same as JSON:{" "}
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

function Record({
  resource,
  network,
}: {
  resource: Resource<DocumentOf<"status">>;
  network: Network;
}) {
  const blocks: Block[] = [
    { title: `Pending changes on ${network}`, show: (status) => <Pending status={status} /> },
    { title: `Transaction search on ${network}`, show: (status) => <Swept status={status} /> },
    { title: `Refused observations on ${network}`, show: (status) => <Refused status={status} /> },
    { title: `Rulings on ${network}`, show: (status) => <Rulings status={status} /> },
  ];
  return (
    <div class="record">
      {blocks.map(({ title, show }) => (
        <Card key={title} title={title}>
          <Document resource={resource} lines={2} missing={NOT_PUBLISHED}>
            {({ data }) => show(data)}
          </Document>
        </Card>
      ))}
    </div>
  );
}
