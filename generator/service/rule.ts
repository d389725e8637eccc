import type { Network } from "../contract/networks.ts";
import { openJournal } from "../journal/journal.ts";
import type { Ruling } from "../entries/ruling.ts";
import type { Folded } from "../ledger/fold.ts";
import type { Ledger, RulingRecord } from "../ledger/ledger.ts";
import { toReason } from "../contract/strangers-text.ts";
import { openStore } from "../store/open.ts";
import { requireSeries } from "./explain.ts";
import { createProjection, type FoldProgress } from "./projection/projection.ts";
import { publishLedger } from "./publishing.ts";
import { readPublishedPosition, type Context } from "./context.ts";
import type { Report } from "./report.ts";
import { toSubjectText } from "../ledger/rulings.ts";
import { openCheckpoints } from "./projection/checkpoints.ts";
import { compareVisible, toVisible, type Changes } from "./rule/changes.ts";
import { openRehearsal } from "./rule/rehearsal.ts";
import { findSubject, type Subject, type SubjectWanted } from "./rule/subject.ts";
import { forEachNetwork, type CommandOptions } from "./for-each-network.ts";

/** Options of `generate rule`. */
export interface RuleOptions extends CommandOptions {
  network: Network;
  subject: SubjectWanted;
  verdict: Ruling["verdict"];
  /** Published in status.json. */
  reason: string;
  /** Work in memory and write nothing. */
  dryRun: boolean;
  onProgress: (progress: FoldProgress) => void;
}

/** What a ruling did or, with `dryRun`, would do. */
export interface Ruled {
  subject: Ruling["subject"];
  verdict: Ruling["verdict"];
  reason: string;
  /** Its number; null: `nothing` says why there is none. */
  entry: string | null;
  nothing: string | null;
  dryRun: boolean;
  /** null: it is an event, or cannot be read. */
  observation: Folded["outcome"] | null;
  /** Whether its subject cannot be read and is left out. */
  leavesOut: boolean;
  changes: Changes;
}

/** The report of `generate rule`. */
export type RuleReport = Report & { ruling: Ruled };

/**
 * `generate rule`: keeps an operator's ruling, folds again from its subject on, and publishes.
 * @throws {Error} without a journal and for an unknown subject
 */
export async function rule(options: RuleOptions): Promise<RuleReport> {
  await requireSeries(openStore(options.settings.stateStore), options.network);
  const ruled: Ruled[] = [];
  const report = await forEachNetwork("rule", options, async (opened, filled) => {
    ruled.push(await ruleAt(await prepare(opened, options), filled, options));
  });
  const [ruling] = ruled;
  if (ruling === undefined) throw new Error("the ruling was not recorded");
  return { ...report, ruling };
}

/** A rehearsal only reads the stores. */
async function prepare(opened: Context, { dryRun, onProgress }: RuleOptions): Promise<Context> {
  const { network, series, siteUrl, clock } = opened;
  const stateStore = dryRun ? openRehearsal(opened.stateStore) : opened.stateStore;
  const publicStore = dryRun ? openRehearsal(opened.publicStore) : opened.publicStore;
  const place = { store: stateStore, network, series };
  const journal = openJournal(place);
  const checkpoints = openCheckpoints({ place, journal });
  const projection = createProjection({
    network,
    series,
    journal,
    checkpoints,
    now: clock.now,
    onProgress,
  });
  projection.setPublished(await readPublishedPosition(stateStore, { network, series, siteUrl }));
  return { ...opened, place, stateStore, publicStore, journal, projection };
}

async function ruleAt(context: Context, report: Report, options: RuleOptions): Promise<Ruled> {
  const { journal, projection, network } = context;
  const { verdict, dryRun } = options;
  report.observations += (await projection.refresh()).size;
  const before = toVisible(projection.ledger());
  const found = findSubject(
    { ledger: projection.ledger(), holes: projection.holes() },
    options.subject,
  );
  const reason = toReason(options.reason) ?? "";
  const leavesOut = found.isUnreadable && verdict === "ignore";
  const ruled = { subject: found.subject, verdict, reason, dryRun, leavesOut };
  const nothing = whyNothing(projection.ledger(), found, { verdict, reason });
  if (nothing !== null)
    return {
      ...ruled,
      entry: null,
      nothing,
      observation: null,
      changes: compareVisible(before, before),
    };
  options.signal.throwIfAborted();
  const entry = await journal.rule({
    format: 1,
    network,
    ruledAt: new Date(context.clock.now()).toISOString(),
    after: found.after,
    subject: found.subject,
    verdict,
    reason,
  });
  const outcomes = await projection.refresh();
  report.observations += outcomes.size;
  const changes = compareVisible(before, toVisible(projection.ledger()));
  report.events = changes.come.length;
  await publishLedger(context, report, { audit: true });
  const { subject } = found;
  const observation = subject.of === "observation" ? (outcomes.get(subject.first) ?? null) : null;
  return { ...ruled, entry, nothing, observation, changes };
}

/** null: there is something to journal. A new reason counts as a new ruling. */
function whyNothing(
  ledger: Ledger,
  { subject, event, isUnreadable }: Subject,
  { verdict, reason }: { verdict: Ruling["verdict"]; reason: string },
): string | null {
  const current = findRuling(ledger, subject);
  if (current?.verdict === verdict && current.reason === reason)
    return `the same ruling stands since ${current.ruledAt}`;
  if (event !== null && verdict === "accept" && current === undefined)
    return "the event already stands: --accept only reverses an earlier --ignore";
  if (isUnreadable && verdict === "accept" && current === undefined)
    return "it cannot be read: put it back from a copy, and it counts";
  return null;
}

function findRuling({ rulings }: Ledger, subject: Ruling["subject"]): RulingRecord | undefined {
  return rulings[subject.of === "event" ? "events" : "observations"].get(toSubjectText(subject));
}
