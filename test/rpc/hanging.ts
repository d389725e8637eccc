import { RpcError } from "../../generator/rpc/error.ts";
import type { Rpc } from "../../generator/rpc/rpc.ts";
import type { RpcReader } from "../../generator/rpc/reader.ts";
import type { createClock } from "../observe/fixtures.ts";

/** Turns of the event loop without another request: only what hangs is left. */
const IDLE_TURNS = 3;

interface Limits {
  deadline: number;
  cut: AbortSignal | undefined;
}

/**
 * A client some of whose calls are never answered. When nothing else is
 * asked the clock moves to their end, so that no test waits in real time.
 * @param hangs whether a method hangs at an endpoint's position
 * @param milliseconds of an attempt, if before its deadline
 */
export function withHanging(
  rpc: Rpc,
  clock: ReturnType<typeof createClock>,
  {
    hangs,
    milliseconds = Infinity,
  }: { hangs: (position: number, method: string) => boolean; milliseconds?: number },
): Rpc {
  let underWay = 0;

  async function track<T>(call: Promise<T>): Promise<T> {
    underWay++;
    try {
      return await call;
    } finally {
      underWay--;
    }
  }

  async function hang(what: string, { deadline, cut }: Limits): Promise<never> {
    const end = Math.min(deadline, clock.now() + milliseconds);
    do {
      for (let idle = 0; idle < IDLE_TURNS; idle = underWay === 0 ? idle + 1 : 0)
        await new Promise((resolve) => setImmediate(resolve));
      if (cut?.aborted !== true) clock.pass(end);
    } while (clock.now() < end && cut?.aborted !== true);
    throw new RpcError({ kind: "timeout", message: `${what}: no answer in time` });
  }

  const endpoints = rpc.endpoints.map((endpoint, position) => {
    const until = (deadline: number, cut?: AbortSignal): RpcReader => {
      const reader = endpoint.until(deadline, cut);
      const doesHang = (method: string) => hangs(position, method);
      return {
        label: reader.label,
        call: (one) =>
          doesHang(one.method)
            ? hang(`${reader.label} ${one.method}`, { deadline, cut })
            : track(reader.call(one)),
        stream: (one) =>
          doesHang(one.method)
            ? hang(`${reader.label} ${one.method}`, { deadline, cut })
            : track(reader.stream(one)),
        within: (part, mostMilliseconds = Infinity) =>
          until(clock.now() + Math.min((deadline - clock.now()) * part, mostMilliseconds), cut),
      };
    };
    return { ...endpoint, until };
  });
  return { ...rpc, endpoints };
}
