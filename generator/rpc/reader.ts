import type { z } from "zod";
import type { RpcError } from "./error.ts";
import type { Pace } from "./throttle.ts";

/** What a source reads from. Every failure is an {@link RpcError} that names endpoint and method. */
export interface RpcReader {
  label: string;
  /**
   * @param call.onDate is told when an answer was made, where the endpoint says so; what it throws fails the call
   * @param call.way what the endpoint may refuse by itself; see `stream`
   * @param call.pace is asked before each attempt, besides the public endpoints' budget or, where it exceeds that, in its
   *   place; not on this machine
   * @param call.attemptMilliseconds longest time of one attempt, where the deadline is far; by default the deadline alone
   * @param call.maxBytes longest answer, unpacked
   * @param call.isWorthRetrying which failures are; by default those that pass by themselves
   */
  call<T>(call: {
    method: string;
    params?: unknown[];
    schema: z.ZodType<T>;
    onDate?: ((answer: DatedAnswer) => void) | undefined;
    way?: string;
    pace?: Pace;
    attemptMilliseconds?: number;
    maxBytes?: number;
    isWorthRetrying?: (error: RpcError) => boolean;
  }): Promise<T>;
  /**
   * For answers too large to hold: the consumer is given the bytes, and must throw when they are not a whole answer. It
   * is called again from the start when the call is tried again.
   * @param call.way what the endpoint may refuse by itself, where method and program do not tell it from another
   * @param call.isPart one of many small answers: worth asking for again when it is cut or late, as a whole scan is not
   */
  stream<T>(call: {
    method: string;
    params?: unknown[];
    way?: string;
    isPart?: boolean;
    consume: Consumer<T>;
  }): Promise<T>;
  /**
   * The same endpoint for calls that must be over when a part (above 0, at most 1) of the time left has passed, so that
   * one that hangs leaves time to turn elsewhere.
   */
  within(part: number): RpcReader;
}

/** What time a server had when it made an answer, and the readings of the client's `now` between which that was. */
export interface DatedAnswer {
  /** Milliseconds since 1970, cut to whole seconds. */
  serverTime: number;
  sentAt: number;
  receivedAt: number;
}

export type Consumer<T> = (body: AsyncIterable<Uint8Array>) => Promise<T>;
