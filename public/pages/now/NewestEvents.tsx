import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent, Severity } from "../../../generator/contract/event.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { Reading } from "../../api/use-document.ts";
import { readChoice, readWhole } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import { toCounted } from "../../format/amounts.ts";
import { Card } from "../../parts/Card.tsx";
import { Choice } from "../../parts/Choice.tsx";
import { Document } from "../../parts/Document.tsx";
import { EventRow } from "./EventRow.tsx";
import { FeedLinks } from "./FeedLinks.tsx";
import { countRugs } from "./rug-counts.ts";
import { TableEnd } from "../../parts/TableEnd.tsx";

interface NewestEventsProps {
  reading: Reading<DocumentOf<"events">>;
  epoch: Epoch | null;
}

const SEVERITIES = ["RUG", "CAUTION", "INFO"] as const satisfies readonly Severity[];
/** Each row that is seen asks for its validator's profile, and a client may ask 60 times a minute. */
const ROWS = 8;
const ROWS_MAX = 600;

/** Who changed what, newest first; which severity and how many rows is in the address. */
export function NewestEvents({ reading, epoch }: NewestEventsProps) {
  const { query, change } = useUrl();
  const severity = readChoice(query["severity"], SEVERITIES, "all");
  const rows = readWhole(query["rows"], { min: ROWS, max: ROWS_MAX, otherwise: ROWS });
  const all = reading.held?.document.data ?? [];
  const count = (name: Severity) => all.filter((event) => event.severity === name).length;
  const tools = (
    <Choice
      label="Severity"
      chosen={severity}
      options={[
        { value: "all", name: "All", count: all.length },
        ...SEVERITIES.map((name) => ({ value: name, name, count: count(name) })),
      ]}
      onChoose={(value) => change({ severity: value === "all" ? null : value, rows: null })}
    />
  );
  return (
    <Card title="Newest changes" tools={tools} class="newest-events">
      <Document
        reading={reading}
        lines={10}
        isEmpty={({ data }) => data.length === 0}
        empty="No commission changed in the epochs watched so far."
      >
        {({ data, meta }) => {
          const shown = data.filter((event) => severity === "all" || event.severity === severity);
          return (
            <>
              {shown.length === 0 && (
                <p class="state">
                  No {severity} in the last {toCounted(meta.epochs, "epoch")}.
                </p>
              )}
              {shown.length > 0 && (
                <EventTable events={shown.slice(0, rows)} all={data} epoch={epoch} epochs={meta.epochs} />
              )}
              <TableEnd rows={rows} total={shown.length} step={ROWS}>
                {toCounted(shown.length, "change")} in the last {toCounted(meta.epochs, "epoch")}
              </TableEnd>
            </>
          );
        }}
      </Document>
      <FeedLinks severity={severity} />
    </Card>
  );
}

interface EventTableProps {
  events: readonly CommissionEvent[];
  all: readonly CommissionEvent[];
  epoch: Epoch | null;
  /** Epochs that `all` covers. */
  epochs: number;
}

/** A table in looks; on a narrow screen each row is a block, and the roles say that it is a table still. */
function EventTable({ events, all, epoch, epochs }: EventTableProps) {
  const rugs = countRugs(all);
  return (
    <table class="events" role="table" aria-label="Newest changes">
      <thead role="rowgroup">
        <tr role="row">
          {["Severity", "Validator", "Change", "When it applies", "Stake", "Seen"].map((name) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {events.map((event) => (
          <EventRow key={event.id} event={event} epoch={epoch} rugs={rugs.get(event.votePubkey) ?? 0} epochs={epochs} />
        ))}
      </tbody>
    </table>
  );
}
