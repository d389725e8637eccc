import type { ServerResponse } from "node:http";
import type { Dispatcher } from "undici";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { RpcError } from "../../generator/rpc/error.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import { createClock } from "./fixtures.ts";
import { toFailureReply } from "../cluster/rpc/failure.ts";
import { toReply } from "../cluster/rpc/json.ts";
import { openServer } from "../rpc/open-server.ts";
import type { Asked } from "../rpc/rpc-server.ts";

export const ok = (response: ServerResponse, result: unknown = 7) =>
  response.end(toReply(1, result));

export const toError = (code: number, message = "no") => toFailureReply(1, { code, message });

export async function start(...answers: ((response: ServerResponse, asked: Asked) => void)[]) {
  let count = 0;
  return openServer((asked, response) => {
    answers[Math.min(count++, answers.length - 1)]?.(response, asked);
  });
}

/** A client of one endpoint; only sleeping moves its clock. */
export function open(url: string, { dispatcher }: { dispatcher?: Dispatcher } = {}) {
  const clock = createClock();
  const rpc = createRpc({
    endpoints: [url],
    dispatcher,
    now: clock.now,
    sleep: clock.sleep,
    random: () => 0,
  });
  onTestFinished(() => rpc.close());
  const call = (method = "getSlot", params: unknown[] = [], milliseconds = 40_000) =>
    rpc.endpoints[0]!.until(clock.now() + milliseconds).call({
      method,
      params,
      schema: z.number(),
    });
  return { clock, rpc, call };
}

export async function failure(call: Promise<unknown>): Promise<RpcError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error("the call did not fail");
}
