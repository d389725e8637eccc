import { useEffect, useId, useRef } from "preact/hooks";
import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { documents } from "../../api/documents.ts";
import type { Resource } from "../../api/use-document.ts";
import { isSwept } from "../../format/events.ts";
import { readWhole } from "../../format/url.ts";
import { toCounted } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Change, EffectText, SeverityBadge } from "../../parts/Change.tsx";
import { Document } from "../../parts/Document.tsx";
import { TableEnd } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Ago } from "../../parts/values.tsx";
import { Evidence } from "./Evidence.tsx";

interface EventsProps {
  resource: Resource<DocumentOf<"validatorEvents">>;
  network: Network;
  votePubkey: string;
  epoch: Epoch | null;
}

const ROWS = 10;
const ROWS_MAX = 10_000;

/** How many are shown, and which one is open, is in the address. */
export function Events({ resource, network, votePubkey, epoch }: EventsProps) {
  const { query, change } = useUrl();
  const open = query["event"] ?? null;
  return (
    <Card title="Changes" class="validator-events">
      <Document
        resource={resource}
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
                    isOpen={event.id === open}
                    onToggle={() => change({ event: event.id === open ? null : event.id })}
                  />
                ))}
              </ol>
              <TableEnd rows={rows} total={data.length} step={ROWS}>
                {toCounted(data.length, "change")}, newest first ·{" "}
                <a href={documents.validatorEvents(network, votePubkey).url}>as JSON</a>
                {data.some(({ confirmed, createdAt }) => confirmed && createdAt !== null) && (
                  <>
                    {" · "}
                    <a href={`/feeds/${network}/validators/${votePubkey}.atom`}>as Atom feed</a>
                  </>
                )}
              </TableEnd>
            </>
          );
        }}
      </Document>
    </Card>
  );
}

interface EventEntryProps {
  event: CommissionEvent;
  epoch: Epoch | null;
  isOpen: boolean;
  onToggle: () => void;
}

/** Its evidence shows below when asked for. */
function EventEntry({ event, epoch, isOpen, onToggle }: EventEntryProps) {
  const id = useId();
  const entry = useRef<HTMLLIElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // Only who came by the address is led to the change.
    if (isFirst.current && isOpen) entry.current?.scrollIntoView({ block: "center" });
    isFirst.current = false;
  }, [isOpen]);
  return (
    <li ref={entry} class={isOpen ? "event-entry event-entry-open" : "event-entry"}>
      <div class="event-entry-line">
        <SeverityBadge severity={event.severity} />
        <Change event={event} />
        <EffectText event={event} epoch={epoch} />
        <span class="quiet">
          {event.createdAt === null ? (
            `in epoch ${event.epoch}`
          ) : (
            <>
              {isSwept(event) ? "found" : "seen"} <Ago time={event.createdAt} />
            </>
          )}
        </span>
        <button type="button" class="link-button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          Evidence<span class="visually-hidden"> of the change in epoch {event.epoch}</span>
        </button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Evidence event={event} />}
      </div>
    </li>
  );
}
