import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { documents } from "../../api/documents.ts";
import type { Resource } from "../../api/use-document.ts";
import { isSwept } from "../../format/events.ts";
import { foldPatterns, type Line, toSeverity } from "../../format/lines.ts";
import { readWhole, toAddress } from "../../format/url.ts";
import { toCounted } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Change, EffectText, PatternChange, SeverityBadge } from "../../parts/Change.tsx";
import { Disclosure } from "../../parts/Disclosure.tsx";
import { Document } from "../../parts/Document.tsx";
import { TableEnd } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Ago } from "../../parts/values.tsx";
import { toDayText } from "../../parts/zone.ts";
import { Evidence } from "./Evidence.tsx";
import { Ruling, RulingsLeftOut } from "./Ruling.tsx";

interface EventsProps {
  resource: Resource<DocumentOf<"validatorEvents">>;
  network: Network;
  votePubkey: string;
  /** The first that we saw it in; null: not read yet. */
  since: number | null;
  epoch: Epoch | null;
  /** What stands above has its height. */
  isSettled: boolean;
}

const ROWS = 5;
const ROWS_MORE = 20;
const ROWS_MAX = 10_000;

export function Events({ resource, network, votePubkey, since, epoch, isSettled }: EventsProps) {
  const { query, change } = useUrl();
  const open = query["event"] ?? null;
  return (
    <Card title="Changes" anchor="changes">
      <Document
        resource={resource}
        lines={6}
        isEmpty={({ data }) => data.length === 0}
        empty={`No change since our record began${since === null ? "" : `, epoch ${since}`}.`}
      >
        {({ data }) => {
          const asked = readWhole(query["rows"], { min: ROWS, max: ROWS_MAX, otherwise: ROWS });
          const lines = foldPatterns(data);
          const rows = Math.max(asked, lines.findIndex((line) => isOf(line, open)) + 1);
          const toEntry = (event: CommissionEvent) => (
            <EventEntry
              key={event.id}
              event={event}
              network={network}
              epoch={epoch}
              isOpen={event.id === open}
              isSettled={isSettled}
              onToggle={() => change({ event: event.id === open ? null : event.id })}
            />
          );
          return (
            <>
              {open !== null && data.every(({ id }) => id !== open) && (
                <div class="stale" role="status">
                  This validator has no change with the id in the address. Here are all of its
                  changes.
                  <Ruling id={open} network={network} />
                </div>
              )}
              <ol class="event-list">
                {lines
                  .slice(0, rows)
                  .map((line) =>
                    line.kind === "pattern" ? (
                      <PatternEntry
                        key={line.event.id}
                        line={line}
                        network={network}
                        epoch={epoch}
                        isOpenAtFirst={isOf(line, open)}
                        toEntry={toEntry}
                      />
                    ) : (
                      toEntry(line.event)
                    ),
                  )}
              </ol>
              <TableEnd rows={rows} total={lines.length} step={ROWS_MORE}>
                {toCounted(lines.length, "line")} with {toCounted(data.length, "change")}, newest
                first · <a href={documents.validatorEvents(network, votePubkey).url}>as JSON</a> ·{" "}
                <a href={`/feeds/${network}/validators/${votePubkey}.atom`}>as Atom feed</a>
              </TableEnd>
              <RulingsLeftOut network={network} />
            </>
          );
        }}
      </Document>
    </Card>
  );
}

function isOf(line: Line, id: string | null): boolean {
  return line.kind === "pattern"
    ? line.repeats.some((event) => event.id === id)
    : line.event.id === id;
}

interface PatternEntryProps {
  network: Network;
  epoch: Epoch | null;
  line: Extract<Line, { kind: "pattern" }>;
  isOpenAtFirst: boolean;
  toEntry: (event: CommissionEvent) => ComponentChildren;
}

function PatternEntry({
  line: { event, pattern, repeats },
  network,
  epoch,
  isOpenAtFirst,
  toEntry,
}: PatternEntryProps) {
  const all = toCounted(pattern.changes, "change");
  return (
    <li class="event-entry">
      <div class="event-entry-line">
        <SeverityBadge severity={toSeverity(event)} />
        <PatternChange pattern={pattern} newest={event} />
        <EffectText event={event} epoch={epoch} />
        <Seen event={event} />
      </div>
      {repeats.map(({ id, epoch: madeIn }) => (
        <Ruling key={id} id={id} network={network} of={`The change in epoch ${madeIn}:`} />
      ))}
      <Disclosure
        what={repeats.length === pattern.changes ? all : `${repeats.length} of the ${all}`}
        isOpenAtFirst={isOpenAtFirst}
      >
        {() => <ol class="event-list">{repeats.map(toEntry)}</ol>}
      </Disclosure>
    </li>
  );
}

interface EventEntryProps {
  event: CommissionEvent;
  network: Network;
  epoch: Epoch | null;
  isOpen: boolean;
  isSettled: boolean;
  onToggle: () => void;
}

function EventEntry({ event, network, epoch, isOpen, isSettled, onToggle }: EventEntryProps) {
  const id = useId();
  const entry = useRef<HTMLLIElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    // Scrolls for readers who came by a link, not for those who pressed the button.
    if (!isOpen) isPressed.current = false;
    else if (!isPressed.current) entry.current?.scrollIntoView({ block: "start" });
  }, [isOpen, isSettled]);
  return (
    <li ref={entry} class={isOpen ? "event-entry event-entry-open" : "event-entry"}>
      <div class="event-entry-line">
        <SeverityBadge severity={event.severity} />
        <Change event={event} />
        <EffectText event={event} epoch={epoch} />
        <Seen event={event} />
        <button
          type="button"
          class="link-button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => {
            isPressed.current = true;
            onToggle();
          }}
        >
          Evidence<span class="visually-hidden"> of the change in epoch {event.epoch}</span>
        </button>
      </div>
      <Ruling id={event.id} network={network} />
      <div id={id} hidden={!isOpen}>
        {isOpen && <Evidence event={event} />}
      </div>
    </li>
  );
}

function Seen({ event }: { event: CommissionEvent }) {
  const { createdAt, epoch } = event;
  return (
    <span class="quiet">
      {createdAt === null ? (
        <>
          in epoch <EpochLink epoch={epoch} />
        </>
      ) : (
        <>
          {isSwept(event) ? "found" : "seen"} <Ago time={createdAt} />
          <span class="second">
            <span class="date">{toDayText(createdAt)}</span>, epoch <EpochLink epoch={epoch} />
          </span>
        </>
      )}
    </span>
  );
}

/** An epoch's number, which leads to its row in the list of epochs. */
function EpochLink({ epoch }: { epoch: number }) {
  const { network } = useUrl();
  return <a href={toAddress("/epochs", { network, epoch })}>{epoch}</a>;
}
