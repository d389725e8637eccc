import { z } from "zod";
import type { SnapshotEntry } from "../entries/entry.ts";
import { u64Schema } from "../rpc/answer.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import { RpcError } from "../rpc/error.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { countSchema } from "../contract/values.ts";
import { readAccounts, type Account } from "./accounts.ts";

/** What the staking rewards of an epoch are worked out of. */
type Issuance = Extract<NonNullable<SnapshotEntry["issuance"]>, { state: "ok" }>["value"];

/**
 * The features that shorten slots, with the slot time in milliseconds that each brings (SIMD-0525). The runtime counts years
 * by them, whatever slots really take.
 */
export const SLOT_TIME_FEATURES: readonly (readonly [feature: string, slotMilliseconds: number])[] = [
  ["iBRL5RuWhw4yqaAZu96RUULHckHTZAoe2b77qaV38JZ", 350],
  ["iBRLL3k18HST852F1Mf3Lv83waTNQmmqvKDxvYGwQFL", 300],
  ["iBRLMc81UjRa8fn8A6eE8bJTnRbgQoPTynM51akENCV", 250],
  ["iBRLjhJnkmDZgNoZRDMW11d8ZV7HvsL3vAyRjZB5npW", 200],
];

export const FEATURE_PROGRAM = "Feature111111111111111111111111111111111111";
/** An optional slot: a byte that tells whether there is one, and the slot. */
const FEATURE_BYTES = 9;

/** Asked by the probe too. The list of accounts that do not circulate is long, and of no use here. */
export const SUPPLY_PARAMS = [{ commitment: COMMITMENT, excludeNonCirculatingAccountsList: true }];
export const inflationRateSchema = z.object({ validator: z.number().min(0).max(1), epoch: countSchema });
export const supplySchema = z.object({
  context: z.object({ slot: countSchema }),
  value: z.object({ total: u64Schema }),
});

/**
 * The yearly rate of inflation that goes to stakers, the supply, and how long the runtime takes slots to be.
 * @param of the epoch that it is wanted of, with its first slot: what is told of another one would pass for its own
 * @throws {RpcError} also `behind` when it is of another
 */
export async function readIssuance(
  reader: RpcReader,
  of: { epoch: number; epochFirstSlot: number },
): Promise<Issuance> {
  const [rate, supply, { accounts }] = await Promise.all([
    reader.call({ method: "getInflationRate", schema: inflationRateSchema }),
    reader.call({ method: "getSupply", params: SUPPLY_PARAMS, schema: supplySchema }),
    readAccounts(reader, { keys: SLOT_TIME_FEATURES.map(([feature]) => feature), bytes: FEATURE_BYTES }),
  ]);
  const { slot } = supply.context;
  if (rate.epoch !== of.epoch) refuse(reader, `getInflationRate: of epoch ${rate.epoch}, not of ${of.epoch}`);
  if (slot < of.epochFirstSlot) refuse(reader, `getSupply: of slot ${slot}, before epoch ${of.epoch} began`);
  const slotTimes = SLOT_TIME_FEATURES.flatMap(([, slotMilliseconds], index): Issuance["slotTimes"] => {
    const activatedAt = decodeActivation(accounts[index] ?? null);
    return activatedAt === null ? [] : [[slotMilliseconds, activatedAt]];
  });
  return { epoch: rate.epoch, validatorRate: rate.validator, slot, supply: supply.value.total, slotTimes };
}

function refuse({ label }: RpcReader, what: string): never {
  throw new RpcError({ kind: "behind", message: `${label} ${what}` });
}

/** The slot at which a feature became active; null: it is not. */
function decodeActivation(account: Account | null): number | null {
  if (account?.owner !== FEATURE_PROGRAM || account.data.length < FEATURE_BYTES || account.data[0] !== 1) return null;
  const { buffer, byteOffset } = account.data;
  const slot = Number(new DataView(buffer, byteOffset).getBigUint64(1, true));
  return Number.isSafeInteger(slot) ? slot : null;
}
