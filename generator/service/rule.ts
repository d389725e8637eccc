import type { Network } from "../contract/networks.ts";
import type { EventRecord } from "../ledger/event-record.ts";
import { toExplained, type ExplainedEvent } from "./explain/event.ts";
import { openJournal } from "../journal/journal.ts";
import type { RulingEntry } from "../entries/entry.ts";
import type { Folded } from "../ledger/fold.ts";
import type { Ledger, RulingRecord } from "../ledger/ledger.ts";
import { toReason } from "../contract/strangers-text.ts";
import { openStore } from "../store/open.ts";
import { requireSeries } from "./explain.ts";
import { createProjection, type FoldProgress } from "./projection.ts";
import { publishLedger } from "./publishing.ts";
import { readPublishedPosition, type Context } from "./context.ts";
import type { Report } from "./report.ts";
import { openRehearsal } from "./rule/rehearsal.ts";
import { findSubject, type Subject, type SubjectWanted } from "./rule/subject.ts";
import { forEachNetwork, type CommandOptions } from "./for-each-network.ts";

export interface RuleOptions extends CommandOptions {
  network: Network;
  subject: SubjectWanted;
  verdict: RulingEntry["verdict"];
  /** Published in status.json. */
  reason: string;
  /** Work in memory and write nothing. */
  dryRun: boolean;
  onProgress: (progress: FoldProgress) => void;
}

export interface Changes {
  gone: ExplainedEvent[];
  come: ExplainedEvent[];
  /** Ids of events with the same values between other observations. */
  moved: string[];
  /** Validators without a trace: their documents stay until `rebuild --prune`. */
  forgotten: number;
}

export interface Ruled {
  subject: RulingEntry["subject"];
  verdict: RulingEntry["verdict"];
  reason: string;
  /** null: `nothing` says why there is none. */
  entry: string | null;
  nothing: string | null;
  dryRun: boolean;
  /** null: it is an event, or cannot be read. */
  observation: Folded["outcome"] | null;
  /** Whether its subject cannot be read and is left out. */
  leavesOut: boolean;
  changes: Changes;
}

export type RuleReport = Report & { ruling: Ruled };

/**
 * `generate rule`: journals an operator's ruling before its subject, folds again from there and publishes.
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
  const journal = openJournal({ store: stateStore, network, series });
  const projection = createProjection({ network, series, journal, now: clock.now, onProgress });
  projection.setPublished(await readPublishedPosition(stateStore, { network, series, siteUrl }));
  return { ...opened, stateStore, publicStore, journal, projection };
}

async function ruleAt(context: Context, report: Report, options: RuleOptions): Promise<Ruled> {
  const { journal, projection, network } = context;
  const { verdict, dryRun } = options;
  report.observations += (await projection.refresh()).size;
  const before = toShown(projection.ledger());
  const search = { journal, place: context, ledger: projection.ledger(), holes: projection.holes() };
  const found = await findSubject(search, options.subject);
  const reason = toReason(options.reason) ?? "";
  const leavesOut = found.isUnreadable && verdict === "ignore";
  const ruled = { subject: found.subject, verdict, reason, dryRun, leavesOut };
  const standing = standingOn(projection.ledger(), found.subject);
  const nothing = whyNothing(projection.ledger(), found, { verdict, reason });
  if (nothing !== null)
    return { ...ruled, entry: null, nothing, observation: null, changes: compareShown(before, before) };
  options.signal.throwIfAborted();
  const entry = await journal.append({
    kind: "ruling",
    format: 1,
    network,
    time: new Date(Date.parse(found.time) - 1).toISOString(),
    ruledAt: toRuledAt(context.clock.now(), standing),
    subject: found.subject,
    verdict,
    reason,
  });
  const outcomes = await projection.refresh();
  report.observations += outcomes.size;
  const changes = compareShown(before, toShown(projection.ledger()));
  report.events = changes.come.length;
  await publishLedger(context, report, { audit: true });
  const { subject } = found;
  const observation = subject.of === "observation" ? (outcomes.get(subject.key) ?? null) : null;
  return { ...ruled, entry, nothing, observation, changes };
}

function standingOn({ rulings }: Ledger, subject: RulingEntry["subject"]): RulingRecord | undefined {
  return subject.of === "event" ? rulings.events.get(subject.id) : rulings.observations.get(subject.key);
}

/** null: there is something to journal. A new reason counts as a new ruling. */
function whyNothing(
  ledger: Ledger,
  { subject, event, isUnreadable }: Subject,
  { verdict, reason }: { verdict: RulingEntry["verdict"]; reason: string },
): string | null {
  const standing = standingOn(ledger, subject);
  if (standing?.verdict === verdict && standing.reason === reason)
    return `the same ruling stands since ${standing.ruledAt}`;
  if (event !== null && verdict === "accept" && standing === undefined)
    return "the event already stands: --accept only reverses an earlier --ignore";
  if (isUnreadable && verdict === "accept" && standing === undefined)
    return "it cannot be read: put it back from a copy, and it counts";
  return null;
}

/** The later ruling counts, also if this machine's clock is behind. */
function toRuledAt(now: number, standing: RulingRecord | undefined): string {
  const since = standing === undefined ? -Infinity : Date.parse(standing.ruledAt);
  return new Date(Math.max(now, since + 1)).toISOString();
}

/** What the world sees, as far as a ruling can change it. */
interface Shown {
  events: Map<string, ExplainedEvent>;
  votes: Set<string>;
}

/** Take it before the ledger is folded on. */
function toShown(ledger: Ledger): Shown {
  const events = ledger.events.map((event) => [event.id, toExplained(ledger, event)] as const);
  return { events: new Map(events), votes: new Set(ledger.validatorIndexes.keys()) };
}

function compareShown(before: Shown, after: Shown): Changes {
  return {
    gone: [...before.events.values()].filter(({ id }) => !after.events.has(id)),
    come: [...after.events.values()].filter(({ id }) => !before.events.has(id)),
    moved: [...after.events.values()]
      .filter((event) => isMoved(before.events.get(event.id), event))
      .map(({ id }) => id),
    forgotten: before.votes.difference(after.votes).size,
  };
}

function isMoved(before: EventBounds | undefined, after: EventBounds): boolean {
  if (before === undefined) return false;
  return (["createdAt", "slot", "previousSlot", "previousSeenAt"] as const).some(
    (part) => before[part] !== after[part],
  );
}

type EventBounds = Pick<EventRecord, "createdAt" | "slot" | "previousSlot" | "previousSeenAt">;
