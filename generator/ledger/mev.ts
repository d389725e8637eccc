import { toKnownBasisPoints } from "./commission.ts";
import type { SnapshotEntry } from "../entries/entry.ts";
import type { Ledger } from "./ledger.ts";
import { foldListedMev } from "./mev-changes.ts";
import type { ListedMev } from "./mev-held.ts";
import { foldPanelMev } from "./panel-mev.ts";
import type { ValidatorRecord } from "./records.ts";
import { assignListed, type Step } from "./step.ts";
import { toPanel } from "./witnesses.ts";

type RowOf<Name extends "mev" | "tips"> = Extract<SnapshotEntry[Name], { state: "ok" }>["value"]["rows"][number];

/** What the vendor, or the chain in its place, says of one validator now. */
type LatestRow = RowOf<"mev"> | RowOf<"tips">;

/** Clients that build blocks with the batch vendor: AgaveBam and FireBAM in the registry of client ids. */
const BATCH_CLIENT_IDS = [6, 12];
/** Under this share of the list before it a list says nothing of who is missing. */
const LEAST_PERCENT = 80;

/** Who runs the vendor's client, and for which commission. Who is not told of is not known to be disabled by that. */
export function foldMev(step: Step, { mev, tips, panel }: Pick<SnapshotEntry, "mev" | "tips" | "panel">): void {
  const told = mev.state === "ok" ? mev : tips;
  if (told.state === "ok") {
    const { rows } = told.value;
    const listed = foldLatest(step, rows);
    if (panel === undefined) foldListedMev(step, listed, rows.length);
    else foldPanelMev(step, toPanel(step.ledger, panel), listed);
  } else if (mev.state === "skipped" && mev.off) foldBatchClients(step);
}

/** What a list says besides the commissions, which it answers. */
function foldLatest(step: Step, rows: readonly LatestRow[]): ListedMev[] {
  const byVote = new Map(rows.map((row) => [row.vote, row]));
  const tellsOfMissing = !isShort(step, rows.length);
  const listed: ListedMev[] = [];
  for (const [ordinal, validator] of step.ledger.validators.entries()) {
    const row = byVote.get(validator.vote);
    const runningBam = row !== undefined && "runningBam" in row ? row.runningBam : null;
    const batchVendorEnabled = runningBam ?? runsBatchClient(validator);
    if (row !== undefined || tellsOfMissing)
      assignListed(step, ordinal, { mevVendorEnabled: row !== undefined, batchVendorEnabled });
    if (row === undefined) continue;
    foldPriorityFee(step, ordinal, validator, row);
    const mevBasisPoints = toKnownBasisPoints(row.mevBasisPoints);
    // The vendor does not say of which epoch its record is.
    if (mevBasisPoints !== null)
      listed.push({ ordinal, validator, mevBasisPoints, epoch: "epoch" in row ? row.epoch : null });
  }
  return listed;
}

/** Held against the longest of this epoch and of the one before: what shrank for good is believed in time. */
function isShort({ ledger: { mevLists }, moment: { epoch } }: Step, length: number): boolean {
  if (mevLists.latest.epoch !== epoch) mevLists.latest = toNextEpoch(mevLists.latest, epoch);
  const { latest } = mevLists;
  const expected = Math.max(latest.longest, latest.longestBefore);
  latest.longest = Math.max(latest.longest, length);
  return length * 100 < expected * LEAST_PERCENT;
}

function toNextEpoch(latest: Ledger["mevLists"]["latest"], epoch: number): Ledger["mevLists"]["latest"] {
  return { epoch, longest: 0, longestBefore: latest.epoch === epoch - 1 ? latest.longest : 0 };
}

/** Where nobody can be asked, the client's number alone tells of the batch vendor. */
function foldBatchClients(step: Step): void {
  for (const [ordinal, validator] of step.ledger.validators.entries())
    assignListed(step, ordinal, { batchVendorEnabled: runsBatchClient(validator) });
}

function runsBatchClient({ clientId }: ValidatorRecord): boolean {
  return clientId !== null && BATCH_CLIENT_IDS.includes(clientId);
}

function foldPriorityFee(step: Step, ordinal: number, validator: ValidatorRecord, row: LatestRow): void {
  const priorityFee = toKnownBasisPoints(row.priorityFeeBasisPoints);
  if (priorityFee === null || priorityFee === validator.priorityFeeBasisPoints) return;
  validator.priorityFeeBasisPoints = priorityFee;
  step.touched.profiles.add(ordinal);
}
