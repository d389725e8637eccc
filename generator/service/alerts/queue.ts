import type { Change } from "../../contract/change.ts";
import type { AlertTarget } from "../../settings/alerts.ts";
import type { AlertEvent, AlertMessage, OutboxRecord, SentEvent } from "./record.ts";

const DAY_MILLISECONDS = 24 * 60 * 60_000;
/** In another edition, older events are no news. */
const NEWS_MILLISECONDS = 7 * DAY_MILLISECONDS;
/** Events that can still be withdrawn: those of years. */
const SENT_EVENTS_MAX = 2_000;

/** The changes of a published ledger, and what they add up to. */
export interface PublishedEvents {
  /** Milliseconds since 1970. */
  at: number;
  series: number;
  edition: string;
  /** Number of the newest change. */
  head: number;
  changesAfter: (seq: number) => Change[];
  /** Each that stands; null: no feed shows it, as it has no time, repeats a pattern, or its steps are events. */
  standing: ReadonlyMap<string, AlertEvent | null>;
}

/** Returns the same object if the published changes add nothing. */
export function enqueue(
  record: OutboxRecord,
  published: PublishedEvents,
  target: Pick<AlertTarget, "severities" | "validators">,
): OutboxRecord {
  const { series, edition, head } = published;
  // Another generator may have read further.
  if (record.edition === edition && record.seq >= head) return record;
  const { queue, sent } = takeBack(startSeries(record, published), published);
  const queuedAt = new Date(published.at).toISOString();
  const told = new Set([...queue, ...sent].map(({ event }) => event.id));
  const messages = findNews(record, published)
    .filter((event) => !told.has(event.id) && isWanted(event, target))
    .map((event) => toMessage("commission.changed", { event, rounds: 1, queuedAt, series }));
  return { ...record, series, edition, seq: head, sent, queue: [...queue, ...messages] };
}

type Outgoing = Pick<OutboxRecord, "queue" | "sent">;

/** A cluster that began anew withdraws nothing of its earlier life. */
function startSeries(record: OutboxRecord, { series }: PublishedEvents): Outgoing {
  return record.series === series ? record : { queue: record.queue, sent: [] };
}

/** Withdraws what no longer stands, sends it again if it returns, drops what is only queued. */
function takeBack(record: Outgoing, { at, standing, series }: PublishedEvents): Outgoing {
  const [head] = record.queue;
  const isDropped = ({ type, event, series: own }: AlertMessage) =>
    type === "commission.changed" && own === series && !standing.has(event.id);
  const dropped = record.queue.filter(isDropped);
  let { sent } = record;
  // It may have arrived before the process died.
  if (head !== undefined && dropped.includes(head)) sent = addSent({ sent, series }, head);
  const messages: AlertMessage[] = [];
  const queuedAt = new Date(at).toISOString();
  const after = sent.map((one): SentEvent => {
    const back = standing.get(one.event.id) ?? null;
    if (!one.isWithdrawn && !standing.has(one.event.id)) {
      messages.push(toMessage("commission.withdrawn", { ...one, queuedAt, series }));
      return { ...one, isWithdrawn: true };
    }
    if (!one.isWithdrawn || back === null) return one;
    const again = { event: back, rounds: one.rounds + 1, isWithdrawn: false };
    messages.push(toMessage("commission.changed", { ...again, queuedAt, series }));
    return again;
  });
  return { queue: [...record.queue.filter((message) => !isDropped(message)), ...messages], sent: after };
}

/** The events that were published since the last time, and that a feed shows, in order. */
function findNews(record: OutboxRecord, { at, edition, changesAfter, standing }: PublishedEvents): AlertEvent[] {
  const isSame = record.edition === edition;
  const isFirst = record.edition === "";
  const horizon = isSame || isFirst ? "" : new Date(at - NEWS_MILLISECONDS).toISOString();
  const ids = changesAfter(isSame ? record.seq : 0)
    .filter((change) => change.kind === "event" && change.at >= record.since && change.at >= horizon)
    .map(({ event }) => event.id);
  return [...new Set(ids)].flatMap((id) => standing.get(id) ?? []);
}

function isWanted(
  { severity, votePubkey }: AlertEvent,
  { severities, validators }: Pick<AlertTarget, "severities" | "validators">,
): boolean {
  return severities.includes(severity) && (validators === null || validators.includes(votePubkey));
}

/** What a cluster's earlier life showed is not withdrawn. */
export function addSent(
  { sent, series }: Pick<OutboxRecord, "sent" | "series">,
  { type, event, series: own }: AlertMessage,
): SentEvent[] {
  const known = sent.some((one) => one.event.id === event.id);
  if (known || type === "commission.withdrawn" || own !== series) return [...sent];
  return [...sent, { event, rounds: 1, isWithdrawn: false }].slice(-SENT_EVENTS_MAX);
}

function toMessage(
  type: AlertMessage["type"],
  { event, rounds, queuedAt, series }: { event: AlertEvent; rounds: number; queuedAt: string; series: number },
): AlertMessage {
  const round = rounds === 1 ? "" : `.${rounds}`;
  return { id: `${event.id}.${type.slice("commission.".length)}${round}`, type, event, queuedAt, series };
}
