import type { ServerResponse } from "node:http";
import type { Dispatcher } from "undici";
import { afterEach } from "vitest";
import { z } from "zod";
import { RpcError } from "../../generator/rpc/error.ts";
import { createRpc, type Rpc } from "../../generator/rpc/rpc.ts";
import { createClock } from "./fixtures.ts";
import { startServer, type Asked, type TestServer } from "../rpc/rpc-server.ts";

const servers: TestServer[] = [];
const clients: Rpc[] = [];

afterEach(async () => {
  await Promise.all([...clients.splice(0), ...servers.splice(0)].map((one) => one.close()));
});

export const ok = (response: ServerResponse, result: unknown = 7) =>
  response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));

export const toError = (code: number, message = "no") =>
  JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: 1 });

export async function start(...answers: ((response: ServerResponse, asked: Asked) => void)[]) {
  let count = 0;
  const server = await startServer((asked, response) => {
    answers[Math.min(count++, answers.length - 1)]?.(response, asked);
  });
  servers.push(server);
  return server;
}

/** A client of one endpoint; only sleeping moves its clock. */
export function open(url: string, { dispatcher }: { dispatcher?: Dispatcher } = {}) {
  const clock = createClock();
  const rpc = createRpc({ endpoints: [url], dispatcher, now: clock.now, sleep: clock.sleep, random: () => 0 });
  clients.push(rpc);
  const call = (method = "getSlot", params: unknown[] = [], milliseconds = 40_000) =>
    rpc.endpoints[0]!.until(clock.now() + milliseconds).call({ method, params, schema: z.number() });
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
