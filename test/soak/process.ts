import { createProjection } from "../../generator/service/projection.ts";
import { observe } from "../../generator/service/observing.ts";
import { publishLedger } from "../../generator/service/publishing.ts";
import { readPublishedPosition, type Context } from "../../generator/service/context.ts";
import { createReport, type Report } from "../../generator/service/report.ts";
import { createUpkeep } from "../../generator/service/upkeep.ts";
import { DEFAULT_SITE_URL } from "../../generator/contract/site-url.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import type { Observer } from "../../generator/observe/observation.ts";
import type { ObjectStore } from "../../generator/store/store.ts";

export interface ProcessOptions {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
  observer: Observer;
  /** Milliseconds since 1970, by the process's own clock. */
  now: () => number;
  /** Who publishes; different for each process. */
  holder: string;
  /** Gets the name of each entry that the journal said it has. */
  onAppended?: (name: string) => void;
  /** Does the upkeep when it may. */
  letTidy?: (tidy: () => Promise<void>) => Promise<void>;
}

/** A generator from its start to its death: what it holds in memory is its own. */
export interface Process {
  context: Context;
  /** What `generate check`, `generate snapshot` and each tick of `generate run` do. */
  tick(kind: "check" | "snapshot"): Promise<Report>;
  /** What `generate publish` does. */
  publish(): Promise<Report>;
}

export async function startProcess(options: ProcessOptions): Promise<Process> {
  const { publicStore, stateStore, observer, now, holder, onAppended, letTidy = tidyAtOnce } = options;
  const place = { network: "mainnet", series: 1, siteUrl: DEFAULT_SITE_URL } as const;
  const journal = openJournal({ store: stateStore, ...place }, { now });
  const projection = createProjection({ ...place, journal, now });
  projection.setPublished(await readPublishedPosition(stateStore, place));
  const context: Context = {
    ...place,
    clock: { now, timer: now, sleepUntil: () => Promise.reject(new Error("who starts a tick says when")) },
    observer,
    journal: {
      ...journal,
      async append(entry) {
        const name = await journal.append(entry);
        onAppended?.(name);
        return name;
      },
    },
    projection,
    publicStore,
    stateStore,
    stakeScanMinutes: 60,
    holder,
    counts: () => ({ puts: 0, lists: 0, gets: 0, deletes: 0, bytes: 0 }),
    close: () => Promise.resolve(),
  };
  const tidyUp = createUpkeep(context);
  return {
    context,
    async tick(kind) {
      const report = createReport(kind, context.network);
      await observe(context, kind, report);
      await publishLedger(context, report, { audit: kind === "snapshot", isFolded: true });
      if (kind === "snapshot") await letTidy(() => tidyUp(report));
      return report;
    },
    async publish() {
      const report = createReport("publish", context.network);
      await publishLedger(context, report, { audit: true });
      return report;
    },
  };
}

function tidyAtOnce(tidy: () => Promise<void>): Promise<void> {
  return tidy();
}
