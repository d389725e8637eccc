import type { AlertTarget } from "../../settings/alerts.ts";
import type { AlertEvent, AlertMessage, OutboxRecord, SentEvent } from "./record.ts";

const DAY_MILLISECONDS = 24 * 60 * 60_000;
/** Older events, say after a rule changed, are no news. */
const NEWS_MILLISECONDS = 7 * DAY_MILLISECONDS;
/** Events that can still be withdrawn: those of years. */
const SENT_EVENTS_MAX = 2_000;

/** `event` is null if no feed shows it: it has no time, or its steps are events. */
export interface ConfirmedEvent {
  confirmedAt: string;
  event: AlertEvent | null;
}

/** The confirmed events of a published ledger. */
export interface PublishedEvents {
  /** Milliseconds since 1970. */
  at: number;
  series: number;
  /** Every confirmed event, by id. */
  events: ReadonlyMap<string, ConfirmedEvent>;
  /** Whether an absent event is none: no entry is missing. */
  isWhole: boolean;
  /** Time of its last entry: another generator may have sent what was confirmed after it. ISO 8601 in UTC. */
  through: string;
}

/** Returns the same object if the published events add nothing. */
export function enqueue(
  record: OutboxRecord,
  published: PublishedEvents,
  target: Pick<AlertTarget, "severities" | "validators">,
): OutboxRecord {
  const isGone = findGone(record, published);
  const { queue, sent, setAside } = takeBack(startSeries(record, published), published, isGone);
  const horizon = new Date(published.at - NEWS_MILLISECONDS).toISOString();
  const news = findNews(record, published, horizon);
  const queuedAt = new Date(published.at).toISOString();
  const wanted = news.flatMap(({ event }) => (event !== null && isWanted(event, target) ? [event] : []));
  const messages = wanted.map((event) =>
    toMessage("commission.changed", { event, rounds: 1, queuedAt, series: published.series }),
  );
  const isSame = messages.length === 0 && news.length === 0 && queue === record.queue && sent === record.sent;
  if (isSame && record.series === published.series) return record;
  // Dropped before it was sent, an event is news when it comes back.
  const isSent = new Set(sent.map(({ event }) => event.id));
  const known = record.known.filter(({ id, at }) => at >= horizon && (isSent.has(id) || !isGone(id)));
  return {
    ...record,
    series: published.series,
    known: [...known, ...news.map(({ id, confirmedAt }) => ({ id, at: confirmedAt }))],
    sent,
    setAside,
    queue: [...queue, ...messages],
    // Refusals count only for the message they were about.
    refusals: queue[0] === record.queue[0] ? record.refusals : 0,
  };
}

type Outgoing = Pick<OutboxRecord, "queue" | "sent" | "setAside">;

/** A cluster that began anew withdraws nothing of its earlier life. */
function startSeries(record: OutboxRecord, { series }: PublishedEvents): Outgoing {
  return record.series === series ? record : { queue: record.queue, sent: [], setAside: [] };
}

type IsGone = (id: string) => boolean;

function findGone({ known }: OutboxRecord, { events, isWhole, through }: PublishedEvents): IsGone {
  const later = new Set(known.flatMap(({ id, at }) => (at > through ? [id] : [])));
  return (id) => isWhole && !events.has(id) && !later.has(id);
}

/** Withdraws what no longer stands, sends it again if it returns, drops what is only queued. */
function takeBack(record: Outgoing, { at, events, series }: PublishedEvents, isGone: IsGone): Outgoing {
  const [head] = record.queue;
  const isDropped = ({ type, event, series: own = series }: AlertMessage) =>
    type === "commission.changed" && own === series && isGone(event.id);
  const dropped = record.queue.filter(isDropped);
  let { sent } = record;
  // It may have arrived before the process died.
  if (head !== undefined && dropped.includes(head)) sent = addSent({ sent, series }, head);
  const messages: AlertMessage[] = [];
  const queuedAt = new Date(at).toISOString();
  const after = sent.map((one): SentEvent => {
    const back = events.get(one.event.id)?.event ?? null;
    if (!one.isWithdrawn && isGone(one.event.id)) {
      messages.push(toMessage("commission.withdrawn", { ...one, queuedAt, series }));
      return { ...one, isWithdrawn: true };
    }
    if (!one.isWithdrawn || back === null) return one;
    const again = { event: back, rounds: one.rounds + 1, isWithdrawn: false };
    messages.push(toMessage("commission.changed", { ...again, queuedAt, series }));
    return again;
  });
  if (messages.length === 0 && dropped.length === 0) return record;
  return {
    queue: [...record.queue.filter((message) => !isDropped(message)), ...messages],
    sent: after,
    setAside: record.setAside.filter((message) => !isDropped(message)),
  };
}

/** Confirmed events that are not known yet, in the order of confirmation. */
function findNews({ since, known }: OutboxRecord, { events }: PublishedEvents, horizon: string) {
  const isKnown = new Set(known.map(({ id }) => id));
  const from = since > horizon ? since : horizon;
  return [...events]
    .filter(([id, { confirmedAt, event }]) => event !== null && confirmedAt >= from && !isKnown.has(id))
    .map(([id, confirmed]) => ({ id, ...confirmed }))
    .sort((one, other) => (one.confirmedAt < other.confirmedAt ? -1 : one.confirmedAt > other.confirmedAt ? 1 : 0));
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
  { type, event, series: own = series }: AlertMessage,
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
