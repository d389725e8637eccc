import type { ComponentChildren } from "preact";
import type { Network } from "../../../generator/contract/networks.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { Status } from "../../../generator/contract/status.ts";
import { apiNow, useEpoch } from "../../api/clock.ts";
import { documents } from "../../api/documents.ts";
import { type Resource, useDocument } from "../../api/use-document.ts";
import { toVerdict } from "../../format/freshness.ts";
import { NETWORKS } from "../../format/url.ts";
import { Card, type CardProps } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Term } from "../../parts/Term.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Ago, CopyButton } from "../../parts/values.tsx";
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
        <p class="status-sentence">
          <Sentence status={chosen.held?.document.data ?? null} network={network} />
        </p>
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

/** What a reader wants to know of it. */
function Sentence({ status, network }: { status: Status | null; network: Network }) {
  const now = apiNow.value;
  if (status === null || now === null) return <>…</>;
  const { state } = toVerdict(status, now);
  const age = status.snapshotAt === null ? null : <Ago time={status.snapshotAt} />;
  if (age === null) return <>Of {network} nothing is read yet.</>;
  if (state === "failed")
    return (
      <>
        What you see of {network} is old: the newest full reading was {age}.
      </>
    );
  return (
    <>
      What you see of {network} is up to date{state === "degraded" && ", but for some details"}: the
      newest full reading was {age}.
    </>
  );
}

function JournalHead({ status: { journal } }: { status: Status }) {
  if (journal === null) return <p class="quiet">Nothing is published yet.</p>;
  return (
    <>
      <p>
        Every page is made from the journal up to entry {Number(journal.entry)}. Each entry carries
        the hash of the one before, so whoever keeps this hash would see any later change of the
        past.
      </p>
      <p>
        <code class="breakable">{journal.hash}</code>{" "}
        <CopyButton text={journal.hash} what="the hash" />
      </p>
    </>
  );
}

interface Block extends Pick<CardProps, "anchor" | "folds"> {
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
    { title: `Rulings on ${network}`, show: (status) => <Rulings status={status} /> },
    {
      title: `Head of the journal of ${network}`,
      anchor: "journal",
      show: (status) => <JournalHead status={status} />,
    },
    {
      title: `Transaction search on ${network}`,
      folds: "always",
      show: (status) => <Swept status={status} />,
    },
    {
      title: `Refused observations on ${network}`,
      folds: "always",
      show: (status) => <Refused status={status} />,
    },
  ];
  return (
    <div class="record">
      {blocks.map(({ title, show, ...card }) => (
        <Card key={title} title={title} {...card}>
          <Document resource={resource} lines={2} missing={NOT_PUBLISHED}>
            {({ data }) => show(data)}
          </Document>
        </Card>
      ))}
    </div>
  );
}
