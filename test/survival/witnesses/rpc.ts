import type { Rpc, RpcReader } from "../../../generator/observe/rpc.ts";
import { RpcError } from "../../../generator/observe/transport/rpc-error.ts";
import type { Method } from "./lies.ts";
import type { VirtualTime } from "./virtual-time.ts";
import type { Witness } from "./witness.ts";

const ANSWERED: ReadonlySet<string> = new Set<Method>([
  "getGenesisHash",
  "getHealth",
  "getEpochInfo",
  "getVoteAccounts",
  "getMultipleAccounts",
]);

/** The made-up nodes as a client of theirs sees them, without a network between. */
export function createWitnessRpc(witnesses: readonly Witness[], time: VirtualTime): Rpc {
  const addresses = witnesses.flatMap((witness) => Array.from({ length: witness.addresses }, () => witness));
  return {
    endpoints: addresses.map((witness, position) => {
      const label = `${witness.origin}#${position}`;
      return { label, until: (deadline) => createReader({ witness, time, label, deadline }) };
    }),
    close: () => Promise.resolve(),
  };
}

interface Line {
  witness: Witness;
  time: VirtualTime;
  label: string;
  /** Of all calls, milliseconds since 1970. */
  deadline: number;
}

function createReader(line: Line): RpcReader {
  const { time, label, deadline } = line;
  return {
    label,
    async call({ method, params = [], schema }) {
      if (!isAnswered(method)) throw toRefused(label, method);
      const value = await ask(line, method, params);
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      throw new RpcError({ kind: "shape", message: `${label} ${method}: ${parsed.error.message}` });
    },
    stream: ({ method }) => Promise.reject(toRefused(label, method)),
    within: (part) => createReader({ ...line, deadline: time.now() + (deadline - time.now()) * part }),
  };
}

async function ask({ witness, time, label, deadline }: Line, method: Method, params: unknown[]): Promise<unknown> {
  const trouble = witness.trouble(method, time.now());
  const delay = trouble === "silence" ? Infinity : trouble !== null && trouble !== "error" ? trouble.delay : 0;
  const at = time.now() + witness.latencyMilliseconds + delay;
  await time.sleepUntil(Math.min(at, deadline));
  if (at > deadline) throw new RpcError({ kind: "timeout", message: `${label} ${method}: no answer in time` });
  if (trouble === "error") throw new RpcError({ kind: "http", code: 503, message: `${label} ${method}: status 503` });
  if (method === "getMultipleAccounts" && !witness.offersAccounts) throw toRefused(label, method);
  return witness.answer(method, params, time.now());
}

function isAnswered(method: string): method is Method {
  return ANSWERED.has(method);
}

function toRefused(label: string, method: string): RpcError {
  return new RpcError({ kind: "refused", code: -32_601, message: `${label} ${method}: not offered` });
}
