import { z } from "zod";
import type { PanelIssuance } from "../entries/entry.ts";
import { u64Schema } from "../rpc/answer.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import { RpcError } from "../rpc/error.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { countSchema } from "../contract/values.ts";
import { readAccounts, type Account } from "./accounts.ts";
import { askWitnesses, assertAnswered, type Panel } from "./witnesses.ts";

type Issuance = Omit<
  Extract<PanelIssuance["answers"][number], { state: "ok" }>,
  "state" | "endpoint"
>;

/** Features that shorten slots (SIMD-0525): the runtime counts years by their slot time. */
export const SLOT_TIME_FEATURES: readonly (readonly [feature: string, slotMilliseconds: number])[] =
  [
    ["iBRL5RuWhw4yqaAZu96RUULHckHTZAoe2b77qaV38JZ", 350],
    ["iBRLL3k18HST852F1Mf3Lv83waTNQmmqvKDxvYGwQFL", 300],
    ["iBRLMc81UjRa8fn8A6eE8bJTnRbgQoPTynM51akENCV", 250],
    ["iBRLjhJnkmDZgNoZRDMW11d8ZV7HvsL3vAyRjZB5npW", 200],
  ];

/** Program that owns the accounts of features. */
export const FEATURE_PROGRAM = "Feature111111111111111111111111111111111111";
/** An optional slot: the tag, then a u64. */
const FEATURE_BYTES = 9;
/** A node that hangs must not delay the snapshot. */
const PART_OF_THE_TIME = 1 / 3;

/** Without the long list of accounts that do not circulate. */
export const SUPPLY_PARAMS = [{ commitment: COMMITMENT, excludeNonCirculatingAccountsList: true }];

/** Answer of `getInflationRate`; `validator` is a share of the supply in a year, 0.05 for 5 %. */
export const inflationRateSchema = z.object({
  validator: z.number().min(0).max(1),
  epoch: countSchema,
});

/** Answer of `getSupply`; `total` in lamports. */
export const supplySchema = z.object({
  context: z.object({ slot: countSchema }),
  value: z.object({ total: u64Schema }),
});

interface Epoch {
  epoch: number;
  epochFirstSlot: number;
}

/** @throws {RpcError} when no witness answers */
export async function readPanelIssuance(options: Epoch & Panel): Promise<PanelIssuance> {
  const answers = await askWitnesses(options, (reader) =>
    readIssuance(reader.within(PART_OF_THE_TIME), options),
  );
  assertAnswered(answers);
  return { epoch: options.epoch, answers };
}

/** @throws {RpcError} also `behind` for the numbers of another epoch */
export async function readIssuance(reader: RpcReader, of: Epoch): Promise<Issuance> {
  const [rate, supply, { accounts }] = await Promise.all([
    reader.call({ method: "getInflationRate", schema: inflationRateSchema }),
    reader.call({ method: "getSupply", params: SUPPLY_PARAMS, schema: supplySchema }),
    readAccounts(reader, {
      keys: SLOT_TIME_FEATURES.map(([feature]) => feature),
      bytes: FEATURE_BYTES,
    }),
  ]);
  const { slot } = supply.context;
  if (rate.epoch !== of.epoch)
    refuse(reader, `getInflationRate: the rate is of epoch ${rate.epoch}, not ${of.epoch}`);
  if (slot < of.epochFirstSlot)
    refuse(
      reader,
      `getSupply: the answer is of slot ${slot}, before epoch ${of.epoch} began at ${of.epochFirstSlot}`,
    );
  const slotTimes = SLOT_TIME_FEATURES.flatMap(
    ([, slotMilliseconds], index): Issuance["slotTimes"] => {
      const activatedAt = decodeActivation(accounts[index] ?? null);
      return activatedAt === null ? [] : [[slotMilliseconds, activatedAt]];
    },
  );
  return { validatorRate: rate.validator, slot, supply: supply.value.total, slotTimes };
}

function refuse({ label }: RpcReader, what: string): never {
  throw new RpcError({ kind: "behind", message: `${label} ${what}` });
}

function decodeActivation(account: Account | null): number | null {
  if (
    account?.owner !== FEATURE_PROGRAM ||
    account.data.length < FEATURE_BYTES ||
    account.data[0] !== 1
  )
    return null;
  const { buffer, byteOffset } = account.data;
  const slot = Number(new DataView(buffer, byteOffset).getBigUint64(1, true));
  return Number.isSafeInteger(slot) ? slot : null;
}
