import type { AgreedSnapshot } from "../../agree/agree.ts";
import type { SnapshotRow } from "../../entries/entry.ts";
import type { Ledger } from "../ledger.ts";
import type { Performance, ValidatorRecord } from "../records.ts";
import type { Found, Step } from "../step.ts";

/**
 * Records credits and block production. If a source fails, its values of the epoch stay. Vote
 * accounts that share an identity show the same blocks.
 */
export function foldPerformance(
  step: Step,
  entry: AgreedSnapshot,
  found: readonly Found<SnapshotRow>[],
): void {
  const rows = entry.production.state === "ok" ? entry.production.value.rows : null;
  const production = rows && new Map(rows.map((counted) => [counted[0], counted]));
  const unit = unitOf(step.ledger, entry);
  for (const { row, validator, validatorIndex } of found) {
    const known = validator.performance?.epoch === entry.epoch ? validator.performance : null;
    const counted = production?.get(row.identity);
    const kept = production === null ? known : null;
    const earned = row.credits.length > 0 ? creditsEarned(row, entry.epoch) : null;
    validator.performance = {
      epoch: entry.epoch,
      voteCredits: earned ?? (known?.unit === unit ? known.voteCredits : 0n),
      unit,
      leaderSlots: counted?.[1] ?? kept?.leaderSlots ?? 0,
      blocksProduced: counted?.[2] ?? kept?.blocksProduced ?? 0,
      asOf: entry.time,
    };
    // Later records become visible only at the full hour.
    if (validator.performanceOfHour === null)
      show(step, validatorIndex, validator, validator.performance);
  }
}

/** The separator of units is listed for a few epochs after the migration; then the unit stays. */
function unitOf(
  { network, validators }: Ledger,
  { votes, creditsUnit }: AgreedSnapshot,
): Performance["unit"] {
  if (votes.some(({ credits }) => credits.includes(null))) return "lamports";
  if (creditsUnit !== null) return creditsUnit;
  const newest = validators.reduce<Performance | null>(
    (latest, { performance }) =>
      (performance?.asOf ?? "") > (latest?.asOf ?? "") ? performance : latest,
    null,
  );
  return newest?.unit ?? (network === "alpenglow" ? "lamports" : "credits");
}

/** In the migration epoch, only the row after the separator counts. */
export function creditsEarned({ credits }: Pick<SnapshotRow, "credits">, epoch: number): bigint {
  let earned = 0n;
  for (let index = credits.length - 1; index >= 0; index -= 1) {
    const row = credits[index];
    if (row === null || row === undefined) break;
    const [of, counted, previous] = row;
    if (of === epoch && counted > previous) earned += counted - previous;
  }
  return earned;
}

function show(
  step: Step,
  validatorIndex: number,
  validator: ValidatorRecord,
  performance: Performance,
): void {
  validator.performanceOfHour = performance;
  step.touched.profiles.add(validatorIndex);
}
