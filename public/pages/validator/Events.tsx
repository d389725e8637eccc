import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { documents } from "../../api/documents.ts";
import type { Reading } from "../../api/use-document.ts";
import { readWhole } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import { toCounted } from "../../format/amounts.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { EventEntry } from "./EventEntry.tsx";
import { TableEnd } from "../../parts/TableEnd.tsx";

interface EventsProps {
  reading: Reading<DocumentOf<"validatorEvents">>;
  network: Network;
  votePubkey: string;
  epoch: Epoch | null;
}

const ROWS = 10;
const ROWS_MAX = 10_000;

/** Every change of its commissions, with what was seen of it; how many, and whose evidence is open, is in the address. */
export function Events({ reading, network, votePubkey, epoch }: EventsProps) {
  const { query, change } = useUrl();
  const open = query["event"] ?? null;
  return (
    <Card title="Changes" class="validator-events">
      <Document
        reading={reading}
        lines={6}
        isEmpty={({ data }) => data.length === 0}
        empty="It has never been seen to change a commission."
      >
        {({ data }) => {
          const asked = readWhole(query["rows"], { min: ROWS, max: ROWS_MAX, otherwise: ROWS });
          const rows = Math.max(asked, data.findIndex(({ id }) => id === open) + 1);
          return (
            <>
              {open !== null && data.every(({ id }) => id !== open) && (
                <p class="stale" role="status">
                  The change that the address names is not one of these.
                </p>
              )}
              <ol class="event-list">
                {data.slice(0, rows).map((event) => (
                  <EventEntry
                    key={event.id}
                    event={event}
                    epoch={epoch}
                    network={network}
                    isOpen={event.id === open}
                    onToggle={() => change({ event: event.id === open ? null : event.id })}
                  />
                ))}
              </ol>
              <TableEnd rows={rows} total={data.length} step={ROWS}>
                {toCounted(data.length, "change")}, newest first ·{" "}
                <a href={documents.validatorEvents(network, votePubkey).url}>as JSON</a>
              </TableEnd>
            </>
          );
        }}
      </Document>
    </Card>
  );
}
