import type { Dispatcher } from "undici";
import { z } from "zod";
import { parseEndpointUrl } from "../rpc/endpoint-address.ts";
import { readHealth } from "../rpc/ranking.ts";
import { readEpochInfo, type EpochInfo } from "../rpc/epoch.ts";
import {
  METHOD_PROBES,
  NOBODY,
  PROBED_METHODS,
  type ProbedMethod,
  type ProbeSubject,
  probeHistory,
  type TransactionHistory,
} from "./method-probes.ts";
import { publicKeySchema } from "../chain/public-key.ts";
import { toRawText } from "./section.ts";
import type { RpcEndpoint } from "../rpc/rpc.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { RpcError, type RpcErrorKind } from "../rpc/error.ts";
import { contactServer, type ServerContact } from "../rpc/clock.ts";
import { readVoteAccounts, type VoteAccounts } from "./vote-accounts.ts";

export type Outcome<T> = { value: T; milliseconds: number } | Failure;

export interface Failure {
  failed: string;
  kind: RpcErrorKind;
  milliseconds: number;
}

export type EndpointExamination =
  | { label: string; contact: { failed: string }; answers: null }
  | { label: string; contact: ServerContact; answers: EndpointAnswers };

export interface EndpointAnswers {
  genesis: Outcome<string>;
  health: Outcome<"ok" | "not offered">;
  version: Outcome<string>;
  epoch: Outcome<EpochInfo>;
  votes: Outcome<VoteListFacts>;
  blockTime: Outcome<BlockTime>;
  history: Outcome<TransactionHistory>;
  methods: Record<ProbedMethod, Outcome<unknown>>;
}

export interface VoteListFacts {
  validators: number;
  /** Agave has them from 4.1 on. */
  inBasisPoints: boolean;
}

export interface BlockTime {
  /** By the chain's clock; milliseconds since 1970. */
  blockAt: number;
  /** By our clock. */
  readAt: number;
}

export interface ExaminationOptions {
  address: string;
  endpoint: RpcEndpoint;
  dispatcher: Dispatcher;
  now: () => number;
  /** The clock that `endpoint` was made with. */
  timer: () => number;
  signal?: AbortSignal | undefined;
}

/** 29 s at most. */
const CONTACT_MILLISECONDS = 7_000;
const ESSENTIALS_MILLISECONDS = 10_000;
const METHODS_MILLISECONDS = 12_000;

const HEALTH_REQUEST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getHealth" });

/** Throws only the signal's reason. */
export async function examineEndpoint(options: ExaminationOptions): Promise<EndpointExamination> {
  const { address, endpoint } = options;
  const contact = await contactServer({
    ...options,
    url: parseEndpointUrl(address, endpoint.label),
    body: HEALTH_REQUEST,
    timeoutMilliseconds: CONTACT_MILLISECONDS,
  });
  if ("failed" in contact) return { label: endpoint.label, contact, answers: null };
  return { label: endpoint.label, contact, answers: await askEverything(options) };
}

async function askEverything({ endpoint, now, timer }: ExaminationOptions): Promise<EndpointAnswers> {
  const first = endpoint.until(timer() + ESSENTIALS_MILLISECONDS);
  const [genesis, health, version, epoch, votes] = await Promise.all([
    ask(timer, () => first.call({ method: "getGenesisHash", schema: publicKeySchema })),
    ask(timer, () => readHealth(first)),
    ask(timer, () => readVersion(first)),
    ask(timer, () => readEpochInfo(first)),
    ask(timer, () => readVoteAccounts(first)),
  ]);
  const then = endpoint.until(timer() + METHODS_MILLISECONDS);
  const subject = "value" in votes ? chooseSubject(votes.value) : NOBODY;
  const [blockTime, history, ...methods] = await Promise.all([
    ask(timer, () => readBlockTime(then, { epoch, now })),
    ask(timer, () => probeHistory(then)),
    ...PROBED_METHODS.map(async (name) => [name, await ask(timer, () => METHOD_PROBES[name](then, subject))] as const),
  ]);
  return {
    genesis,
    health,
    version,
    epoch,
    votes: "value" in votes ? { ...votes, value: toFacts(votes.value) } : votes,
    blockTime,
    history,
    methods: Object.fromEntries(methods) as EndpointAnswers["methods"],
  };
}

async function ask<T>(timer: () => number, question: () => Promise<T>): Promise<Outcome<T>> {
  const askedAt = timer();
  try {
    const value = await question();
    return { value, milliseconds: timer() - askedAt };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { failed: error.message, kind: error.kind, milliseconds: timer() - askedAt };
  }
}

async function readVersion(reader: RpcReader): Promise<string> {
  const schema = z.object({ "solana-core": z.string().transform(toRawText) });
  return (await reader.call({ method: "getVersion", schema }))["solana-core"];
}

async function readBlockTime(
  reader: RpcReader,
  { epoch, now }: { epoch: Outcome<EpochInfo>; now: () => number },
): Promise<BlockTime> {
  if ("failed" in epoch)
    throw new RpcError({ kind: "shape", message: `${reader.label}: its slot could not be read, and so not its time` });
  const params = [epoch.value.absoluteSlot];
  const seconds = await reader.call({ method: "getBlockTime", params, schema: z.int().min(0) });
  return { blockAt: seconds * 1000, readAt: now() };
}

/** Few stake accounts make a cheap question. */
function chooseSubject({ rows }: VoteAccounts): ProbeSubject {
  const staked = rows.filter(({ activeStake }) => activeStake > 0n);
  const [first, ...others] = staked;
  if (first === undefined) return NOBODY;
  return others.reduce((least, row) => (row.activeStake < least.activeStake ? row : least), first);
}

function toFacts({ rows }: VoteAccounts): VoteListFacts {
  return { validators: rows.length, inBasisPoints: rows.some(({ basisPoints }) => basisPoints !== null) };
}
