import type { AlertTarget } from "../../../generator/settings/alerts.ts";
import { toEventsInOrder } from "../../../generator/documents/event-lists.ts";
import {
  createRecord,
  type AlertEvent,
  type OutboxRecord,
} from "../../../generator/service/alerts/record.ts";
import type { PublishedEvents } from "../../../generator/service/alerts/queue.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { ledgerOf, type EventFacts } from "../../documents/fixtures.ts";

export const NOW = Date.parse("2026-11-20T12:00:00.000Z");
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const SINCE = NOW - HOUR;

export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

export function eventOf(
  id: string,
  { of = "one", ...facts }: Partial<EventFacts> = {},
): AlertEvent {
  const ledger = ledgerOf({ validators: [{ name: of }], events: [{ of, id, ...facts }] });
  return toEventsInOrder(ledger)[0] as AlertEvent;
}

/** By id; null: shown by no feed. */
export type Events = Record<string, { at: number; event?: AlertEvent | null }>;

let publishers = 0;

/** Publishes one state after another in an edition of its own. */
export function createPublisher() {
  const edition = `1.1.${(publishers += 1)}`;
  const firsts = new Map<string, { seq: number; publishedAt: string }>();
  let before: Events = {};
  let head = 0;
  return (events: Events, facts: Partial<PublishedEvents> = {}): PublishedEvents => {
    const published = Object.entries(events).sort(([, one], [, other]) => one.at - other.at);
    head += Object.keys(before).filter((id) => !(id in events)).length;
    for (const [id, { at, event }] of published) {
      if (id in before && before[id]?.event === event) continue;
      head += 1;
      if (!firsts.has(id)) firsts.set(id, { seq: head, publishedAt: new Date(at).toISOString() });
    }
    before = events;
    const standing = published.map(
      ([id, { event = eventOf(id) }]) => [id, { ...firsts.get(id)!, event }] as const,
    );
    const headAt = published.at(-1)?.[1].at ?? NOW;
    const log = { edition, head, headAt: new Date(headAt).toISOString() };
    return { at: NOW, series: 1, ...log, events: new Map(standing), ...facts };
  };
}

export function publishedOf(
  ...state: Parameters<ReturnType<typeof createPublisher>>
): PublishedEvents {
  return createPublisher()(...state);
}

type Overrides = {
  name?: string;
  url?: string;
  validators?: string[];
  severities?: AlertTarget["severities"];
};

export function targetOf(
  shape: AlertTarget["shape"] = "standard",
  overrides: Overrides = {},
): AlertTarget {
  const common = {
    name: "ops",
    url: "https://hooks.example/hunter2",
    severities: ["RUG" as const, "CAUTION" as const, "INFO" as const],
    networks: ["mainnet" as const],
    validators: null,
    ...overrides,
  };
  if (shape === "standard") return { ...common, shape, secret: SECRET };
  return shape === "telegram" ? { ...common, shape, chat: "-100123" } : { ...common, shape };
}

export function freshRecord(): OutboxRecord {
  const place = { stateStore: openMemoryStore(), network: "mainnet", target: "ops" } as const;
  return createRecord(place, {
    addressDigest: "",
    wanted: "",
    series: 1,
    since: new Date(SINCE).toISOString(),
  });
}

export const idsOf = ({ queue }: OutboxRecord): string[] => queue.map(({ id }) => id);
