import { isOlderEdition } from "../../documents/changes.ts";
import type { AlertTarget } from "../../settings/alerts.ts";
import type { AlertEvent, AlertMessage, OutboxRecord, SentEvent } from "./record.ts";

const DAY_MILLISECONDS = 24 * 60 * 60_000;
/**
 * An event older than this is not sent, for instance when a feed first shows it late or in another
 * edition.
 */
const NEWS_MILLISECONDS = 7 * DAY_MILLISECONDS;
/** Delivered events that can still be withdrawn: years of events. */
const SENT_EVENTS_MAX = 2_000;

/** An event that was published and not withdrawn. */
export interface PublishedEvent {
  /** Number and time of the change that published it first. */
  seq: number;
  publishedAt: string;
  /**
   * null: no feed shows it, because it has no time, repeats a pattern, or has steps that are
   * events.
   */
  event: AlertEvent | null;
}

/** The published events, as all changes of the log together leave them. */
export interface PublishedEvents {
  /** Milliseconds since 1970. */
  at: number;
  series: number;
  edition: string;
  /** Number and time of the newest change. */
  head: number;
  headAt: string;
  /** By id, in the order of publication. */
  events: ReadonlyMap<string, PublishedEvent>;
}

/** Returns the same object if the published changes add nothing. */
export function enqueue(
  record: OutboxRecord,
  published: PublishedEvents,
  target: Pick<AlertTarget, "severities" | "validators">,
): OutboxRecord {
  const { at, series, edition, head, headAt } = published;
  // Another generator may have read more of the journal, or run a newer version.
  if (isOlderEdition(edition, record.edition) || (edition === record.edition && head <= record.seq))
    return record;
  const { queue, sent } = takeBack(startSeries(record, published), published);
  const queuedAt = new Date(at).toISOString();
  const known = new Set([...queue, ...sent].map(({ event }) => event.id));
  const messages = findNews(record, published)
    .filter((event) => !known.has(event.id) && isWanted(event, target))
    .map((event) => toMessage("commission.changed", { event, rounds: 1, queuedAt, series }));
  return {
    ...record,
    series,
    edition,
    seq: head,
    through: headAt,
    sent,
    queue: [...queue, ...messages],
  };
}

type Outgoing = Pick<OutboxRecord, "queue" | "sent">;

/** Starts another series. Events of the earlier series are not withdrawn. */
function startSeries(record: OutboxRecord, { series }: PublishedEvents): Outgoing {
  return record.series === series ? record : { queue: record.queue, sent: [] };
}

/**
 * Queues withdrawals of delivered events, sends a withdrawn event again if it returns, and drops
 * queued events that were withdrawn.
 */
function takeBack(record: Outgoing, { at, events, series }: PublishedEvents): Outgoing {
  const [head] = record.queue;
  const isDropped = ({ type, event, series: own }: AlertMessage) =>
    type === "commission.changed" && own === series && !events.has(event.id);
  const dropped = record.queue.filter(isDropped);
  let { sent } = record;
  // The first message may have arrived before the process died.
  if (head !== undefined && dropped.includes(head)) sent = addSent({ sent, series }, head);
  const messages: AlertMessage[] = [];
  const queuedAt = new Date(at).toISOString();
  const after = sent.map((one): SentEvent => {
    const back = events.get(one.event.id)?.event ?? null;
    if (!one.isWithdrawn && !events.has(one.event.id)) {
      messages.push(toMessage("commission.withdrawn", { ...one, queuedAt, series }));
      return { ...one, isWithdrawn: true };
    }
    if (!one.isWithdrawn || back === null) return one;
    const again = { event: back, rounds: one.rounds + 1, isWithdrawn: false };
    messages.push(toMessage("commission.changed", { ...again, queuedAt, series }));
    return again;
  });
  return {
    queue: [...record.queue.filter((message) => !isDropped(message)), ...messages],
    sent: after,
  };
}

/** Events that a feed shows and that were published since the target was added, in order. */
function findNews(
  record: OutboxRecord,
  { edition, headAt, events }: PublishedEvents,
): AlertEvent[] {
  const horizon = new Date(Date.parse(headAt) - NEWS_MILLISECONDS).toISOString();
  const isFirst = record.edition === "";
  const isNews = ({ seq, publishedAt }: PublishedEvent) =>
    publishedAt >= record.since &&
    (isFirst || (edition === record.edition && seq > record.seq) || publishedAt >= horizon);
  return [...events.values()].flatMap((one) =>
    one.event !== null && isNews(one) ? [one.event] : [],
  );
}

function isWanted(
  { severity, votePubkey }: AlertEvent,
  { severities, validators }: Pick<AlertTarget, "severities" | "validators">,
): boolean {
  return severities.includes(severity) && (validators === null || validators.includes(votePubkey));
}

/** Remembers a delivered event, unless it is of an earlier series. */
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
  {
    event,
    rounds,
    queuedAt,
    series,
  }: { event: AlertEvent; rounds: number; queuedAt: string; series: number },
): AlertMessage {
  const round = rounds === 1 ? "" : `.${rounds}`;
  return {
    id: `${event.id}.${type.slice("commission.".length)}${round}`,
    type,
    event,
    queuedAt,
    series,
  };
}
