import type { Network } from "../contract/networks.ts";
import { allReferences } from "../documents/references.ts";
import { createRenderer } from "../documents/render.ts";
import { fold } from "../ledger/fold.ts";
import { createLedger, FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import { pendingChanges } from "../ledger/pending.ts";
import { compareWithPublished, type Difference } from "../publish/compare.ts";
import { NOT_AN_ENTRY, type JournalPosition } from "./keeper.ts";
import { readPublishedPosition } from "./published.ts";
import { publishState } from "./publishing.ts";
import type { Report } from "./report.ts";
import { forEachNetwork, type CommandOptions } from "./session.ts";
import type { Station } from "./station.ts";

export interface RebuildOptions extends CommandOptions {
  /** Compare with what is published, and write nothing. */
  verify: boolean;
  /** Delete published objects that the journal does not bring about. */
  prune: boolean;
  onDifference: (difference: Difference) => void;
  onProgress: (progress: { network: Network; folded: number; total: number }) => void;
}

/**
 * `generate rebuild`: everything from the journal, from its first entry on, with no checkpoint believed. `verify` folds as
 * far as what is published was folded, names each difference and writes nothing.
 */
export async function rebuild(options: RebuildOptions): Promise<{ report: Report; differences: number }> {
  let differences = 0;
  const report = await forEachNetwork("rebuild", options, async (station, total) => {
    const rebuilt = await foldAll(station, total, options);
    if (rebuilt === null) return;
    if (options.verify) differences += await verify(station, total, rebuilt, options);
    else await publishAll(station, total, { ...rebuilt, prune: options.prune });
  });
  return { report, differences };
}

interface Rebuilt {
  ledger: Ledger;
  position: JournalPosition;
  quarantined: { object: string; reason: string }[];
}

/** null: the journal is empty. */
async function foldAll(station: Station, report: Report, options: RebuildOptions): Promise<Rebuilt | null> {
  const { journal, network, clock } = station;
  // Nothing is before the empty name: so no checkpoint fits, and all entries are to fold.
  const base = await journal.findBase({ now: clock.now(), foldVersion: FOLD_VERSION, notAfter: "" });
  const published = options.verify ? await readPublishedPosition(station.stateStore, station) : null;
  const names = base.names.filter((name) => published === null || name <= published.through);
  const quarantined = base.foreign.map((object) => ({ object, reason: NOT_AN_ENTRY }));
  let ledger = createLedger(network, station.series);
  for await (const entry of journal.read(names)) {
    if ("unreadable" in entry) {
      quarantined.push({ object: entry.name, reason: entry.unreadable });
      report.rejected.push({ reason: `${entry.name}: ${entry.unreadable}` });
      continue;
    }
    ledger = fold(ledger, entry).ledger;
    report.observations += 1;
    options.onProgress({ network, folded: report.observations, total: names.length });
  }
  const through = ledger.position?.name;
  report.events = ledger.events.length;
  report.pending = pendingChanges(ledger).length;
  if (through === undefined) return null;
  return { ledger, position: { through, digest: base.digestThrough(through) }, quarantined };
}

async function verify(station: Station, report: Report, { ledger }: Rebuilt, options: RebuildOptions): Promise<number> {
  const differences = await compare(station, ledger);
  for (const difference of differences) options.onDifference(difference);
  const rendered = allReferences(ledger).length;
  const changed = differences.filter(({ what }) => what !== "unexpected").length;
  report.documents = { rendered, written: 0, unchanged: rendered - changed };
  return differences.length;
}

async function publishAll(station: Station, report: Report, rebuilt: Rebuilt & { prune: boolean }): Promise<void> {
  const { ledger, position, quarantined, prune } = rebuilt;
  const references = allReferences(ledger);
  await publishState(station, report, { ledger, position, references, since: null, quarantined, audit: true });
  if (!prune || report.skipped !== null) return;
  const unexpected = (await compare(station, ledger)).filter(({ what }) => what === "unexpected");
  for (const { key } of unexpected) await station.publicStore.delete(key);
}

function compare({ publicStore, network }: Station, ledger: Ledger): Promise<Difference[]> {
  const { render } = createRenderer(ledger);
  return compareWithPublished({ publicStore, network, references: allReferences(ledger), render });
}
