import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { gzipSync } from "node:zlib";

export interface MethodTraffic {
  method: string;
  calls: number;
  bytes: number;
  /** Gzipped, estimated from a sample. */
  packedBytes: number;
}

interface Traffic {
  read(): MethodTraffic[];
  reset(): void;
  stop(): void;
}

/** Compressing all would take longer than the rest. */
const PACKED_EVERY = 50;
const GZIP_LEVEL = 6;
const PROGRAM_CHARACTERS = 6;

interface Sum {
  calls: number;
  bytes: number;
  sampled: { bytes: number; packedBytes: number };
}

interface Underway {
  sum: Sum;
  pieces: Buffer[] | null;
}

/** Servers must not compress. */
export function watchTraffic(): Traffic {
  const sums = new Map<string, Sum>();
  const underway = new WeakMap<object, Underway>();

  const onCreate = (message: unknown) => {
    const { request } = message as { request: { method: string; body: unknown } };
    const name = toName(request);
    const sum = sums.get(name) ?? { calls: 0, bytes: 0, sampled: { bytes: 0, packedBytes: 0 } };
    sums.set(name, sum);
    underway.set(request, { sum, pieces: sum.calls % PACKED_EVERY === 0 ? [] : null });
    sum.calls += 1;
  };
  const onPiece = (message: unknown) => {
    const { request, chunk } = message as { request: object; chunk: Buffer };
    const one = underway.get(request);
    if (one === undefined) return;
    one.sum.bytes += chunk.byteLength;
    one.pieces?.push(Buffer.from(chunk));
  };
  const onEnd = (message: unknown) => {
    const { sum, pieces } = underway.get((message as { request: object }).request) ?? {};
    if (sum === undefined || pieces == null) return;
    const whole = Buffer.concat(pieces);
    sum.sampled.bytes += whole.byteLength;
    sum.sampled.packedBytes += Math.min(
      whole.byteLength,
      gzipSync(whole, { level: GZIP_LEVEL }).byteLength,
    );
  };
  const listeners = {
    "undici:request:create": onCreate,
    "undici:request:bodyChunkReceived": onPiece,
    "undici:request:trailers": onEnd,
  };
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener);

  return {
    read: () =>
      [...sums]
        .map(([method, { calls, bytes, sampled }]) => {
          const packedBytes =
            sampled.bytes === 0 ? 0 : (bytes * sampled.packedBytes) / sampled.bytes;
          return { method, calls, bytes, packedBytes };
        })
        .sort((one, other) => other.bytes - one.bytes),
    reset: () => sums.clear(),
    stop() {
      for (const [channel, listener] of Object.entries(listeners)) unsubscribe(channel, listener);
    },
  };
}

function toName({ method, body }: { method: string; body: unknown }): string {
  const text = typeof body === "string" || Buffer.isBuffer(body) ? body.toString() : "";
  const asked = text.startsWith("{")
    ? (JSON.parse(text) as { method?: string; params?: unknown[] })
    : {};
  if (asked.method === undefined) return `MEV vendor, ${method}`;
  const [program] = asked.params ?? [];
  const isOfProgram = asked.method.startsWith("getProgramAccounts") && typeof program === "string";
  return isOfProgram ? `${asked.method} ${program.slice(0, PROGRAM_CHARACTERS)}…` : asked.method;
}
