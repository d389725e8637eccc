import { setTimeout as wait } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { Consumer, DatedAnswer, RpcReader } from "./reader.ts";
import { createThrottle, UNLIMITED, type Pace, type Sleep } from "./throttle.ts";
import { parseEndpointUrl } from "./endpoint-address.ts";
import { createDispatcher, openAnswer, readErrorText, readText } from "./http.ts";
import { retry } from "./retry.ts";
import { parseAnswer, parseFailure, REQUEST_ID } from "./answer.ts";
import {
  RpcError,
  toReworded,
  isPassing,
  isPassingForScan,
  isSuccess,
  type RpcErrorKind,
} from "./error.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";

/** Endpoints, and the clock and randomness that calls use. Tests pass their own. */
export interface RpcOptions {
  /** Addresses, preferred first. They may hold secrets. */
  endpoints: string[];
  /** A clock in milliseconds that never jumps; where it begins does not matter. */
  now: () => number;
  /** Connections to use; by default its own, which `close` ends. */
  dispatcher?: Dispatcher | undefined;
  sleep?: Sleep | undefined;
  random?: (() => number) | undefined;
  /** Ends all calls and makes them throw its reason. */
  signal?: AbortSignal | undefined;
  onCall?: ((call: CallMade) => void) | undefined;
}

/** A call that ended, for metrics. `endpoint` is a label without secrets. */
export interface CallMade {
  endpoint: string;
  method: string;
  outcome: "ok" | RpcErrorKind;
}

/** Clients of all configured endpoints, in their order. */
export interface Rpc {
  endpoints: RpcEndpoint[];
  close(): Promise<void>;
}

/** The client of one endpoint, with its own budget and circuit breaker. */
export interface RpcEndpoint {
  /** `ORIGIN#POSITION`; without the path, which may hold a secret. */
  label: string;
  /**
   * Returns a reader whose calls end by this reading of `now`.
   * @param cut ends them earlier, and makes them throw its reason, an {@link RpcError}
   */
  until: (deadline: number, cut?: AbortSignal) => RpcReader;
}

/** Longest answer of a call. The largest, all validator info ever, is about 10 MB. */
const CALL_BYTES_MAX = 32_000_000;
/** Longest streamed answer. A stake scan is about 400 MB. */
const STREAM_BYTES_MAX = 4_000_000_000;
/** Attempts of a call. With other endpoints to ask, waiting long for one only costs time. */
const ATTEMPTS = { alone: 6, amongOthers: 3 };
/** An attempt that is cut sooner does not show that the endpoint hangs. */
const HUNG_MILLISECONDS = 2_000;

/**
 * Makes clients of endpoints; the caller chooses among them. Does no I/O.
 * @throws {Error} unless each address is an http or https URL
 */
export function createRpc(options: RpcOptions): Rpc {
  const dispatcher = options.dispatcher ?? createDispatcher();
  const answeredAt = new Map<number, number>();
  const endpoints = options.endpoints.map((address, position) =>
    createEndpoint({ ...options, dispatcher, address, position, answeredAt }),
  );
  return {
    endpoints,
    async close() {
      if (!options.dispatcher) await dispatcher.destroy();
    },
  };
}

