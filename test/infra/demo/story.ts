import { expect } from "vitest";
import type { Network } from "../../../generator/contract/networks.ts";
import { createCluster, type Cluster } from "../../../infra/demo/cluster/cluster.ts";
import type { ClusterOptions } from "../../../infra/demo/cluster/options.ts";
import { startSimulator, type Simulator } from "../../../infra/demo/cluster/simulator.ts";

export const STARTS_AT = Date.UTC(2026, 10, 1);
export const EPOCH_MILLISECONDS = 86_400_000;
export const FIRST_EPOCH = 1060;
export const MINUTE = 60_000;

/** Epoch milliseconds of a place in the story, in epochs since its start. */
export function timeAt(position: number): number {
  return STARTS_AT + position * EPOCH_MILLISECONDS;
}

/** The size at which every feature of the story must be there. */
export function makeCluster(changes: Partial<ClusterOptions> = {}): Cluster {
  return createCluster({
    network: "mainnet",
    seed: 11,
    validators: 40,
    stakeAccounts: 400,
    startsAt: STARTS_AT,
    firstEpoch: FIRST_EPOCH,
    epochMilliseconds: EPOCH_MILLISECONDS,
    slotsPerEpoch: 432_000,
    ...changes,
  });
}

/** A running simulator whose clock the test sets. */
export interface Stage {
  simulator: Simulator;
  clock: { now: number };
  close: () => Promise<void>;
}

export async function openStage(clusters: readonly Cluster[]): Promise<Stage> {
  const clock = { now: timeAt(0.25) };
  const simulator = await startSimulator({ clusters, now: () => clock.now });
  return { simulator, clock, close: () => simulator.close() };
}

/** The endpoint of a network by its place in the list of preference. */
export function rpcUrl({ simulator }: Stage, network: Network, place = 0): string {
  return simulator.rpcUrls(network)[place] ?? "";
}

export interface RpcReply<Result> {
  jsonrpc: string;
  id: unknown;
  result: Result;
  error?: { code: number; message: string; data?: unknown };
}

/** Calls a method; every whole number comes back as a bigint when it would not fit a double. */
export async function callRpc<Result>(url: string, method: string, params: unknown[] = []): Promise<RpcReply<Result>> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return parseExact(await (await fetch(url, { method: "POST", body })).text()) as RpcReply<Result>;
}

export function parseExact(text: string): unknown {
  const reviver = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? "")
      ? BigInt(context?.source ?? "")
      : value;
  return JSON.parse(text, reviver);
}

/** A row of getVoteAccounts. */
export interface VoteRow {
  votePubkey: string;
  nodePubkey: string;
  activatedStake: number | bigint;
  commission: number;
  inflationRewardsCommissionBps?: number;
  epochVoteAccount: boolean;
  epochCredits: (number | bigint)[][];
  lastVote: number;
  rootSlot: number;
}

export interface VoteAccounts {
  current: VoteRow[];
  delinquent: VoteRow[];
}

/** An answer of getAccountInfo. */
export interface AccountReply {
  context: { slot: number };
  value: { data: [string, string]; owner: string; lamports: number; space: number } | null;
}

/** The result of a call to an endpoint, mainnet's first unless said otherwise. An error fails the test. */
export async function ask<Result>(
  stage: Stage,
  method: string,
  params: unknown[] = [],
  network: Network = "mainnet",
  place = 0,
): Promise<Result> {
  const reply = await callRpc<Result>(rpcUrl(stage, network, place), method, params);
  expect(reply.error).toBeUndefined();
  return reply.result;
}

/** The error of a call that must fail. */
export async function fail(stage: Stage, method: string, params: unknown[] = [], place = 0) {
  const { error } = await callRpc(rpcUrl(stage, "mainnet", place), method, params);
  expect(error).toBeDefined();
  return error;
}
