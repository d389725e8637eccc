import { VERIFIED_BY } from "../contract/event.ts";
import { toPercent, toPercentOrNull } from "../contract/numbers.ts";
import { ACCOUNT_CHANGES_MAX, OBSERVED, type Profile } from "../contract/validator.ts";
import { blockRevenueSteps, type BlockRevenueStep } from "../ledger/rates/block-revenue-steps.ts";
import type { KeyChange, ValidatorRecord } from "../ledger/records.ts";

type Published = Profile["accountChanges"][number];

/** Newest first. */
export function toAccountChanges(record: ValidatorRecord): Published[] {
  const ofKeys = record.accountChanges.flatMap((change) =>
    change.of === "blockRevenueCommission" ? [] : [ofKey(change)],
  );
  const ofRates = blockRevenueSteps(record).map(ofBlockRevenue);
  return [...ofKeys, ...ofRates]
    .sort((one, other) => one.slot - other.slot)
    .slice(-ACCOUNT_CHANGES_MAX)
    .reverse();
}

function ofKey({ of, to, slot, epoch, ...proof }: KeyChange): Published {
  const { blockTime, signature, signer, verified } = proof;
  const change = { of, toKey: to, toCommission: null, slot, epoch };
  return {
    ...change,
    blockTime,
    signature,
    signer,
    verified,
    verifiedBy: VERIFIED_BY[verified],
    fromCommission: null,
    firstSeenAt: null,
  };
}

function ofBlockRevenue({ from, to, slot, epoch, proof, seen }: BlockRevenueStep): Published {
  const { blockTime = null, signature = null, signer = null, verified = null } = proof ?? {};
  return {
    of: "blockRevenueCommission",
    toKey: null,
    toCommission: toPercent(to),
    slot,
    epoch,
    blockTime,
    signature,
    signer,
    verified: verified ?? OBSERVED,
    verifiedBy: verified === null ? OBSERVED : VERIFIED_BY[verified],
    fromCommission: toPercentOrNull(from),
    firstSeenAt: seen?.first.time ?? null,
  };
}