function createEndpoint(
  options: RpcOptions & {
    dispatcher: Dispatcher;
    address: string;
    position: number;
    /** When each endpoint last answered, by its position. */
    answeredAt: Map<number, number>;
  },
): RpcEndpoint {
  const { dispatcher, now, signal: stop, random = Math.random, position, answeredAt } = options;
  const sleep =
    options.sleep ?? ((milliseconds) => wait(milliseconds, undefined, { signal: stop }));
  const { origin, target, headers, isLocal, redact } = parseEndpointUrl(
    options.address,
    `RPC endpoint ${position}`,
  );
  const label = `${origin}#${position}`;
  const attempts = options.endpoints.length > 1 ? ATTEMPTS.amongOthers : ATTEMPTS.alone;
  const budget = isLocal ? UNLIMITED : createThrottle({ now, sleep });
  const breaker = createCircuitBreaker({ now, sleep });

  async function perform<T>(call: Call<T>): Promise<T> {
    const { method, deadline, cut } = call;
    const isWorthRetrying = (error: RpcError) =>
      cut?.aborted !== true && call.isWorthRetrying(error);
    try {
      return await untilCut(
        cut,
        retry({ attempts, deadline, now, sleep, random, isWorthRetrying }, () => attempt(call)),
      );
    } catch (error) {
      stop?.throwIfAborted();
      if (!(error instanceof RpcError)) throw error;
      throw toReworded(error, `${label} ${method}: ${redact(error.message)}`);
    }
  }

  async function attempt<T>(call: Call<T>): Promise<T> {
    const { method, deadline, cut } = call;
    const circuit = circuitOf(call);
    await breaker.admit({ circuit, deadline });
    if (call.pace?.exceedsPublic !== true) await budget.take({ method, deadline });
    if (call.pace !== undefined && !isLocal) {
      await call.pace.take({ method, deadline });
      // Meanwhile another call may have been asked for a pause.
      await breaker.admit({ circuit, deadline });
    }
    const reportCall = (outcome: CallMade["outcome"]) =>
      options.onCall?.({ endpoint: label, method, outcome });
    cut?.throwIfAborted();
    const sentAt = now();
    try {
      const result = await ask(call);
      reportCall("ok");
      answeredAt.set(position, now());
      breaker.recordSuccess(circuit);
      return result;
    } catch (error) {
      if (error instanceof RpcError) {
        reportCall(error.kind);
        breaker.recordFailure(circuit, error);
        if (error.kind === "timeout" && isHungSince(sentAt)) breaker.recordHang(circuit);
      }
      throw error;
    }
  }

  /** If no other endpoint answered meanwhile, this machine may be cut off. */
  function isHungSince(sentAt: number): boolean {
    if (now() - sentAt < HUNG_MILLISECONDS) return false;
    return [...answeredAt].some(([other, at]) => other !== position && at >= sentAt);
  }

  async function ask<T>(call: Call<T>): Promise<T> {
    const { method, params, maxBytes, consume, onDate, attemptMilliseconds = Infinity } = call;
    const sentAt = now();
    const deadline = Math.min(call.deadline, sentAt + attemptMilliseconds);
    const body = JSON.stringify({ jsonrpc: "2.0", id: REQUEST_ID, method, params });
    const answer = await openAnswer({
      target,
      method: "POST",
      headers,
      body,
      dispatcher,
      now,
      deadline,
      stop,
      cut: call.cut,
      maxBytes,
    });
    const { status, retryAfterMilliseconds, serverTime } = answer;
    const receivedAt = now();
    if (!isSuccess(status))
      throw parseFailure({ status, retryAfterMilliseconds, text: await readErrorText(answer) });
    try {
      const result = await consume(answer.body);
      if (serverTime !== null) onDate?.({ serverTime, sentAt, receivedAt });
      return result;
    } catch (error) {
      if (!(error instanceof RpcError) || error.kind !== "limited") throw error;
      const { kind, code, message } = error;
      throw new RpcError({ kind, code, message, retryAfterMilliseconds });
    }
  }

  function until(deadline: number, cut?: AbortSignal): RpcReader {
    return {
      label,
      call: ({
        params = [],
        schema,
        maxBytes = CALL_BYTES_MAX,
        isWorthRetrying = isPassing,
        ...call
      }) => {
        const consume = async (body: AsyncIterable<Uint8Array>) =>
          parseAnswer(await readText(body), schema);
        return perform({ ...call, params, deadline, cut, maxBytes, isWorthRetrying, consume });
      },
      stream: ({ method, params = [], circuit, isPart = false, consume }) =>
        perform({
          method,
          params,
          circuit,
          deadline,
          cut,
          maxBytes: STREAM_BYTES_MAX,
          isWorthRetrying: isPart ? isPassing : isPassingForScan,
          consume,
        }),
      within: (part, mostMilliseconds = Infinity) =>
        until(now() + Math.min((deadline - now()) * part, mostMilliseconds), cut),
    };
  }

  return { label, until };
}

interface Call<T> {
  method: string;
  params: unknown[];
  circuit?: string | undefined;
  deadline: number;
  cut: AbortSignal | undefined;
  maxBytes: number;
  isWorthRetrying: (error: RpcError) => boolean;
  consume: Consumer<T>;
  onDate?: ((answer: DatedAnswer) => void) | undefined;
  pace?: Pace | undefined;
  attemptMilliseconds?: number | undefined;
}

/** The call may be waiting for a turn or a pause, which the signal does not end. */
function untilCut<T>(cut: AbortSignal | undefined, call: Promise<T>): Promise<T> {
  if (cut === undefined) return call;
  return new Promise((resolve, reject) => {
    const end = () => reject(cut.reason as RpcError);
    cut.addEventListener("abort", end, { once: true });
    if (cut.aborted) end();
    call.then(resolve, reject).finally(() => cut.removeEventListener("abort", end));
  });
}

function circuitOf({ method, params, circuit }: Call<unknown>): string {
  if (circuit !== undefined) return circuit;
  return typeof params[0] === "string" ? `${method} ${params[0]}` : method;
}
