import { LRUCache } from "lru-cache";
import type { Network } from "../../contract/networks.ts";
import type { PanelTips, SnapshotEntry } from "../../entries/entry.ts";
import type { RpcReader } from "../../rpc/reader.ts";
import { readAccounts, type Account } from "../accounts.ts";
import { PRIORITY_FEE_PROGRAMS, TIP_PROGRAMS, type DistributionProgram } from "./tip-programs.ts";
import { deriveProgramAddress } from "../../chain/program-address.ts";
import { decodePublicKey, encodePublicKey } from "../../chain/public-key.ts";

type PriorityFeeRow = Extract<
  SnapshotEntry["priorityFees"],
  { state: "ok" }
>["value"]["rows"][number];

type TipShares = Extract<PanelTips["answers"][number], { state: "ok" }>["shares"];

/** Without a priority-fee account the validator keeps all fees, as the vendor says it too. */
const ALL_BASIS_POINTS = 10_000;

/**
 * In the order wanted; empty on a network without the program.
 * @returns also the lowest slot of the answers; null without keys
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

/**
 * The newest of this epoch or the one before, in the order of
 * the vote accounts; empty on a network without the program.
 * @throws {RpcError}
 */
export async function readPriorityFees(
  reader: RpcReader,
  { network, votes, epoch }: { network: Network; votes: readonly string[]; epoch: number },
): Promise<PriorityFeeRow[]> {
  const program = PRIORITY_FEE_PROGRAMS[network];
  if (program === null) return [];
  const newest = new Map<string, number | null>();
  for (const of of epoch === 0 ? [epoch] : [epoch, epoch - 1]) {
    const wanted = votes.filter((vote) => !newest.has(vote)).map((vote) => ({ vote, epoch: of }));
    const { found } = await readDistributionAccounts(reader, { program, wanted });
    for (const { vote, exists, basisPoints } of found) if (exists) newest.set(vote, basisPoints);
  }
  return votes.map((vote): PriorityFeeRow => {
    const share = newest.get(vote);
    return [vote, share === undefined ? ALL_BASIS_POINTS : share];
  });
}

interface DistributionAccount {
  vote: string;
  epoch: number;
  exists: boolean;
  /** Fixed at creation; null: no account, or truncated. */
  basisPoints: number | null;
}

/** Covers every field read, in both layouts. */
const SLICE_BYTES = 147;
const VOTE_OFFSET = 8;
/** Tag of the optional merkle root, which shifts the fields behind it. */
export const ROOT_TAG_OFFSET = 72;
const SHARE_OFFSET_WITHOUT_ROOT = 81;
const SHARE_OFFSET_WITH_ROOT = 145;

/**
 * @returns in the order wanted; also the lowest slot of the answers; null without keys
 * @throws {RpcError}
 */
export async function readDistributionAccounts(
  reader: RpcReader,
  { program, wanted }: { program: DistributionProgram; wanted: { vote: string; epoch: number }[] },
): Promise<{ found: DistributionAccount[]; slot: number | null }> {
  const { accounts, slot } = await readOwnAccounts(reader, { program, wanted });
  const found = wanted.map(({ vote, epoch }, index) => {
    const account = accounts[index] ?? null;
    return {
      vote,
      epoch,
      exists: account !== null,
      basisPoints: account === null ? null : decodeShare(account.data),
    };
  });
  return { found, slot };
}

/**
 * In the order wanted; null: no such account of this program and validator.
 * @returns also the lowest slot of the answers; null without keys
 * @throws {RpcError}
 */
export async function readOwnAccounts(
  reader: RpcReader,
  { program, wanted }: { program: DistributionProgram; wanted: { vote: string; epoch: number }[] },
): Promise<{ accounts: (Account | null)[]; slot: number | null }> {
  const keys = wanted.map(({ vote, epoch }) => deriveDistributionAddress({ program, vote, epoch }));
  const { accounts, slot } = await readAccounts(reader, { keys, bytes: SLICE_BYTES });
  const own = wanted.map(({ vote }, index) => {
    const account = accounts[index] ?? null;
    return account !== null && isOf(account, { program, vote }) ? account : null;
  });
  return { accounts: own, slot };
}

/** Each takes 0.12 ms, and every witness is asked for the same ones. */
const addresses = new LRUCache<string, string>({ max: 10_000 });

/**
 * Address, in Base58, of a vote account's distribution account in an epoch. It caches
 * addresses.
 */
export function deriveDistributionAddress({
  program,
  vote,
  epoch,
}: {
  program: DistributionProgram;
  vote: string;
  epoch: number;
}): string {
  const name = `${program.address} ${vote} ${epoch}`;
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const epochBytes = Buffer.alloc(8);
  epochBytes.writeBigUInt64LE(BigInt(epoch));
  const seeds = [Buffer.from(program.seed), decodePublicKey(vote), epochBytes];
  const address = deriveProgramAddress(seeds, program.address);
  addresses.set(name, address);
  return address;
}

/** Anyone can send lamports to an address: check owner, type and validator. */
function isOf(
  { owner, data }: Account,
  { program, vote }: { program: DistributionProgram; vote: string },
): boolean {
  if (owner !== program.address || data.length < SHARE_OFFSET_WITHOUT_ROOT + 2) return false;
  if (!program.discriminator.equals(data.subarray(0, VOTE_OFFSET))) return false;
  return encodePublicKey(data.subarray(VOTE_OFFSET, VOTE_OFFSET + 32)) === vote;
}

function decodeShare(data: Uint8Array): number | null {
  const offset = data[ROOT_TAG_OFFSET] === 1 ? SHARE_OFFSET_WITH_ROOT : SHARE_OFFSET_WITHOUT_ROOT;
  if (data.length < offset + 2) return null;
  return new DataView(data.buffer, data.byteOffset).getUint16(offset, true);
}
