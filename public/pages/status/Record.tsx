import type { ComponentChildren } from "preact";
import type { Network } from "../../../generator/contract/networks.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { Status } from "../../../generator/contract/status.ts";
import type { Reading } from "../../api/use-document.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Pending } from "./Pending.tsx";
import { Refused } from "./Refused.tsx";
import { Rulings } from "./Rulings.tsx";
import { Swept } from "./Swept.tsx";

interface RecordProps {
  reading: Reading<DocumentOf<"status">>;
  network: Network;
}

interface Block {
  title: string;
  show: (status: Status) => ComponentChildren;
}

/** What the other documents do not show, and why: what waits, what is searched, what was not believed, what operators ruled. */
export function Record({ reading, network }: RecordProps) {
  const blocks: Block[] = [
    { title: `Pending changes on ${network}`, show: (status) => <Pending status={status} network={network} /> },
    { title: `Transactions searched on ${network}`, show: (status) => <Swept status={status} network={network} /> },
    { title: `Refused observations of ${network}`, show: (status) => <Refused status={status} /> },
    { title: `Rulings on ${network}`, show: (status) => <Rulings status={status} /> },
  ];
  return (
    <div class="record">
      {blocks.map(({ title, show }) => (
        <Card key={title} title={title}>
          <Document
            reading={reading}
            lines={2}
            describe={(problem) =>
              problem.kind === "refused" && problem.status === 404
                ? "Nothing is published of this network yet."
                : undefined
            }
          >
            {({ data }) => show(data)}
          </Document>
        </Card>
      ))}
    </div>
  );
}
