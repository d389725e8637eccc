import type { Network } from "../../contract/networks.ts";
import type { PanelTipAmounts } from "../../entries/entry.ts";
import { u64Schema } from "../../rpc/answer.ts";
import { COMMITMENT } from "../../rpc/epoch.ts";
import { RpcError } from "../../rpc/error.ts";
import type { RpcReader } from "../../rpc/reader.ts";
import type { Account } from "../accounts.ts";
import { askWitnesses, assertAnswered, type Panel } from "../witnesses.ts";
import { assertNotBehind } from "../session.ts";
import { readOwnAccounts, ROOT_TAG_OFFSET } from "./distribution-accounts.ts";
import { TIP_PROGRAMS } from "./tip-programs.ts";

/* How much a tip account received in its epoch. */

type TipAmounts = Extract<PanelTipAmounts["answers"][number], { state: "ok" }>["amounts"];

/** Behind the tag and the root's 32 bytes: all tips of the epoch, claimed or not. */
const MAX_TOTAL_CLAIM_OFFSET = ROOT_TAG_OFFSET + 33;
const U64_BYTES = 8;
/**
 * `ACCOUNT_STORAGE_OVERHEAD`: what the runtime adds
 * to an account's size before it calculates its rent.
 */
const STORAGE_OVERHEAD_BYTES = 128n;

/** @throws {RpcError} when no witness answers */
export async function readPanelTipAmounts(
  options: { network: Network; tips: PanelTipAmounts["tips"] } & Panel,
): Promise<PanelTipAmounts> {
  const { network, tips } = options;
  const answers = await askWitnesses(options, async (reader, endpoint) => {
    const { slot, amounts } = await readTipAmounts(reader, network, tips);
    if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
    return { slot: slot ?? endpoint.epoch.absoluteSlot, amounts };
  });
  assertAnswered(answers);
  return { tips, answers };
}

/**
 * In the order wanted; empty on a network without the program.
 * @returns also the lowest slot of the answers; null without keys
 * @throws {RpcError}
 */
export async function readTipAmounts(
  reader: RpcReader,
  network: Network,
  wanted: { vote: string; epoch: number }[],
): Promise<{ slot: number | null; amounts: TipAmounts }> {
  const program = TIP_PROGRAMS[network];
  if (program === null) return { slot: null, amounts: [] };
  const { accounts, slot } = await readOwnAccounts(reader, { program, wanted });
  const isOpen = accounts.some((account) => account !== null && !hasRoot(account));
  const rentPerByte = isOpen ? await readRentPerByte(reader) : null;
  return { slot, amounts: accounts.map((account) => account && toAmount(account, rentPerByte)) };
}

/**
 * Lamports. Asked for, as SIMD-0437 lowers it in steps; null:
 * the node does not say, and settled amounts do not need it.
 */
async function readRentPerByte(reader: RpcReader): Promise<bigint | null> {
  try {
    return (await readRentMinimum(reader)) / STORAGE_OVERHEAD_BYTES;
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

/** Of an account without data, lamports. @throws {RpcError} */
export function readRentMinimum(reader: RpcReader): Promise<bigint> {
  const params = [0, { commitment: COMMITMENT }];
  return reader.call({ method: "getMinimumBalanceForRentExemption", params, schema: u64Schema });
}

function hasRoot({ data }: Account): boolean {
  return data[ROOT_TAG_OFFSET] === 1;
}

/** While there is no root, all that lies above the rent was tipped. */
function toAmount(account: Account, rentPerByte: bigint | null): TipAmounts[number] {
  const { data, lamports, space } = account;
  if (hasRoot(account)) {
    if (data.length < MAX_TOTAL_CLAIM_OFFSET + U64_BYTES) return [null, true];
    return [
      new DataView(data.buffer, data.byteOffset).getBigUint64(MAX_TOTAL_CLAIM_OFFSET, true),
      true,
    ];
  }
  if (lamports === undefined || space === undefined || rentPerByte === null) return [null, false];
  const rent = (STORAGE_OVERHEAD_BYTES + space) * rentPerByte;
  return [lamports > rent ? lamports - rent : 0n, false];
}
