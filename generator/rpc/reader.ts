import type { z } from "zod";
import type { RpcError } from "./error.ts";
import type { Pace } from "./throttle.ts";

/**
 * Calls one endpoint until a deadline. Every failure is an {@link RpcError} that names endpoint and
 * method.
 */
export interface RpcReader {
  /** `ORIGIN#POSITION` of the endpoint. */
  label: string;
  /**
   * Makes a call and parses its result.
   * @param call.onDate receives the dates of the answer; if it throws, the call fails
   * @param call.circuit names what the endpoint may refuse separately
   * @param call.pace a limit beside the public budget, or instead of it where it allows more; not
   * used for endpoints on this machine
   * @param call.attemptMilliseconds longest time of one attempt
   * @param call.maxBytes longest answer, unpacked
   */
  call<T>(call: {
    method: string;
    params?: unknown[];
    schema: z.ZodType<T>;
    onDate?: ((answer: DatedAnswer) => void) | undefined;
    circuit?: string;
    pace?: Pace;
    attemptMilliseconds?: number;
    maxBytes?: number;
    isWorthRetrying?: (error: RpcError) => boolean;
  }): Promise<T>;
  /**
   * Makes a call whose answer is too large to hold. The consumer must throw on an incomplete
   * answer, and starts anew on each attempt.
   * @param call.isPart whether this is one of many small answers, which is retried when cut or
   * late, unlike a whole scan
   */
  stream<T>(call: {
    method: string;
    params?: unknown[];
    circuit?: string;
    isPart?: boolean;
    consume: Consumer<T>;
  }): Promise<T>;
  /**
   * Returns a reader with a part of the time left: above 0, at most 1.
   * @param mostMilliseconds bounds that part
   */
  within(part: number, mostMilliseconds?: number): RpcReader;
}

/** The server's time, and readings of `now` in milliseconds before and after it. */
export interface DatedAnswer {
  /** Milliseconds since 1970, in whole seconds. */
  serverTime: number;
  sentAt: number;
  receivedAt: number;
}

/** Reads a streamed answer. It throws if the answer is incomplete. */
export type Consumer<T> = (body: AsyncIterable<Uint8Array>) => Promise<T>;
