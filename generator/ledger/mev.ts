import { toKnownBasisPoints } from "./commission.ts";
import type { SnapshotEntry } from "../entries/entry.ts";
import type { Ledger } from "./ledger.ts";
import { LEAST_PERCENT } from "./mev-evidence.ts";
import type { ListedMev } from "./mev-held.ts";
import { foldPanelMev } from "./panel-mev.ts";
import type { ValidatorRecord } from "./records.ts";
import { assignListed, type Step } from "./step.ts";
import { toPanel } from "./witnesses.ts";

type RowOf<Name extends "mev" | "tips"> = Extract<SnapshotEntry[Name], { state: "ok" }>["value"]["rows"][number];

/** From the vendor or else the chain. */
type LatestRow = RowOf<"mev"> | RowOf<"tips">;

/** AgaveBam and FireBAM in the client id registry. */
const BATCH_CLIENT_IDS = [6, 12];

/** A missing row does not mean disabled. */
export function foldMev(step: Step, { mev, tips, panel }: Pick<SnapshotEntry, "mev" | "tips" | "panel">): void {
  const told = mev.state === "ok" ? mev : tips;
  if (told.state === "ok") {
    const { rows } = told.value;
    const listed = foldLatest(step, rows);
    foldPanelMev(step, toPanel(step.ledger, panel), listed);
  } else if (mev.state === "skipped" && mev.off) foldBatchClients(step);
}

/** Returns the commissions; folds all else. */
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
    if (mevBasisPoints !== null)
      listed.push({ ordinal, validator, mevBasisPoints, epoch: "epoch" in row ? row.epoch : null });
  }
  return listed;
}

/** A short list says nothing about missing validators. Compared with this and the previous epoch's longest, so that a lasting decline is believed in time. */
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

/** Without a vendor API, the client id alone tells of the batch vendor. */
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
