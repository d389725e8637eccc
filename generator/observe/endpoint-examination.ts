import { z } from "zod";
import { toPlainLine } from "../contract/strangers-text.ts";
import { publicKeySchema } from "../chain/public-key.ts";
import { readEpochInfo, type EpochInfo } from "../rpc/epoch.ts";
import { RpcError, withoutLabel, type RpcErrorKind } from "../rpc/error.ts";
import { readHealth } from "../rpc/ranking.ts";
import type { DatedAnswer, RpcReader } from "../rpc/reader.ts";
import type { RpcEndpoint } from "../rpc/rpc.ts";
import { METHOD_PROBES, NOBODY, PROBED_METHODS, type ProbedMethod } from "./method-probes.ts";
import { toRawText } from "./section.ts";
import { readVoteAccounts, type VoteAccounts } from "./vote-accounts.ts";

/** `failed` is a plain line without the endpoint's label. */
export type Outcome<T> = { value: T; failed?: undefined } | Failure;
type Failure = { value?: undefined; failed: string; kind: RpcErrorKind };

/** What an endpoint answered to everything that observations ask, fit for use or not. */
export interface EndpointExamination {
  label: string;
  genesis: Outcome<string>;
  health: Outcome<unknown>;
  version: Outcome<string>;
  epoch: Outcome<EpochInfo>;
  votes: Outcome<VoteListFacts>;
  /** Of those five, asked at once. */
  milliseconds: number;
  /** Our clock minus the Date header, to half a second; null: no header. */
  clockAheadMilliseconds: number | null;
  /** Our clock minus the time of the newest finalized block. */
  blockAgeMilliseconds: Outcome<number>;
  methods: Record<ProbedMethod, Outcome<unknown>>;
}

interface VoteListFacts {
  validators: number;
  /** Whether commissions come in basis points (Agave 4.1 and later) or only in percent. */
  inBasisPoints: boolean;
}

interface ExaminationOptions {
  endpoint: RpcEndpoint;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The clock that `endpoint` was made with. */
  timer: () => number;
  /** For what every observation needs. */
  answerMilliseconds: number;
}

/** For the rest, of an endpoint that answers: a scan takes longer. */
const METHODS_MILLISECONDS = 12_000;
/** Longest text of a failure. */
const TEXT_MAX = 400;
/** The Date header counts whole seconds. */
const DATE_MEAN_MILLISECONDS = 500;

/** An endpoint's failures are part of the result; throws only the signal's reason. */
export async function examineEndpoint(options: ExaminationOptions): Promise<EndpointExamination> {
  const { endpoint, now, timer, answerMilliseconds } = options;
  const { label } = endpoint;
  const startedAt = timer();
  const first = endpoint.until(startedAt + answerMilliseconds);
  let clockAheadMilliseconds: number | null = null;
  const noteDate = ({ serverTime, sentAt, receivedAt }: DatedAnswer) => {
    clockAheadMilliseconds =
      now() - (receivedAt - sentAt) / 2 - serverTime - DATE_MEAN_MILLISECONDS;
  };
  const [genesis, health, version, epoch, votes] = await Promise.all([
    ask(label, () => first.call({ method: "getGenesisHash", schema: publicKeySchema })),
    ask(label, () => readHealth(first)),
    ask(label, () => readVersion(first)),
    ask(label, () => readEpochInfo(first, noteDate)),
    ask(label, () => readVoteAccounts(first)),
  ]);
  const milliseconds = timer() - startedAt;
  const then = endpoint.until(timer() + METHODS_MILLISECONDS);
  const subject = votes.value === undefined ? NOBODY : chooseSubject(votes.value);
  // Where the slot cannot be read the rest would only cost time.
  const askThen = <T>(question: (epoch: EpochInfo) => Promise<T>): Promise<Outcome<T>> =>
    epoch.value === undefined ? Promise.resolve(epoch) : ask(label, () => question(epoch.value));
  const probe = (name: ProbedMethod) =>
    askThen((current) => METHOD_PROBES[name](then, { ...subject, epoch: current }));
  const [blockAgeMilliseconds, ...methods] = await Promise.all([
    askThen(({ absoluteSlot }) =>
      readBlockTime(then, absoluteSlot).then((blockAt) => now() - blockAt),
    ),
    ...PROBED_METHODS.map(async (name) => [name, await probe(name)] as const),
  ]);
  return {
    ...{
      label,
      genesis,
      health,
      version,
      epoch,
      milliseconds,
      clockAheadMilliseconds,
      blockAgeMilliseconds,
    },
    votes: votes.value === undefined ? votes : { value: toFacts(votes.value) },
    methods: Object.fromEntries(methods) as EndpointExamination["methods"],
  };
}

async function ask<T>(label: string, question: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await question() };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { message, kind } = error;
    return { failed: toPlainLine(withoutLabel(message, label), TEXT_MAX), kind };
  }
}

async function readVersion(reader: RpcReader): Promise<string> {
  const schema = z.object({ "solana-core": z.string().transform(toRawText) });
  return (await reader.call({ method: "getVersion", schema }))["solana-core"];
}

/** Milliseconds since 1970, by the chain's clock. */
async function readBlockTime(reader: RpcReader, slot: number): Promise<number> {
  return (
    (await reader.call({ method: "getBlockTime", params: [slot], schema: z.int().min(0) })) * 1000
  );
}

/** The staked vote account with the least stake: few stake accounts make a cheap question. */
function chooseSubject({ rows }: VoteAccounts): typeof NOBODY {
  const staked = rows.filter(({ activeStake }) => activeStake > 0n);
  const [first, ...others] = staked;
  if (first === undefined) return NOBODY;
  return others.reduce((least, row) => (row.activeStake < least.activeStake ? row : least), first);
}

function toFacts({ rows }: VoteAccounts): VoteListFacts {
  return {
    validators: rows.length,
    inBasisPoints: rows.some(({ basisPoints }) => basisPoints !== null),
  };
}
