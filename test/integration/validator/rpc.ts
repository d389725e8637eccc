import { vi } from "vitest";
import { z } from "zod";
import { parseExactJson } from "../../../generator/rpc/answer.ts";

/** An answer that does not fit the schema fails the test. */
export type Ask = <Schema extends z.ZodType>(
  method: string,
  params: readonly unknown[],
  schema: Schema,
) => Promise<z.infer<Schema>>;

const ANSWER_MILLISECONDS = 10_000;
const LOOK_AGAIN_MILLISECONDS = 200;

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z
    .object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .optional(),
});

export class NodeError extends Error {
  constructor(
    method: string,
    { code, message, data }: { code: number; message: string; data?: unknown },
  ) {
    super(
      `${method}: ${message} (${code})${data === undefined ? "" : ` ${JSON.stringify(data, writeBigint)}`}`,
    );
  }
}

export function createAsk(url: string): Ask {
  return async (method, params, schema) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }, writeBigint),
      signal: AbortSignal.timeout(ANSWER_MILLISECONDS),
    });
    const answer = answerSchema.parse(parseExactJson(await response.text()));
    if (answer.error !== undefined) throw new NodeError(method, answer.error);
    return schema.parse(answer.result);
  };
}

/**
 * @param look throws or returns null: not yet
 * @throws {Error} after so many seconds, with what it expected and last found
 */
export async function waitUntil<Found>(
  what: string,
  seconds: number,
  look: () => Promise<Found | null>,
) {
  let instead: unknown = "nothing";
  const found = vi.waitFor(
    async () => {
      const seen = await look().catch((error: unknown) => ((instead = error), null));
      if (seen === null) throw new Error("not yet");
      return seen;
    },
    { timeout: seconds * 1000, interval: LOOK_AGAIN_MILLISECONDS },
  );
  return found.catch((cause: unknown) => {
    throw new Error(`${what} did not come within ${seconds} s: ${String(instead)}`, { cause });
  });
}

function writeBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
