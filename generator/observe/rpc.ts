import { setTimeout as wait } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { z } from "zod";
import { createCallBudget, UNLIMITED } from "./call-budget.ts";
import { parseEndpointUrl } from "./endpoint-url.ts";
import { createDispatcher, openBody, readText } from "./http.ts";
import { retry, type Sleep } from "./retry.ts";
import { parseAnswer } from "./rpc-answer.ts";
import { RpcError, toReworded } from "./rpc-error.ts";

export interface RpcOptions {
  /** http(s) addresses, preferred first. */
  endpoints: string[];
  /** Milliseconds from any beginning, passing as fast as the world's: for deadlines and budgets. */
  now: () => number;
  /** Shared connections; without it the client has its own, and closes them. */
  dispatcher?: Dispatcher | undefined;
  sleep?: Sleep | undefined;
  random?: (() => number) | undefined;
  /** Stops every call. */
  signal?: AbortSignal | undefined;
}

export interface Rpc {
  endpoints: RpcEndpoint[];
  /** Cuts what is still under way. */
  close(): Promise<void>;
}

export interface RpcEndpoint {
  /** Origin and position in the list: tells endpoints apart without a path, which may hold a secret. */
  label: string;
  /** The endpoint for calls that must all be over at a reading of `now`. */
  until(deadline: number): RpcReader;
}

/** What a source reads from. Every failure is an {@link RpcError} that names endpoint and method. */
export interface RpcReader {
  label: string;
  call<T>(call: { method: string; params?: unknown[]; schema: z.ZodType<T> }): Promise<T>;
  /**
   * For answers too large to hold: the consumer is given the bytes, and must throw when they are not a whole answer. It
   * is called again from the start when the call is tried again.
   */
  stream<T>(call: { method: string; params?: unknown[]; consume: Consumer<T> }): Promise<T>;
}

export type Consumer<T> = (body: AsyncIterable<Uint8Array>) => Promise<T>;

/** The largest whole answer, validator info of every node ever, is about 10 MB. */
const CALL_BYTES_MAX = 64_000_000;
/** A stake scan is about 400 MB. */
const STREAM_BYTES_MAX = 4_000_000_000;
/** With another endpoint to turn to, waiting long for this one only costs time. */
const ATTEMPTS = { alone: 6, amongOthers: 3 };
const REFUSED_FOR_MILLISECONDS = 24 * 60 * 60 * 1000;

/** A JSON-RPC client for several endpoints of one cluster. Which of them to ask is the caller's choice. */
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
  const sleep = options.sleep ?? ((milliseconds) => wait(milliseconds, undefined, { signal: stop }));
  const { origin, target, headers, isLocal, redact } = parseEndpointUrl(
    options.address,
    `RPC endpoint ${options.position}`,
  );
  const label = `${origin}#${options.position}`;
  const attempts = options.endpoints.length > 1 ? ATTEMPTS.amongOthers : ATTEMPTS.alone;
  const budget = isLocal ? UNLIMITED : createCallBudget({ now, sleep });
  const refusedUntil = new Map<string, number>();

  async function perform<T>(call: Call<T>): Promise<T> {
    const way = toWay(call);
    try {
      if ((refusedUntil.get(way) ?? 0) > now())
        throw new RpcError({ kind: "refused", message: "refused earlier today" });
      return await retry({ attempts, deadline: call.deadline, now, sleep, random }, () => attempt(call));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.kind === "refused") refuse(way);
      throw toReworded(error, redact(`${label} ${call.method}: ${error.message}`));
    }
  }

  /** Being told again what is known does not begin a new day. */
  function refuse(way: string): void {
    if ((refusedUntil.get(way) ?? 0) <= now()) refusedUntil.set(way, now() + REFUSED_FOR_MILLISECONDS);
  }

  async function attempt<T>({ method, params, deadline, maxBytes, consume }: Call<T>): Promise<T> {
    await budget.take(method);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return consume(
      await openBody({ target, method: "POST", headers, body, dispatcher, now, deadline, stop, maxBytes }),
    );
  }

  return {
    label,
    until: (deadline) => ({
      label,
      call: ({ method, params = [], schema }) => {
        const consume = async (body: AsyncIterable<Uint8Array>) => parseAnswer(await readText(body), schema);
        return perform({ method, params, deadline, maxBytes: CALL_BYTES_MAX, consume });
      },
      stream: ({ method, params = [], consume }) =>
        perform({ method, params, deadline, maxBytes: STREAM_BYTES_MAX, consume }),
    }),
  };
}

interface Call<T> {
  method: string;
  params: unknown[];
  deadline: number;
  maxBytes: number;
  consume: Consumer<T>;
}

/** What an endpoint refuses as one: the method, and of which program where one is named. */
function toWay({ method, params }: Call<unknown>): string {
  return typeof params[0] === "string" ? `${method} ${params[0]}` : method;
}
