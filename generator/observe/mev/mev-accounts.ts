import type { Network } from "../../contract/networks.ts";
import type { SnapshotEntry, TipsAnswer } from "../../entries/entry.ts";
import {
  PRIORITY_FEE_PROGRAMS,
  readDistributionAccounts,
  TIP_PROGRAMS,
  type DistributionAccount,
  type DistributionProgram,
} from "./distribution-accounts.ts";
import type { RpcReader } from "../../rpc/rpc.ts";
import { RpcError } from "../../rpc/error.ts";

export type TipRow = Extract<SnapshotEntry["tips"], { state: "ok" }>["value"]["rows"][number];

/** What the tip accounts hold that were asked for, in their order. */
export type TipShares = Extract<TipsAnswer, { state: "ok" }>["shares"];

/** As the vendor tells it of those without a priority-fee account: the validator keeps all. */
const ALL_BASIS_POINTS = 10_000;

/** Whether MEV can be read from the chain of this network. */
export function hasTipProgram(network: Network): boolean {
  return TIP_PROGRAMS[network] !== null;
}

/**
 * What the vendor's latest list is made of: the newest tip account of each vote account, of this epoch or of the one before,
 * because a validator makes its account when it first leads in an epoch.
 * @throws {RpcError} also `body` when there is no account at all: that is a node without them, and nobody's MEV is off by it
 */
export async function readTipAccounts(
  reader: RpcReader,
  { network, votes, epoch }: { network: Network; votes: string[]; epoch: number },
): Promise<TipRow[]> {
  const program = TIP_PROGRAMS[network];
  if (program === null) return [];
  const tips = await readNewest(reader, { program, votes, epoch });
  if (tips.length === 0)
    throw new RpcError({
      kind: "body",
      message: `${reader.label}: no tip account of epoch ${epoch} or the one before`,
    });
  const shares = await readPriorityFees(reader, { network, votes: tips.map(({ vote }) => vote), epoch });
  return tips.map(({ vote, epoch: of, basisPoints }) => ({
    vote,
    epoch: of,
    mevBasisPoints: basisPoints,
    priorityFeeBasisPoints: shares === null ? null : (shares.get(vote) ?? ALL_BASIS_POINTS),
  }));
}

/**
 * Tip accounts of a closed epoch, at the lowest slot of the answers.
 * @param since first slot of the epoch after it: only from there on an account is missing for good
 * @throws {RpcError} also `behind` when the node had not seen the whole epoch
 */
export async function readClosedTipAccounts(
  reader: RpcReader,
  { network, votes, epoch, since }: { network: Network; votes: string[]; epoch: number; since: number },
): Promise<{ slot: number; shares: TipShares }> {
  const tips = votes.map((vote) => ({ vote, epoch }));
  const { slot, shares } = await readTipShares(reader, network, tips);
  if (slot !== null && slot < since) {
    const message = `${reader.label} getMultipleAccounts: slot ${slot} is not after epoch ${epoch}, which ends at slot ${since}`;
    throw new RpcError({ kind: "behind", message });
  }
  return { slot: slot ?? since, shares };
}

/**
 * What tip accounts hold, in the order wanted; nothing where the network has no program of such accounts.
 * @returns also the lowest slot of the answers; null when nothing was wanted
 * @throws {RpcError}
 */
export async function readTipShares(
  reader: RpcReader,
  network: Network,
  wanted: { vote: string; epoch: number }[],
): Promise<{ slot: number | null; shares: TipShares }> {
  const program = TIP_PROGRAMS[network];
  if (program === null) return { slot: null, shares: [] };
  const { found, slot } = await readDistributionAccounts(reader, { program, wanted });
  return { slot, shares: found.map(({ exists, basisPoints }) => (exists ? [basisPoints] : null)) };
}

/** The share of each priority-fee account there is, by vote account; null: none are known here, or they could not be read. */
async function readPriorityFees(
  reader: RpcReader,
  { network, votes, epoch }: { network: Network; votes: string[]; epoch: number },
): Promise<Map<string, number | null> | null> {
  const program = PRIORITY_FEE_PROGRAMS[network];
  if (program === null) return null;
  try {
    const accounts = await readNewest(reader, { program, votes, epoch });
    return new Map(accounts.map(({ vote, basisPoints }) => [vote, basisPoints]));
  } catch (error) {
    // It is a field of the profile: no reason to know nothing of the tips.
    if (error instanceof RpcError) return null;
    throw error;
  }
}

async function readNewest(
  reader: RpcReader,
  { program, votes, epoch }: { program: DistributionProgram; votes: string[]; epoch: number },
): Promise<DistributionAccount[]> {
  const newest = new Map<string, DistributionAccount>();
  for (const of of epoch === 0 ? [epoch] : [epoch, epoch - 1]) {
    const wanted = votes.filter((vote) => !newest.has(vote)).map((vote) => ({ vote, epoch: of }));
    const { found } = await readDistributionAccounts(reader, { program, wanted });
    for (const account of found) if (account.exists) newest.set(account.vote, account);
  }
  return [...newest.values()].sort((a, b) => (a.vote < b.vote ? -1 : 1));
}
