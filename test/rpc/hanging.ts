import { RpcError } from "../../generator/rpc/error.ts";
import type { Rpc } from "../../generator/rpc/rpc.ts";
import type { RpcReader } from "../../generator/rpc/reader.ts";
import type { createClock } from "../observe/fixtures.ts";

/** Turns of the event loop without another request: only what hangs is left. */
const IDLE_TURNS = 3;

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

  async function hang(what: string, deadline: number): Promise<never> {
    for (let idle = 0; idle < IDLE_TURNS; idle = underWay === 0 ? idle + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
    clock.advance(Math.max(0, Math.min(deadline - clock.now(), milliseconds)));
    throw new RpcError({ kind: "timeout", message: `${what}: no answer in time` });
  }

  const endpoints = rpc.endpoints.map((endpoint, position) => {
    const until = (deadline: number): RpcReader => {
      const reader = endpoint.until(deadline);
      const doesHang = (method: string) => hangs(position, method);
      return {
        label: reader.label,
        call: (one) =>
          doesHang(one.method)
            ? hang(`${reader.label} ${one.method}`, deadline)
            : track(reader.call(one)),
        stream: (one) =>
          doesHang(one.method)
            ? hang(`${reader.label} ${one.method}`, deadline)
            : track(reader.stream(one)),
        within: (part) => until(clock.now() + (deadline - clock.now()) * part),
      };
    };
    return { ...endpoint, until };
  });
  return { ...rpc, endpoints };
}
