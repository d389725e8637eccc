import { messageOf } from "../../contract/error-message.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { Settings } from "../../settings/settings.ts";
import { toEventsInOrder } from "../../documents/event-lists.ts";
import { isInFeeds, selectForFeed } from "../../documents/feed-entry.ts";
import { toEdition, toEventsAsPublished } from "../../documents/changes.ts";
import { changesAfter, headOf } from "../../ledger/change-log.ts";
import type { Context } from "../context.ts";
import type { Report } from "../report.ts";
import { deliver } from "./delivery.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createAlertDispatcher } from "./public-hosts.ts";
import type { PublishedEvent, PublishedEvents } from "./queue.ts";
import { toRequest } from "./shapes.ts";

/** Longest wait when a command ends; the next command continues the deliveries. */
const CLOSE_TIMEOUT_MILLISECONDS = 15_000;

interface AlertsOptions {
  settings: Pick<Settings, "alerts">;
  signal: AbortSignal;
  random?: () => number;
  deliveryMilliseconds?: number;
}

/** Delivers alerts to the targets of one network. Only `close` waits for deliveries. */
export interface Alerts {
  /** Call it after each publishing: delivers in the background and reports earlier deliveries. */
  notify: (report: Report) => void;
  /** Waits up to 15 s. */
  close: (report: Report) => Promise<void>;
}

/** Opens the outboxes of this network's targets. Does no I/O. */
export function openAlerts(context: Context, options: AlertsOptions): Alerts {
  const { network, clock, projection, series, siteUrl, stateStore, holder } = context;
  const { settings, signal, random = Math.random, deliveryMilliseconds: milliseconds } = options;
  const targets = settings.alerts.targets.filter(({ networks }) => networks.includes(network));
  const stopping = new AbortController();
  const dispatcher = createAlertDispatcher(settings.alerts);
  const lines = { upkeep: [] as string[], warnings: [] as string[] };
  const boxes = targets.map((target) => {
    const limits = {
      dispatcher,
      signal: stopping.signal,
      ...(milliseconds !== undefined && { milliseconds }),
    };
    const outbox = createOutbox({
      ...{ stateStore, network, target, series, holder, random },
      startedAt: clock.now(),
      now: clock.now,
      send: (message) =>
        deliver(target, toRequest(target, message, { network, siteUrl, now: clock.now() }), limits),
      say: (line) => void lines.upkeep.push(line),
      warn: (line) => void lines.warnings.push(line),
      onAttempt: context.onAlert,
      onQueue: context.onAlertQueue,
    });
    return { target, outbox, running: null as Promise<void> | null };
  });
  const readPublished = createPublishedReader();

  async function work(outbox: Outbox, name: string): Promise<void> {
    try {
      await outbox.work(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted)
        lines.warnings.push(`alerts for ${name} failed and are tried again: ${messageOf(error)}`);
    }
  }

  function reportLines(report: Report): void {
    report.upkeep.push(...lines.upkeep.splice(0));
    report.warnings.push(...lines.warnings.splice(0));
  }

  return {
    notify(report) {
      reportLines(report);
      if (boxes.length === 0) return;
      // Nothing is published while an entry of the past is missing.
      const isPublished =
        report.skipped === null &&
        projection.position() !== null &&
        projection.holes().length === 0;
      const published = isPublished ? readPublished(projection.ledger(), clock.now()) : null;
      for (const box of boxes) {
        if (published !== null) box.outbox.update(published);
        box.running ??= work(box.outbox, box.target.name).finally(() => void (box.running = null));
      }
    },
    async close(report) {
      const stop = () => stopping.abort(new Error("alerts are stopped"));
      const timer = setTimeout(stop, CLOSE_TIMEOUT_MILLISECONDS);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      await Promise.all(boxes.flatMap(({ running }) => running ?? []));
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      await dispatcher.destroy();
      reportLines(report);
    },
  };
}

/** Publishes, then sends alerts: for commands that end. */
export async function withAlerts(
  context: Context,
  { report, ...options }: AlertsOptions & { report: Report },
  work: () => Promise<void>,
): Promise<void> {
  const alerts = openAlerts(context, options);
  try {
    await work();
    alerts.notify(report);
  } finally {
    await alerts.close(report);
  }
}

/** Reads the change log only as far as it is new: most publications change nothing. */
function createPublishedReader() {
  let edition = "";
  let last: Omit<PublishedEvents, "at"> | null = null;
  let firsts = new Map<string, Pick<PublishedEvent, "seq" | "publishedAt">>();
  return (ledger: Ledger, at: number): PublishedEvents => {
    if (edition !== toEdition(ledger)) {
      edition = toEdition(ledger);
      last = null;
      firsts = new Map();
    }
    const { series, changes } = ledger;
    const head = headOf(changes);
    let headAt = last?.headAt ?? new Date(0).toISOString();
    for (const change of changesAfter(changes, last?.head ?? 0)) {
      headAt = change.at;
      const { id } = change.event;
      if (!firsts.has(id)) firsts.set(id, { seq: change.seq, publishedAt: change.at });
    }
    const events = last?.head === head ? last.events : toPublishedEvents(ledger, firsts);
    last = { series, edition, head, headAt, events };
    return { at, ...last };
  };
}

function toPublishedEvents(
  ledger: Ledger,
  firsts: ReadonlyMap<string, Pick<PublishedEvent, "seq" | "publishedAt">>,
): Map<string, PublishedEvent> {
  const events = toEventsAsPublished(ledger, toEventsInOrder(ledger));
  const inFeed = new Set(selectForFeed(events.toReversed()).map(({ id }) => id));
  return new Map(
    events.flatMap((event) => {
      const first = firsts.get(event.id);
      if (first === undefined) return [];
      return [
        [
          event.id,
          { ...first, event: inFeed.has(event.id) && isInFeeds(event) ? event : null },
        ] as const,
      ];
    }),
  );
}
