import { setTimeout as wait } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { Network } from "../contract/networks.ts";
import type { CheckEntry, SnapshotEntry, TransactionsEntry } from "../entries/entry.ts";
import { takeCheck, takeSnapshot, type CheckRequest, type SnapshotRequest } from "./snapshot.ts";
import { startDating } from "../rpc/clock.ts";
import { parseEndpointUrl } from "../rpc/endpoint-address.ts";
import { chooseEndpoints, type Ranking, type Witness } from "../rpc/ranking.ts";
import { createDispatcher } from "../rpc/http.ts";
import type { Locations } from "./locations.ts";
import type { MevOptions } from "./mev/vendor-api.ts";
import type { Session } from "./session.ts";
import { createGraces, type Later } from "../rpc/grace.ts";
import type { Sleep } from "../rpc/throttle.ts";
import { createRpc, type CallMade, type Rpc } from "../rpc/rpc.ts";
import { RpcError } from "../rpc/error.ts";
import { takeTransactions, type TransactionsRequest } from "./transactions/transactions.ts";

/** What an observer reads from. */
export interface ObserverOptions {
  network: Network;
  endpoints: string[];
  /** Without `/api/v1`. */
  mevUrl: string | null;
  locations: Locations | null;
  /** Endpoints with another genesis hash are not read. */
  genesis: string;
  /** Milliseconds since 1970, for dating entries. */
  now: () => number;
  /** For deadlines and budgets; by default a clock that nobody can set. */
  timer?: () => number;
  sleep?: Sleep;
  /** Times the graces of late witnesses; by default in real time. */
  later?: Later;
  random?: () => number;
  rpc?: Rpc;
  dispatcher?: Dispatcher;
  signal?: AbortSignal;
  onCall?: (call: CallMade) => void;
  onWitnesses?: (witnesses: readonly Witness[]) => void;
}

/**
 * `isUnread`: someone must fix the cause; false for passing troubles (a node behind, a new epoch).
 */
export type Observed<E> =
  { passed: true; entry: E } | { passed: false; reason: string; isUnread: boolean };

/** Parses and normalises, and never compares with the past. */
export interface Observer {
  check(request?: CheckRequest & RankingRequest): Promise<Observed<CheckEntry>>;
  snapshot(request: SnapshotRequest & RankingRequest): Promise<Observed<SnapshotEntry>>;
  /** @param request.milliseconds what is not read by then has failed */
  transactions(
    request: TransactionsRequest & RankingRequest & { milliseconds: number },
  ): Promise<Observed<TransactionsEntry>>;
  close(): Promise<void>;
}

interface RankingRequest {
  ranking?: Ranking;
}

/** For a whole observation, with retries. */
const CHECK_MILLISECONDS = 40_000;
const SNAPSHOT_MILLISECONDS = 90_000;
/** One hanging witness must not keep the others from answering, even where there is no majority. */
const WITNESS_MILLISECONDS = 12_000;
/**
 * How long the others are waited for after a majority: as long as what remains of the 75 s until a
 * change is published allows. 60 s pass until the next check. A witness that hangs at two of its
 * questions (the list, then accounts) delays that by 2 × 5 s, and 5 s remain to read and publish.
 * With less, where one of three lies, a slow honest one would be missing in each majority. What is
 * read beside other sources has more: a witness may ask for pauses between many calls.
 */
const GRACE_MILLISECONDS = 5_000;
const SIDE_GRACE_MILLISECONDS = 10_000;

/** @throws {Error} when an address is no http(s) URL; the message does not repeat it */
export function createObserver(options: ObserverOptions): Observer {
  const { network, genesis, now, signal, locations, onCall, onWitnesses } = options;
  const { random = Math.random } = options;
  const timer = options.timer ?? (() => performance.now());
  const sleep = options.sleep ?? ((milliseconds) => wait(milliseconds, undefined, { signal }));
  const dispatcher = options.dispatcher ?? createDispatcher();
  const rpc =
    options.rpc ??
    createRpc({
      endpoints: options.endpoints,
      now: timer,
      dispatcher,
      sleep,
      random,
      signal,
      onCall,
    });
  const mev: MevOptions | null =
    options.mevUrl === null
      ? null
      : {
          url: parseEndpointUrl(options.mevUrl, "The MEV address"),
          dispatcher,
          now: timer,
          sleep,
          random,
          signal,
        };
  const graces = { timer, later: options.later ?? later };
  const withGrace = createGraces({ ...graces, leastMilliseconds: GRACE_MILLISECONDS });
  const withSideGrace = createGraces({ ...graces, leastMilliseconds: SIDE_GRACE_MILLISECONDS });

  async function observe<E>({ milliseconds, ranking, take }: Observation<E>): Promise<Observed<E>> {
    const dating = startDating({ now, timer });
    const deadline = timer() + milliseconds;
    const choice = await chooseEndpoints({
      rpc,
      genesis,
      now: timer,
      deadline,
      dating,
      withGrace,
      ...(ranking && { ranking }),
    });
    const { usable, witnesses, refused } = choice;
    onWitnesses?.(witnesses);
    if (usable.length === 0)
      return { passed: false, reason: refused.join("; "), isUnread: !choice.isOneBehind };
    const witnessDeadline = () => Math.min(deadline, timer() + WITNESS_MILLISECONDS);
    const session: Session = {
      ...{ network, usable, witnesses, clusterSlot: choice.clusterSlot, dating, deadline },
      witnessDeadline: witnesses.length === 1 ? () => deadline : witnessDeadline,
      withGrace,
      withSideGrace,
    };
    try {
      const entry = await take(session);
      return { passed: true, entry };
    } catch (error) {
      if (error instanceof RpcError) {
        return { passed: false, reason: error.message, isUnread: error.kind !== "behind" };
      }
      throw error;
    }
  }

  return {
    check: ({ ranking, ...request } = {}) =>
      observe({
        milliseconds: CHECK_MILLISECONDS,
        ranking,
        take: (session) => takeCheck(session, request),
      }),
    snapshot: ({ ranking, ...request }) =>
      observe({
        milliseconds: SNAPSHOT_MILLISECONDS,
        ranking,
        take: (session) => takeSnapshot(session, { ...request, vendor: mev, locations }),
      }),
    transactions: ({ ranking, milliseconds, ...request }) =>
      observe({
        milliseconds,
        ranking,
        take: (session) => takeTransactions({ ...session, timer, sleep }, request),
      }),
    async close() {
      if (!options.dispatcher) await dispatcher.destroy();
    },
  };
}

function later(milliseconds: number, task: () => void): () => void {
  const timeout = setTimeout(task, milliseconds);
  return () => clearTimeout(timeout);
}

interface Observation<E> {
  milliseconds: number;
  ranking: Ranking | undefined;
  take: (session: Session) => Promise<E>;
}
