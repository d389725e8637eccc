import type { PanelList, PanelRow, SnapshotRow } from "../../entries/entry.ts";
import type { EpochInfo } from "../../rpc/epoch.ts";
import type { RpcError } from "../../rpc/error.ts";
import type { Witness } from "../../rpc/ranking.ts";
import { toRawText } from "../section.ts";
import { hasBasisPointsIn, isAlike, isCounted } from "./comparison.ts";
import type { Lists } from "./lists.ts";

/* What an entry keeps of the lists. */

/** The rows of the base that an entry keeps. */
export function toBaseRows({ base }: Lists<unknown>, expected: ReadonlySet<string>): SnapshotRow[] {
  return base.votes.rows.filter((row) => isCounted(row, expected));
}

interface Comparison {
  expected: ReadonlySet<string>;
  /** Whether identities and the validator set count: the rows of a check have neither. */
  isWhole: boolean;
}

/** @param rows of the base, as the entry keeps them */
export function toPanel(
  { all, base }: Lists<unknown>,
  rows: readonly SnapshotRow[],
  comparison: Comparison,
): PanelRow[] {
  const kept = new Map(rows.map((row) => [row.vote, row]));
  return all.map((one) => {
    if ("failure" in one) return toFailedRow(one.witness, one.failure);
    const { reader, epoch } = one.endpoint;
    const { slot, unreadable } = one.votes;
    const differences =
      one === base
        ? { hasBasisPoints: true, lacks: [], rows: [] }
        : compare(kept, one.votes.rows, comparison);
    const list = { slot, unreadableRows: unreadable.count, ...differences };
    return { endpoint: reader.label, ...toPosition(epoch), list, reason: null };
  });
}

function toFailedRow({ label, endpoints: [first] }: Witness, failure: RpcError): PanelRow {
  return {
    endpoint: label,
    ...toPosition(first?.epoch ?? null),
    list: null,
    reason: toRawText(failure.message),
  };
}

function toPosition(
  info: EpochInfo | null,
): Pick<PanelRow, "slot" | "epoch" | "firstSlot" | "slotsInEpoch"> {
  if (info === null) return { slot: null, epoch: null, firstSlot: null, slotsInEpoch: null };
  const { absoluteSlot: slot, epoch, slotIndex, slotsInEpoch } = info;
  return { slot, epoch, firstSlot: slot - slotIndex, slotsInEpoch };
}

/**
 * Both are sorted by vote account, and so is the difference. Of accounts that the
 * base lacks, it has at most as many as the base: a liar may list any number.
 */
function compare(
  kept: ReadonlyMap<string, SnapshotRow>,
  listed: readonly SnapshotRow[],
  { expected, isWhole }: Comparison,
): Pick<PanelList, "hasBasisPoints" | "lacks" | "rows"> {
  const hasBasisPoints = hasBasisPointsIn(listed);
  const added = listed
    .filter((row) => !kept.has(row.vote) && isCounted(row, expected))
    .slice(0, kept.size);
  const isKept = new Set(added);
  const rows = listed.filter((row) => {
    const known = kept.get(row.vote);
    return known === undefined
      ? isKept.has(row)
      : !isAlike(known, row, { comparesBasisPoints: hasBasisPoints, isWhole });
  });
  const own = new Set(listed.map(({ vote }) => vote));
  return {
    hasBasisPoints,
    lacks: [...kept.keys()].filter((vote) => !own.has(vote)),
    rows: rows.map(toListedRow),
  };
}

function toListedRow(row: SnapshotRow): PanelList["rows"][number] {
  const { vote, basisPoints, percent, delinquent, activeStake, identity, inValidatorSet } = row;
  return { vote, basisPoints, percent, delinquent, activeStake, identity, inValidatorSet };
}
