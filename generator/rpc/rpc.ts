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
  /** Returns a reader whose calls end by this reading of `now`. */
  until: (deadline: number) => RpcReader;
}

/** Longest answer of a call. The largest, all validator info ever, is about 10 MB. */
const CALL_BYTES_MAX = 32_000_000;
/** Longest streamed answer. A stake scan is about 400 MB. */
const STREAM_BYTES_MAX = 4_000_000_000;
/** Attempts of a call. With other endpoints to ask, waiting long for one only costs time. */
const ATTEMPTS = { alone: 6, amongOthers: 3 };

/**
 * Makes clients of endpoints; the caller chooses among them. Does no I/O.
 * @throws {Error} unless each address is an http or https URL
 */
export function createRpc(options: RpcOptions): Rpc {
  const dispatcher = options.dispatcher ?? createDispatcher();
  const endpoints = options.endpoints.map((address, position) =>
    createEndpoint({ ...options, dispatcher, address, position }),
  );
  return {
    endpoints,
    async close() {
      if (!options.dispatcher) await dispatcher.destroy();
    },
  };
}

function createEndpoint(
  options: RpcOptions & { dispatcher: Dispatcher; address: string; position: number },
): RpcEndpoint {
  const { dispatcher, now, signal: stop, random = Math.random } = options;
  const sleep =
    options.sleep ?? ((milliseconds) => wait(milliseconds, undefined, { signal: stop }));
  const { origin, target, headers, isLocal, redact } = parseEndpointUrl(
    options.address,
    `RPC endpoint ${options.position}`,
  );
  const label = `${origin}#${options.position}`;
  const attempts = options.endpoints.length > 1 ? ATTEMPTS.amongOthers : ATTEMPTS.alone;
  const budget = isLocal ? UNLIMITED : createThrottle({ now, sleep });
  const breaker = createCircuitBreaker({ now, sleep });

  async function perform<T>(call: Call<T>): Promise<T> {
    const { method, deadline, isWorthRetrying } = call;
    try {
      return await retry({ attempts, deadline, now, sleep, random, isWorthRetrying }, () =>
        attempt(call),
      );
    } catch (error) {
      stop?.throwIfAborted();
      if (!(error instanceof RpcError)) throw error;
      throw toReworded(error, `${label} ${method}: ${redact(error.message)}`);
    }
  }

  async function attempt<T>(call: Call<T>): Promise<T> {
    const { method, deadline } = call;
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
    try {
      const result = await ask(call);
      reportCall("ok");
      return result;
    } catch (error) {
      if (error instanceof RpcError) {
        reportCall(error.kind);
        breaker.recordFailure(circuit, error);
      }
      throw error;
    }
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

  function until(deadline: number): RpcReader {
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
        return perform({ ...call, params, deadline, maxBytes, isWorthRetrying, consume });
      },
      stream: ({ method, params = [], circuit, isPart = false, consume }) =>
        perform({
          method,
          params,
          circuit,
          deadline,
          maxBytes: STREAM_BYTES_MAX,
          isWorthRetrying: isPart ? isPassing : isPassingForScan,
          consume,
        }),
      within: (part) => until(now() + (deadline - now()) * part),
    };
  }

  return { label, until };
}

interface Call<T> {
  method: string;
  params: unknown[];
  circuit?: string | undefined;
  deadline: number;
  maxBytes: number;
  isWorthRetrying: (error: RpcError) => boolean;
  consume: Consumer<T>;
  onDate?: ((answer: DatedAnswer) => void) | undefined;
  pace?: Pace | undefined;
  attemptMilliseconds?: number | undefined;
}

function circuitOf({ method, params, circuit }: Call<unknown>): string {
  if (circuit !== undefined) return circuit;
  return typeof params[0] === "string" ? `${method} ${params[0]}` : method;
}
