import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import { epochOf, isMember, rateAt, valueAt, type Cluster, type Validator } from "./cluster.ts";

export interface ToldRow {
  vote: string;
  identity: string;
  stake: bigint;
  /** Basis points; null: unreadable. */
  rate: number | null;
  lastVote: number;
  isMember: boolean;
}

export interface ToldEpoch {
  epoch: number;
  slotIndex: number;
  slotsInEpoch: number;
  absoluteSlot: number;
}

/** How a node writes rates: as Agave 4.1, or percents alone, rounded down or up. */
export type ListForm = "both" | "basis points" | "floor" | "ceil";

/** Slots since the last vote after which a validator is delinquent. */
export const DELINQUENT_SLOTS = 128;
const ACCOUNT_BYTES = 193;
/** All of it, as in any account until validators may share it. */
const BLOCK_REVENUE_BASIS_POINTS = 10_000;
const VOTE_PROGRAM = "Vote111111111111111111111111111111111111111";

export function tellEpoch(cluster: Cluster, slot: number): ToldEpoch {
  const { slotsInEpoch } = cluster;
  return {
    epoch: epochOf(cluster, slot),
    slotIndex: slot % slotsInEpoch,
    slotsInEpoch,
    absoluteSlot: slot,
  };
}

/** @param votesBelow how far the last votes lie below the slot */
export function tellRows(cluster: Cluster, slot: number, votesBelow: number): ToldRow[] {
  return cluster.validators.flatMap((validator) => {
    const { vote, identities, stakes, voting } = validator;
    const rate = rateAt(validator, slot);
    if (rate === null) return [];
    const stopped = voting.findLast((step) => step.slot <= slot);
    const lastVote =
      stopped?.value === true ? Math.max(0, slot - votesBelow) : (stopped?.slot ?? 0);
    const stake = valueAt(stakes, slot) ?? 0n;
    const identity = valueAt(identities, slot) ?? "";
    return [
      {
        vote,
        identity,
        stake,
        rate,
        lastVote,
        isMember: isMember(cluster, validator, epochOf(cluster, slot)),
      },
    ];
  });
}

export function writeList(
  rows: readonly ToldRow[],
  {
    slot,
    form,
    withUnstaked,
    epoch,
  }: { slot: number; form: ListForm; withUnstaked: boolean; epoch: number },
) {
  const isCurrent = ({ lastVote }: ToldRow) => lastVote > slot - DELINQUENT_SLOTS;
  const write = (row: ToldRow) => writeRow(row, form, epoch);
  return {
    current: rows.filter(isCurrent).map(write),
    delinquent: rows
      .filter((row) => !isCurrent(row) && (withUnstaked || row.stake > 0n))
      .map(write),
  };
}

function writeRow(
  { vote, identity, stake, rate, lastVote, isMember }: ToldRow,
  form: ListForm,
  epoch: number,
) {
  return {
    votePubkey: vote,
    nodePubkey: identity,
    activatedStake: stake,
    ...(rate === null ? {} : writeRate(rate, form)),
    epochVoteAccount: isMember,
    epochCredits: [[epoch, 1_000, 10]],
    lastVote,
    rootSlot: Math.max(0, lastVote - 31),
  };
}

function writeRate(rate: number, form: ListForm) {
  const percent = form === "floor" ? Math.floor(rate / 100) : Math.ceil(rate / 100);
  if (form === "basis points") return { inflationRewardsCommissionBps: rate };
  return form === "both"
    ? { commission: percent, inflationRewardsCommissionBps: rate }
    : { commission: percent };
}

const written = new Map<string, string>();

/** An account of getMultipleAccounts; `rate` null: unknown layout. */
export function writeAccount(keys: Keys, rate: number | null, layout: Validator["layout"]) {
  const known = `${keys.identity} ${keys.authority} ${rate} ${layout}`;
  const data = written.get(known) ?? toBase64(keys, rate, layout);
  written.set(known, data);
  return { owner: VOTE_PROGRAM, data: [data, "base64"], lamports: 1_000_000, executable: false };
}

interface Keys {
  identity: string | null;
  authority: string | null;
}

function toBase64(
  { identity, authority }: Keys,
  rate: number | null,
  layout: Validator["layout"],
): string {
  const data = Buffer.alloc(ACCOUNT_BYTES);
  if (identity !== null) data.set(decodePublicKey(identity), 4);
  if (authority !== null) data.set(decodePublicKey(authority), 36);
  data.writeUInt32LE(rate === null ? 9 : layout === "percent" ? 2 : 3, 0);
  if (rate !== null && layout === "percent")
    data.writeUInt8(Math.min(255, Math.round(rate / 100)), 68);
  if (rate !== null && layout === "basis points") {
    data.writeUInt16LE(rate, 132);
    data.writeUInt16LE(BLOCK_REVENUE_BASIS_POINTS, 134);
  }
  return data.toString("base64");
}
