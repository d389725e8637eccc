import type { z } from "zod";
import type { RpcError } from "./error.ts";
import type { Pace } from "./throttle.ts";

/** Every failure is an {@link RpcError} that names endpoint and method. */
export interface RpcReader {
  label: string;
  /**
   * @param call.onDate what it throws fails the call
   * @param call.circuit what the endpoint may refuse separately
   * @param call.pace besides the public budget, or instead
   * of it where it exceeds that; not on this machine
   * @param call.maxBytes unpacked
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
   * For answers too large to hold. The consumer must throw on
   * an incomplete answer, and starts anew on each attempt.
   * @param call.isPart one of many small answers: retried when cut or late, unlike a whole scan
   */
  stream<T>(call: {
    method: string;
    params?: unknown[];
    circuit?: string;
    isPart?: boolean;
    consume: Consumer<T>;
  }): Promise<T>;
  /** With a part (above 0, at most 1) of the time left. */
  within(part: number): RpcReader;
}

/** Readings of `now` around the server's time. */
export interface DatedAnswer {
  /** Milliseconds since 1970, whole seconds. */
  serverTime: number;
  sentAt: number;
  receivedAt: number;
}

export type Consumer<T> = (body: AsyncIterable<Uint8Array>) => Promise<T>;
