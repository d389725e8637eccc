import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent, Severity } from "../../../generator/contract/event.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { documents } from "../../api/documents.ts";
import { type Resource, useDocument } from "../../api/use-document.ts";
import { readChoice, readWhole, toAddress } from "../../format/url.ts";
import { toCounted } from "../../format/values.ts";
import { Card, Choice } from "../../parts/Card.tsx";
import { Change, EffectText, SeverityBadge } from "../../parts/Change.tsx";
import { Document } from "../../parts/Document.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { TableEnd } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Ago, Sol } from "../../parts/values.tsx";

const SEVERITIES = ["RUG", "CAUTION", "INFO"] as const satisfies readonly Severity[];
/** Each row that is seen asks for a profile, and a client may ask 60 times a minute. */
const ROWS = 8;
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
  epochs: number;
}

/** Narrow screens show rows as blocks; the roles keep it a table. */
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

interface EventRowProps {
  event: CommissionEvent;
  epoch: Epoch | null;
  rugs: number;
  epochs: number;
}

const HABIT_EPOCHS = 3;

/** Stake and icon come from the profile, read when the row is seen. */
function EventRow({ event, epoch, rugs, epochs }: EventRowProps) {
  const { network } = useUrl();
  const row = useRef<HTMLTableRowElement>(null);
  const isSeen = useSeen(row);
  const { held, problem } = useDocument(isSeen ? documents.validator(network, event.votePubkey) : null);
  const profile = held?.document.data;
  return (
    <tr ref={row} role="row" class={`event event-${event.severity.toLowerCase()}`}>
      <td role="cell" class="event-severity">
        <SeverityBadge severity={event.severity} />
      </td>
      <td role="cell" class="event-validator">
        <ValidatorName votePubkey={event.votePubkey} name={event.validatorName} iconUrl={profile?.iconUrl ?? null} />
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
        {profile === undefined ? (
          <span class="quiet">{problem === null ? "…" : "not known"}</span>
        ) : (
          <Sol lamports={profile.activeStake.lamports} />
        )}
      </td>
      <td role="cell" class="event-seen">
        {event.createdAt === null ? <span class="quiet">epoch {event.epoch}</span> : <Ago time={event.createdAt} />}
      </td>
    </tr>
  );
}

/** Half a view before it is scrolled to. */
const AHEAD = "50% 0px";

function useSeen(place: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return isSeen;
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
