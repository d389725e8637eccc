import { z } from "zod";
import type { PanelRewards, RewardsAnswer, RewardsQuestion } from "../../entries/rewards.ts";
import { encodePublicKey, PUBLIC_KEY_BYTES } from "../../chain/public-key.ts";
import { U64_MAX, u64Schema } from "../../rpc/answer.ts";
import { COMMITMENT } from "../../rpc/epoch.ts";
import { RpcError } from "../../rpc/error.ts";
import type { RpcReader } from "../../rpc/reader.ts";
import { readAccounts, type Account } from "../accounts.ts";
import { STAKE_ACCOUNT_BYTES, STAKE_PROGRAM } from "../stakes/stake-answers.ts";
import {
  ACTIVATION_OFFSET,
  DEACTIVATION_OFFSET,
  DELEGATION_OFFSET,
  STAKE_OFFSET,
} from "../stakes/stake-tally.ts";
import { readVoteAccounts } from "../vote-accounts.ts";
import { askWitnesses, assertAnswered, type Panel } from "../witnesses.ts";
import {
  decodeEpochRewards,
  decodeStakeHistory,
  EPOCH_REWARDS_SYSVAR,
  STAKE_HISTORY_SYSVAR,
  SYSVAR_BYTES,
} from "./sysvars.ts";

/**
 * Addresses of one call. A node looks up the block of each, so few calls spare it; a thousand would
 * come near its limit of 50 KiB for a request.
 */
const ADDRESSES_MAX = 500;

/** Within the delegation, behind a rate that nothing uses. */
const CREDITS_OBSERVED_OFFSET = 64;
const DELEGATED = 2;
/** A node that hangs must not delay the snapshot. */
const PART_OF_THE_TIME = 1 / 3;

const rewardsSchema = z.array(z.object({ amount: u64Schema }).nullable());

interface Asked extends RewardsQuestion {
  /** First slot of the epoch after it, in which rewards are paid. */
  paidFromSlot: number;
}

/**
 * Asks every witness what a closed epoch's rewards paid.
 * @throws {RpcError} when no witness answers
 */
export async function readPanelRewards(question: Asked, panel: Panel): Promise<PanelRewards> {
  const { epoch, validators } = question;
  const answers = await askWitnesses(panel, (reader) =>
    readRewards(reader.within(PART_OF_THE_TIME), question),
  );
  assertAnswered(answers);
  return { epoch, validators, answers };
}

/** @throws {RpcError} also `behind` while rewards are still being paid */
export async function readRewards(
  reader: RpcReader,
  { epoch, validators, paidFromSlot }: Asked,
): Promise<Omit<RewardsAnswer, "state" | "endpoint">> {
  const totals = await readTotals(reader, { epoch, paidFromSlot });
  const votes = validators.map(([vote]) => vote);
  const keys = validators.flatMap(([, accounts]) => accounts);
  const listed = await readListed(reader, { votes, epoch });
  const amounts = await readAmounts(reader, { keys: [...votes, ...keys], epoch });
  const { accounts, slot } = await readAccounts(reader, { keys, bytes: STAKE_ACCOUNT_BYTES });
  assertPaid(reader, slot ?? totals.slot, { epoch, paidFromSlot });
  const voters = validators.flatMap(([vote, own]) => own.map(() => vote));
  const stakes = accounts.map((account, index): RewardsAnswer["stakes"][number] => {
    if (account === null) return null;
    const stake = decodeStake(account, { voter: voters[index] ?? "", epoch });
    return stake === null ? [] : [...stake, amounts[votes.length + index] ?? null];
  });
  return {
    ...totals,
    votes: listed.map((row, index) => row && [...row, amounts[index] ?? null]),
    stakes,
  };
}

function assertPaid(
  reader: RpcReader,
  slot: number,
  { epoch, paidFromSlot }: Pick<Asked, "epoch" | "paidFromSlot">,
): void {
  if (slot < paidFromSlot) refuseUnpaid(reader, slot, epoch);
}

