import { z } from "zod";
import type { Cluster } from "../cluster.ts";
import { inContext } from "./accounts.ts";
import type { ClusterView } from "./endpoints.ts";
import { RpcFailure } from "./failure.ts";
import { addressSchema, assertContextSlot, contextConfigSchema, parseParams } from "./params.ts";

const supplyParams = z.tuple([
  contextConfigSchema
    .extend({ excludeNonCirculatingAccountsList: z.boolean().optional() })
    .optional(),
]);

const rewardParams = z.tuple([
  z.array(addressSchema),
  contextConfigSchema.extend({ epoch: z.int().min(0).optional() }).optional(),
]);

/** Mainnet in late 2026. */
const RATE_AT_START = 0.0385;
const TAPER_PER_YEAR = 0.15;
const RATE_LEAST = 0.015;
const YEAR_MILLISECONDS = 365.242199 * 24 * 3_600_000;
const SUPPLY_OF_STAKE = { times: 3n, by: 2n };
const NON_CIRCULATING_DIVISOR = 8n;

export function getInflationRate({ cluster, state }: ClusterView): object {
  const validator = rateAt(cluster, state.moment.ordinal);
  return { epoch: state.moment.epoch, foundation: 0, total: validator, validator };
}

export function getSupply(view: ClusterView, params: unknown): object {
  const [config] = parseParams(supplyParams, params);
  assertContextSlot(view, config);
  const { cluster, state } = view;
  const stake = cluster.members.reduce((sum, { restingStake }) => sum + restingStake, 0n);
  const first = (stake * SUPPLY_OF_STAKE.times) / SUPPLY_OF_STAKE.by;
  const issued = RATE_AT_START * yearsAt(cluster, state.moment.ordinal) * Number(first);
  const total = first + BigInt(Math.round(issued));
  const nonCirculating = total / NON_CIRCULATING_DIVISOR;
  const value = {
    circulating: total - nonCirculating,
    nonCirculating,
    nonCirculatingAccounts: [],
    total,
  };
  return inContext(view.slot, value);
}

/** Of accounts in an epoch, by default the one before. */
export function getInflationReward({ cluster, state }: ClusterView, given: unknown): object {
  const [addresses, config] = parseParams(rewardParams, given);
  const { rewards, options } = cluster;
  const { epoch: running } = state.moment;
  const epoch = config?.epoch ?? running - 1;
  if (epoch >= running)
    throw new RpcFailure("blockNotAvailable", `Block not available for slot ${state.moment.slot}`);
  if (epoch === running - 1 && !rewards.arePaid(state.moment))
    throw new RpcFailure("rewardsPeriodActive", "Epoch rewards period still active at this slot");
  return addresses.map((address) => {
    const amount = rewards.amountOf(address, epoch - options.firstEpoch);
    if (amount === null) return null;
    const effectiveSlot = cluster.calendar.firstSlotOf(epoch + 1) + 1;
    return { amount, commission: null, effectiveSlot, epoch, postBalance: amount };
  });
}

function rateAt(cluster: Cluster, ordinal: number): number {
  return Math.max(RATE_LEAST, RATE_AT_START * (1 - TAPER_PER_YEAR) ** yearsAt(cluster, ordinal));
}

function yearsAt({ options }: Cluster, ordinal: number): number {
  return (ordinal * options.epochMilliseconds) / YEAR_MILLISECONDS;
}
