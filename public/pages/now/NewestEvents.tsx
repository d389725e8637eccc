import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent, Severity } from "../../../generator/contract/event.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { EventValidator } from "../../../generator/contract/event-validators.ts";
import type { Resource } from "../../api/use-document.ts";
import { readChoice, readWhole, toAddress } from "../../format/url.ts";
import { NOT_KNOWN, toCounted } from "../../format/values.ts";
import { Card, Choice } from "../../parts/Card.tsx";
import { Change, EffectText, SeverityBadge } from "../../parts/Change.tsx";
import { Document } from "../../parts/Document.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { TableEnd } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Ago, Sol } from "../../parts/values.tsx";
import { SeverityLegend } from "./Opening.tsx";

const SEVERITIES = ["RUG", "CAUTION", "INFO"] as const satisfies readonly Severity[];
const ROWS = 12;
const ROWS_MAX = 600;

/** Severity and number of rows are in the address. */
export function NewestEvents({ resource, epoch }: { resource: Resource<DocumentOf<"events">>; epoch: Epoch | null }) {
  const { query, change } = useUrl();
  const severity = readChoice(query["severity"], SEVERITIES, "all");
  const rows = readWhole(query["rows"], { min: ROWS, max: ROWS_MAX, otherwise: ROWS });
  const all = resource.held?.document.data ?? [];
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
      <SeverityLegend />
      <Document
        resource={resource}
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
              {shown.length > 0 && <EventTable events={shown.slice(0, rows)} all={data} epoch={epoch} meta={meta} />}
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
  meta: DocumentOf<"events">["meta"];
}

/** Narrow screens show rows as blocks; the roles keep it a table. */
function EventTable({ events, all, epoch, meta }: EventTableProps) {
  const validators = new Map(meta.validators.map((validator) => [validator.votePubkey, validator]));
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
          <EventRow
            key={event.id}
            event={event}
            validator={validators.get(event.votePubkey)}
            epoch={epoch}
            rugs={rugs.get(event.votePubkey) ?? 0}
            epochs={meta.epochs}
          />
        ))}
      </tbody>
    </table>
  );
}

interface EventRowProps {
  event: CommissionEvent;
  /** undefined: the API does not tell of it. */
  validator: EventValidator | undefined;
  epoch: Epoch | null;
  rugs: number;
  epochs: number;
}

const HABIT_EPOCHS = 3;

function EventRow({ event, validator, epoch, rugs, epochs }: EventRowProps) {
  return (
    <tr role="row" class={`event event-${event.severity.toLowerCase()}`}>
      <td role="cell" class="event-severity">
        <SeverityBadge severity={event.severity} />
      </td>
      <td role="cell" class="event-validator">
        <ValidatorName votePubkey={event.votePubkey} name={event.validatorName} iconUrl={validator?.iconUrl ?? null} />
        {rugs >= HABIT_EPOCHS && (
          <span class="habit">
            rug in {rugs} of {epochs} epochs
          </span>
        )}
      </td>
      <td role="cell" class="event-change">
        <Change event={event} />
      </td>
      <td role="cell" class="event-effect">
        <EffectText event={event} epoch={epoch} />
      </td>
      <td role="cell" class="event-stake">
        {validator === undefined ? (
          <span class="quiet">{NOT_KNOWN}</span>
        ) : (
          <Sol lamports={validator.activeStake.lamports} />
        )}
      </td>
      <td role="cell" class="event-seen">
        {event.createdAt === null ? <span class="quiet">epoch {event.epoch}</span> : <Ago time={event.createdAt} />}
      </td>
    </tr>
  );
}

function FeedLinks({ severity }: { severity: Severity | "all" }) {
  const { network } = useUrl();
  const feed = severity === "all" ? "events" : severity.toLowerCase();
  return (
    <p class="note feed-links">
      Be told of new {severity === "all" ? "changes" : `${severity} changes`}:{" "}
      <a href={`/feeds/${network}/${feed}.atom`}>Atom feed</a>, <a href={`/feeds/${network}/${feed}.json`}>JSON Feed</a>{" "}
      · <a href={toAddress("/api", { section: "feeds", network })}>All feeds</a>
    </p>
  );
}

/** In how many epochs each validator rugged. The steps of an event count in its place. */
export function countRugs(
  events: readonly Pick<CommissionEvent, "votePubkey" | "severity" | "epoch" | "replacedBy">[],
): Map<string, number> {
  const epochs = Map.groupBy(
    events.filter(({ severity, replacedBy }) => severity === "RUG" && replacedBy === null),
    ({ votePubkey }) => votePubkey,
  );
  return new Map([...epochs].map(([votePubkey, of]) => [votePubkey, new Set(of.map(({ epoch }) => epoch)).size]));
}
