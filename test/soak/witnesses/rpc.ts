import type { Rpc } from "../../../generator/rpc/rpc.ts";
import type { RpcReader } from "../../../generator/rpc/reader.ts";
import { RpcError } from "../../../generator/rpc/error.ts";
import { RpcFailure } from "../../cluster/rpc/failure.ts";
import { answer } from "../../cluster/rpc/rpc.ts";
import { METHODS, type Method } from "./lies.ts";
import type { VirtualTime } from "./virtual-time.ts";
import type { Witness } from "./witness.ts";

const ANSWERED: ReadonlySet<string> = new Set<Method>(METHODS);
const OF_HISTORY: ReadonlySet<Method> = new Set(["getSignaturesForAddress", "getTransaction"]);

export function createWitnessRpc(witnesses: readonly Witness[], time: VirtualTime): Rpc {
  const addresses = witnesses.flatMap((witness) =>
    Array.from({ length: witness.addresses }, () => witness),
  );
  return {
    endpoints: addresses.map((witness, position) => {
      const label = `${witness.origin}#${position}`;
      return { label, until: (deadline) => createReader({ witness, time, label, deadline }) };
    }),
    close: () => Promise.resolve(),
  };
}

type Pace = NonNullable<Parameters<RpcReader["call"]>[0]["pace"]>;

const ATTEMPTS = 3;
const AGAIN_MILLISECONDS = 500;
const PASSING: ReadonlySet<string> = new Set(["behind", "http"]);

interface Line {
  witness: Witness;
  time: VirtualTime;
  label: string;
  deadline: number;
}

function createReader(line: Line): RpcReader {
  const { time, label, deadline } = line;
  return {
    label,
    async call({ method, params = [], schema, pace }) {
      if (!isAnswered(method)) throw toRefused(label, method);
      const value = await askAgain(line, method, params, pace);
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      throw new RpcError({ kind: "shape", message: `${label} ${method}: ${parsed.error.message}` });
    },
    stream: ({ method }) => Promise.reject(toRefused(label, method)),
    within: (part, mostMilliseconds = Infinity) => {
      const milliseconds = Math.min((deadline - time.now()) * part, mostMilliseconds);
      return createReader({ ...line, deadline: time.now() + milliseconds });
    },
  };
}

/** Like the client: asks once more when a node fails or is behind others at its address. */
async function askAgain(
  line: Line,
  method: Method,
  params: unknown[],
  pace: Pace | undefined,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    await pace?.take({ method, deadline: line.deadline });
    try {
      return await ask(line, method, params);
    } catch (error) {
      const isWorth = pace !== undefined && error instanceof RpcError && PASSING.has(error.kind);
      if (!isWorth || attempt === ATTEMPTS) throw error;
      await line.time.sleepUntil(
        Math.min(line.time.now() + AGAIN_MILLISECONDS * attempt, line.deadline),
      );
    }
  }
}

async function ask(line: Line, method: Method, params: unknown[]): Promise<unknown> {
  const { witness, time, label, deadline } = line;
  const trouble = witness.trouble(method, time.now());
  const delay =
    trouble === "silence" ? Infinity : trouble !== null && trouble !== "error" ? trouble.delay : 0;
  const at = time.now() + witness.latencyMilliseconds + delay;
  await time.sleepUntil(Math.min(at, deadline));
  if (at > deadline)
    throw new RpcError({ kind: "timeout", message: `${label} ${method}: no answer in time` });
  if (trouble === "error")
    throw new RpcError({ kind: "http", code: 503, message: `${label} ${method}: status 503` });
  if (method === "getBlockProduction" && !witness.countsBlocks) throw toRefused(label, method);
  if (method === "getMultipleAccounts" && !witness.offersAccounts) throw toRefused(label, method);
  if (OF_HISTORY.has(method)) {
    if (witness.history.keepsSlots === 0) throw toRefused(label, method, -32_011);
    if (witness.fails())
      throw new RpcError({ kind: "http", code: 502, message: `${label} ${method}: status 502` });
  }
  try {
    return answer(witness.show(method, time.now()), method, params);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const { code, message } = error;
    const kind = code === BEHIND ? "behind" : "rpc";
    throw new RpcError({ kind, code, message: `${label} ${method}: ${message}` });
  }
}

/** The minimum context slot has not been reached. */
const BEHIND = -32_016;

function isAnswered(method: string): method is Method {
  return ANSWERED.has(method);
}

function toRefused(label: string, method: string, code = -32_601): RpcError {
  return new RpcError({ kind: "refused", code, message: `${label} ${method}: not offered` });
}
