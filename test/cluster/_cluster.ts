import { encodePublicKey } from "../../generator/chain/public-key.ts";
import { createCluster, type Cluster, type ClusterState } from "./cluster.ts";
import { viewOf } from "./rpc/endpoints.ts";
import { answerRpc } from "./rpc/rpc.ts";
import type { ClusterOptions, EndpointName } from "./options.ts";

export const STARTS_AT = Date.UTC(2026, 10, 1);
/** A day, for slots of mainnet's number. */
export const EPOCH_MILLISECONDS = 86_400_000;
export const MINUTE = 60_000;
export const U64_MAX = 2n ** 64n - 1n;

/** Epoch milliseconds of a place in the story, in epochs since its start. */
export function timeAt(position: number): number {
  return STARTS_AT + position * EPOCH_MILLISECONDS;
}

/** The size at which every feature of the story must be there. */
export function makeCluster(changes: Partial<ClusterOptions> = {}): Cluster {
  return createCluster({
    stakeAccounts: 400,
    startsAt: STARTS_AT,
    epochMilliseconds: EPOCH_MILLISECONDS,
    ...changes,
  });
}

/** Validators of clusters in which the story must work. */
export const SIZES = [12, 40, 200];
export const ofSize = (validators: number) =>
  makeCluster({ validators, stakeAccounts: 6 * validators });

/** A look every ten minutes, as snapshots take it. */
export const statesOf = (of: Cluster, epochs: number) =>
  Array.from({ length: epochs * 144 }, (_, look) => of.at(STARTS_AT + look * 10 * MINUTE));

export const findVote = ({ validators }: ClusterState, vote: string) =>
  validators.find(({ votePubkey }) => votePubkey === vote);

export interface Asked {
  at?: number;
  endpoint?: EndpointName;
}

interface Reply<Result> {
  result: Result;
  error?: { code: number; message: string; data?: unknown };
}

/** Calls a method of an endpoint without a server. */
export function call<Result>(
  of: Cluster,
  method: string,
  params: unknown[] = [],
  asked: Asked = {},
): Reply<Result> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return parseExact(send(of, body, asked)) as Reply<Result>;
}

type Rest = [params?: unknown[], asked?: Asked];

/** @throws {Error} where the endpoint refuses */
export function ask<Result>(of: Cluster, method: string, ...rest: Rest): Reply<Result>["result"] {
  const { result, error } = call<Result>(of, method, ...rest);
  if (error !== undefined) throw new Error(`${method}: ${error.code} ${error.message}`);
  return result;
}

/** What an endpoint answers to a body, as text. */
export function send(
  cluster: Cluster,
  body: string,
  { at = timeAt(1.25), endpoint = "first" }: Asked = {},
): string {
  return Buffer.concat(answerRpc(viewOf(cluster, endpoint, at), body)).toString();
}

/** Every whole number comes back as a bigint where it does not fit a double. */
export function parseExact(text: string): unknown {
  const reviver = (_: string, value: unknown, { source = "" }: { source?: string } = {}) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^\d+$/.test(source)
      ? BigInt(source)
      : value;
  return JSON.parse(text, reviver);
}

/** A row of getVoteAccounts. */
export interface VoteRow {
  votePubkey: string;
  activatedStake: number | bigint;
  commission: number;
  inflationRewardsCommissionBps?: number;
  epochCredits: (number | bigint)[][];
  lastVote: number;
}

export type VoteAccounts = Record<"current" | "delinquent", VoteRow[]>;

/** What tests compare of a vote account in any layout; null: the layout has no such field. */
export function decodeVoteAccount(data: Buffer) {
  const version = data.readUInt32LE(0);
  const isV4 = version === 3;
  return {
    version,
    identity: encodePublicKey(data.subarray(4, 36)),
    withdrawAuthority: encodePublicKey(data.subarray(36, 68)),
    inflationCollector: isV4 ? encodePublicKey(data.subarray(68, 100)) : null,
    basisPoints: isV4 ? data.readUInt16LE(132) : data.readUInt8(68) * 100,
    blockRevenueCommission: isV4 ? data.readUInt16LE(134) : null,
  };
}
