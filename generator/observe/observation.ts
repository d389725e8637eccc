import { setTimeout as wait } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { Network } from "../contract/networks.ts";
import type { CheckEntry, ConfirmEntry, SnapshotEntry, TransactionsEntry } from "../entries/entry.ts";
import { takeCheck, takeSnapshot, type SnapshotRequest } from "./snapshot.ts";
import { takeConfirmation, type ConfirmRequest } from "./confirmation.ts";
import { startDating } from "../rpc/clock.ts";
import { parseEndpointUrl } from "../rpc/endpoint-address.ts";
import { areLevel, chooseEndpoints, type Ranking, type Witness } from "../rpc/ranking.ts";
import { createDispatcher } from "../rpc/http.ts";
import type { Locations } from "./locations.ts";
import type { MevOptions } from "./mev/mev.ts";
import { fromFirst, type Session } from "./session.ts";
import type { Sleep } from "../rpc/throttle.ts";
import { createRpc, type CallMade, type Rpc } from "../rpc/rpc.ts";
import { RpcError } from "../rpc/error.ts";
import { takeTransactions, type TransactionsRequest } from "./transactions/transactions.ts";

export interface ObserverOptions {
  network: Network;
  endpoints: string[];
  /** Without `/api/v1`. */
  mevUrl: string | null;
  locations: Locations | null;
  /** null: pin that of the first endpoint that answers. */
  genesis: string | null;
  /** Milliseconds since 1970, for dating entries. */
  now: () => number;
  /** For deadlines and budgets; by default a clock that nobody can set. */
  timer?: () => number;
  sleep?: Sleep;
  random?: () => number;
  rpc?: Rpc;
  dispatcher?: Dispatcher;
  signal?: AbortSignal;
  onCall?: (call: CallMade) => void;
  onWitnesses?: (witnesses: readonly Witness[]) => void;
}

/** `isUnread`: somebody must fix that; false for passing troubles (a node behind, a new epoch). */
export type Observed<E> = { passed: true; entry: E } | { passed: false; reason: string; isUnread: boolean };

/** Parses and normalises, and never compares with the past. */
export interface Observer {
  check(request?: CheckRequest): Promise<Observed<CheckEntry>>;
  snapshot(request: SnapshotRequest & RankingRequest): Promise<Observed<SnapshotEntry>>;
  confirm(request: ConfirmRequest & RankingRequest): Promise<Observed<ConfirmEntry>>;
  /** @param request.milliseconds what is not read by then has failed */
  transactions(
    request: TransactionsRequest & RankingRequest & { milliseconds: number },
  ): Promise<Observed<TransactionsEntry>>;
  close(): Promise<void>;
}

interface RankingRequest {
  ranking?: Ranking;
}

interface CheckRequest extends RankingRequest {
  /** Rows of these vote accounts are kept even if dead. */
  expected?: readonly string[];
}

/** For a whole observation, with retries. */
const CHECK_MILLISECONDS = 40_000;
const SNAPSHOT_MILLISECONDS = 90_000;
/** One hanging witness must not silence the others. */
const WITNESS_MILLISECONDS = 12_000;

/** @throws {Error} when an address is no http(s) URL; the message does not repeat it */
export function createObserver(options: ObserverOptions): Observer {
  const { network, now, signal, locations, onCall, onWitnesses, random = Math.random } = options;
  const timer = options.timer ?? (() => performance.now());
  const sleep = options.sleep ?? ((milliseconds) => wait(milliseconds, undefined, { signal }));
  const dispatcher = options.dispatcher ?? createDispatcher();
  const rpc =
    options.rpc ?? createRpc({ endpoints: options.endpoints, now: timer, dispatcher, sleep, random, signal, onCall });
  const mev: MevOptions | null =
    options.mevUrl === null
      ? null
      : { url: parseEndpointUrl(options.mevUrl, "The MEV address"), dispatcher, now: timer, sleep, random, signal };
  let genesis = options.genesis;

  async function observe<E>({ milliseconds, ranking, take }: Observation<E>): Promise<Observed<E>> {
    const dating = startDating({ now, timer });
    const deadline = timer() + milliseconds;
    const choice = await chooseEndpoints({ rpc, genesis, now: timer, deadline, dating, ...(ranking && { ranking }) });
    genesis ??= choice.genesis;
    const { usable, witnesses, refused } = choice;
    onWitnesses?.(witnesses);
    if (usable.length === 0) return { passed: false, reason: refused.join("; "), isUnread: !choice.isOneBehind };
    const sessions = usable.map((endpoint): Session => {
      const others = usable.filter((one) => one !== endpoint && areLevel(one, endpoint));
      return { network, endpoint, endpoints: [endpoint, ...others], witnesses, dating, deadline };
    });
    try {
      const entry = await take(sessions);
      return { passed: true, entry };
    } catch (error) {
      if (error instanceof RpcError) {
        return { passed: false, reason: error.message, isUnread: error.kind !== "behind" };
      }
      throw error;
    }
  }

  return {
    check: ({ expected = [], ranking } = {}) =>
      observe({
        milliseconds: CHECK_MILLISECONDS,
        ranking,
        take: (sessions) => fromFirst(sessions, (session) => takeCheck(session, new Set(expected))),
      }),
    snapshot: ({ ranking, ...request }) =>
      observe({
        milliseconds: SNAPSHOT_MILLISECONDS,
        ranking,
        take: (sessions) => takeSnapshot(sessions, { ...request, vendor: mev, locations }),
      }),
    confirm: ({ ranking, ...request }) =>
      observe({
        milliseconds: CHECK_MILLISECONDS,
        ranking,
        take: ([session]) => {
          if (session === undefined) throw new RpcError({ kind: "network", message: "no endpoint to ask" });
          const isAlone = session.witnesses.length === 1;
          const deadline = isAlone ? session.deadline : Math.min(session.deadline, timer() + WITNESS_MILLISECONDS);
          return takeConfirmation({ ...session, deadline }, request);
        },
      }),
    transactions: ({ ranking, milliseconds, ...request }) =>
      observe({
        milliseconds,
        ranking,
        take: ([session]) => {
          if (session === undefined) throw new RpcError({ kind: "network", message: "no endpoint to ask" });
          return takeTransactions({ ...session, rpc, timer, sleep }, request);
        },
      }),
    async close() {
      if (!options.dispatcher) await dispatcher.destroy();
    },
  };
}

interface Observation<E> {
  milliseconds: number;
  ranking: Ranking | undefined;
  take: (sessions: Session[]) => Promise<E>;
}
