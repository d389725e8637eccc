import { compareText } from "../../contract/lists.ts";
import { toPercentOrNull } from "../../contract/numbers.ts";
import { commissionPoint, stakePoint } from "../../ledger/stake/points.ts";
import { findCommissions, lastEpoch, type Commissions } from "../../views/commissions.ts";
import { findPaid } from "../../views/paid.ts";
import { toPaidCommission } from "../histories.ts";
import type { Subject, View } from "../view.ts";
import { tableOf, type Table } from "./table.ts";

interface Row extends Commissions, ReturnType<typeof toPaidCommission> {
  epoch: number;
  votePubkey: string;
  activeStakeLamports: bigint | null;
  rank: number | null;
}

/** Identity and name are left out, as their past values are unknown. */
const toTable = tableOf<"history", Row>("history", {
  commission: ({ commissionBasisPoints }) => toPercentOrNull(commissionBasisPoints),
  mevCommission: ({ mevCommissionBasisPoints }) => toPercentOrNull(mevCommissionBasisPoints),
  appliedCommission: ({ appliedCommissionBasisPoints }) =>
    toPercentOrNull(appliedCommissionBasisPoints),
  blockRevenueCommission: ({ blockRevenueBasisPoints }) => toPercentOrNull(blockRevenueBasisPoints),
});

const NOTHING_KNOWN: Commissions = {
  commissionBasisPoints: null,
  mevCommissionBasisPoints: null,
  appliedCommissionBasisPoints: null,
  paid: null,
  blockRevenueBasisPoints: null,
};

/** Validators of an epoch, largest stake first. */
export function toHistoryTable(view: View, epoch: number): Table | null {
  if (!view.closedEpochs().has(epoch)) return null;
  const rows = [...view.ledger.validators.entries()]
    .map(([validatorIndex, record]) => ({ validatorIndex, record }))
    .filter((subject) => isRecorded(view, subject, epoch))
    .map((subject) => toRow(view, subject, epoch));
  return rows.length === 0 ? null : toTable(rows.sort(compareRows));
}

/** Commissions after a validator was last seen do not count. */
function isRecorded(view: View, { validatorIndex, record }: Subject, epoch: number): boolean {
  const at = { epoch, validatorIndex };
  return (
    stakePoint(view.ledger, at) !== null ||
    (epoch <= lastEpoch(view, record) && commissionPoint(view.ledger, "inflation", at) !== null)
  );
}

function toRow(view: View, subject: Subject, epoch: number): Row {
  const { validatorIndex, record } = subject;
  const stake = stakePoint(view.ledger, { epoch, validatorIndex });
  return {
    epoch,
    votePubkey: record.vote,
    activeStakeLamports: stake?.lamports ?? null,
    rank: stake?.rank ?? null,
    ...(findCommissions(view, subject, epoch) ?? NOTHING_KNOWN),
    ...toPaidCommission(findPaid(view, { epoch, validatorIndex })),
  };
}

function compareRows(a: Row, b: Row): number {
  const [one, other] = [a.activeStakeLamports ?? -1n, b.activeStakeLamports ?? -1n];
  if (one !== other) return one > other ? -1 : 1;
  return compareText(a.votePubkey, b.votePubkey);
}
