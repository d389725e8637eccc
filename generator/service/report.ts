import type { Network } from "../contract/networks.ts";
import { toQuarantined, type Quarantined } from "./projection/quarantined.ts";

/** Only the newest lines of each kind are kept, because `run` adds up reports for months. */
const LINES_MAX = 1_000;

const COUNTS = ["observations", "stored", "published", "events", "puts", "lists", "bytes"] as const;

/** What a command did: its last line with `--json`. */
export interface Report {
  command: string;
  network: Network | "all";
  /** null: this command made no observation. */
  accepted: boolean | null;
  rejected: { reason: string }[];
  /** Why no endpoint could be read: the command failed. */
  unread?: string;
  /** Why a run stored nothing or published nothing, from its beginning to its end: it failed. */
  failure?: string;
  quarantined: Quarantined[];
  /** Why it did not publish; null: it did, or need not. The next run publishes instead. */
  skipped: string | null;
  /** Entries folded. */
  observations: number;
  /** Entries that it wrote to the journal. */
  stored: number;
  /** How often all that was folded was published, or was found to be. */
  published: number;
  /** Time of the newest snapshot that the documents it published show, UTC; null: it published none. */
  snapshotAt: string | null;
  /** Changes that are not confirmed yet. */
  pending: number;
  /** When the oldest of them was first seen, UTC; null: there is none. */
  pendingSince: string | null;
  events: number;
  documents: { rendered: number; written: number; unchanged: number };
  puts: number;
  lists: number;
  bytes: number;
  /** Conditions that someone must act on: silent witnesses, undelivered alerts. */
  warnings: string[];
  upkeep: string[];
  durationMs: number;
}

/** The report of a command that has done nothing yet. */
export function createReport(command: string, network: Network | "all"): Report {
  return {
    command,
    network,
    accepted: null,
    rejected: [],
    quarantined: [],
    skipped: null,
    warnings: [],
    observations: 0,
    stored: 0,
    published: 0,
    snapshotAt: null,
    pending: 0,
    pendingSince: null,
    events: 0,
    documents: { rendered: 0, written: 0, unchanged: 0 },
    puts: 0,
    lists: 0,
    bytes: 0,
    upkeep: [],
    durationMs: 0,
  };
}

/** One report on all networks; its lines name the network. */
export function sumReports(command: string, reports: Report[]): Report {
  const total = createReport(command, "all");
  for (const report of reports) {
    const rejected = report.rejected.map(({ reason }) => ({
      reason: `${report.network}: ${reason}`,
    }));
    const upkeep = report.upkeep.map((line) => `${report.network}: ${line}`);
    const warnings = report.warnings.map((line) => `${report.network}: ${line}`);
    addReport(total, { ...report, rejected, warnings, upkeep });
    if (report.unread !== undefined) total.unread = `${report.network}: ${report.unread}`;
    if (report.failure !== undefined) {
      const failure = `${report.network}: ${report.failure}`;
      total.failure = total.failure === undefined ? failure : `${total.failure}; ${failure}`;
    }
  }
  return total;
}

/** Adds sums and takes the longest time; accepted if all are. */
export function addReport(total: Report, report: Report): void {
  total.accepted =
    report.accepted === null ? total.accepted : report.accepted && total.accepted !== false;
  total.rejected = [...total.rejected, ...report.rejected].slice(-LINES_MAX);
  total.warnings = [...total.warnings, ...report.warnings].slice(-LINES_MAX);
  total.upkeep = [...total.upkeep, ...report.upkeep].slice(-LINES_MAX);
  addQuarantined(total, report.quarantined);
  total.skipped = report.skipped ?? total.skipped;
  // Of one network the newest report counts; of several, the worst of them.
  if (report.network === total.network) {
    total.pending = report.pending;
    total.pendingSince = report.pendingSince;
    total.snapshotAt = report.snapshotAt ?? total.snapshotAt;
  } else {
    total.pending += report.pending;
    total.pendingSince = findOldest(total.pendingSince, report.pendingSince);
    total.snapshotAt = findOldest(total.snapshotAt, report.snapshotAt);
  }
  for (const part of COUNTS) total[part] += report[part];
  for (const part of ["rendered", "written", "unchanged"] as const)
    total.documents[part] += report.documents[part];
  total.durationMs = Math.max(total.durationMs, report.durationMs);
}

/** Adds unusable objects to a report, each once. */
export function addQuarantined(report: Report, quarantined: readonly Quarantined[]): void {
  if (quarantined.length === 0) return;
  const all = [...report.quarantined, ...quarantined];
  report.quarantined = toQuarantined(all.map(({ object, reason }) => [object, reason]));
}

function findOldest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** null: accepted, or there was no observation. */
export function refusalOf({ accepted, rejected }: Report): string | null {
  return accepted === false ? (rejected[0]?.reason ?? null) : null;
}

/** `1 event`, `2 events`; `things`: an irregular plural. */
export function toCounted(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`;
}