function refuseUnpaid({ label }: RpcReader, slot: number, epoch: number): never {
  throw new RpcError({
    kind: "behind",
    message: `${label} getMultipleAccounts: at slot ${slot} the rewards of epoch ${epoch} are not paid yet`,
  });
}

async function readTotals(
  reader: RpcReader,
  { epoch, paidFromSlot }: Pick<Asked, "epoch" | "paidFromSlot">,
): Promise<Pick<RewardsAnswer, "slot" | "totalPoints" | "totalRewards" | "stakeHistory">> {
  const keys = [EPOCH_REWARDS_SYSVAR, STAKE_HISTORY_SYSVAR];
  const { accounts, slot } = await readAccounts(reader, { keys, bytes: SYSVAR_BYTES });
  const rewards = decodeEpochRewards(accounts[0] ?? null);
  const stakeHistory = decodeStakeHistory(accounts[1] ?? null);
  if (slot === null || rewards === null || stakeHistory === null)
    throw new RpcError({
      kind: "shape",
      message: `${reader.label} getMultipleAccounts: no sysvars of rewards and stake history`,
    });
  const { isActive, ...totals } = rewards;
  if (isActive) refuseUnpaid(reader, slot, epoch);
  assertPaid(reader, slot, { epoch, paidFromSlot });
  return { slot, ...totals, stakeHistory };
}

/** null: the vote account is not listed. */
async function readListed(
  reader: RpcReader,
  { votes, epoch }: { votes: readonly string[]; epoch: number },
): Promise<([credits: bigint, previousCredits: bigint, activeStake: bigint] | null)[]> {
  const { rows } = await readVoteAccounts(reader, { withUnstaked: true });
  const listed = new Map(rows.map((row) => [row.vote, row]));
  return votes.map((vote) => {
    const row = listed.get(vote);
    if (row === undefined) return null;
    const [, credits = 0n, previousCredits = 0n] =
      row.credits.findLast((one) => one?.[0] === epoch) ?? [];
    return [credits, previousCredits, row.activeStake];
  });
}

async function readAmounts(
  reader: RpcReader,
  { keys, epoch }: { keys: readonly string[]; epoch: number },
): Promise<(bigint | null)[]> {
  const amounts: (bigint | null)[] = [];
  for (let start = 0; start < keys.length; start += ADDRESSES_MAX) {
    const asked = keys.slice(start, start + ADDRESSES_MAX);
    const rewards = await reader.call({
      method: "getInflationReward",
      params: [asked, { epoch, commitment: COMMITMENT }],
      schema: rewardsSchema.length(asked.length),
    });
    amounts.push(...rewards.map((reward) => reward && reward.amount));
  }
  return amounts;
}

/** null: it does not delegate to the voter, or not in all of the epoch. */
function decodeStake(
  account: Account,
  { voter, epoch }: { voter: string; epoch: number },
): [stake: bigint, activationEpoch: number | null, creditsObserved: bigint] | null {
  if (account.owner !== STAKE_PROGRAM || account.data.length < STAKE_ACCOUNT_BYTES) return null;
  const { data } = account;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const at = (offset: number) => view.getBigUint64(DELEGATION_OFFSET + offset, true);
  if (view.getUint32(0, true) !== DELEGATED) return null;
  const key = data.subarray(DELEGATION_OFFSET, DELEGATION_OFFSET + PUBLIC_KEY_BYTES);
  if (encodePublicKey(key) !== voter) return null;
  const [activation, isGenesis] = [at(ACTIVATION_OFFSET), at(ACTIVATION_OFFSET) === U64_MAX];
  if (at(DEACTIVATION_OFFSET) <= BigInt(epoch)) return null;
  if (!isGenesis && activation >= BigInt(epoch)) return null;
  return [at(STAKE_OFFSET), isGenesis ? null : Number(activation), at(CREDITS_OBSERVED_OFFSET)];
}
