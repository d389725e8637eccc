import type { AlertTarget } from "../../../generator/settings/alerts.ts";
import { toEventsInOrder } from "../../../generator/documents/event-lists.ts";
import { createRecord, type AlertEvent, type OutboxRecord } from "../../../generator/service/alerts/record.ts";
import type { PublishedEvents } from "../../../generator/service/alerts/queue.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { ledgerOf, type EventFacts } from "../../documents/fixtures.ts";

export const NOW = Date.parse("2026-11-20T12:00:00.000Z");
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const SINCE = NOW - HOUR;

export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

export function eventOf(id: string, { of = "one", ...facts }: Partial<EventFacts> = {}): AlertEvent {
  const ledger = ledgerOf({ validators: [{ name: of }], events: [{ of, id, ...facts }] });
  return toEventsInOrder(ledger)[0] as AlertEvent;
}

/** null: shown by no feed. */
export function publishedOf(
  events: Record<string, { at: number; event?: AlertEvent | null }>,
  facts: Partial<PublishedEvents> = {},
): PublishedEvents {
  const recorded = Object.entries(events).map(([id, { at, event = eventOf(id) }]) => {
    return [id, { confirmedAt: new Date(at).toISOString(), event }] as const;
  });
  const through = new Date(NOW + 365 * DAY).toISOString();
  return { at: NOW, series: 1, isWhole: true, through, events: new Map(recorded), ...facts };
}

type Overrides = { name?: string; url?: string; validators?: string[]; severities?: AlertTarget["severities"] };

export function targetOf(shape: AlertTarget["shape"] = "standard", overrides: Overrides = {}): AlertTarget {
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
  return createRecord(place, { series: 1, since: new Date(SINCE).toISOString() });
}

export const idsOf = ({ queue }: OutboxRecord): string[] => queue.map(({ id }) => id);
