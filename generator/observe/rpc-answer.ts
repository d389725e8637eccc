import { z } from "zod";
import { parseExactJson } from "./json.ts";
import { RpcError, type RpcErrorKind } from "./rpc-error.ts";

const envelopeSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.int().catch(0), message: z.string().catch("no message") }).nullish(),
});

/** Codes with a meaning of their own; 410 is how a public endpoint says inside a 200 that a method is switched off. */
const KINDS = new Map<number, RpcErrorKind>([
  [-32_005, "behind"],
  [-32_010, "refused"],
  [-32_601, "refused"],
  [410, "refused"],
]);

const MESSAGE_LENGTH_MAX = 300;

/**
 * The result of a JSON-RPC answer, parsed by the method's own schema.
 * @throws {RpcError} `body` when it is no JSON, `shape` when of another shape, else what the answer's error says
 */
export function parseAnswer<T>(text: string, schema: z.ZodType<T>): T {
  const envelope = parseShape(envelopeSchema, parseBody(text), "JSON-RPC answer");
  if (envelope.error) {
    const { code, message } = envelope.error;
    const kind = KINDS.get(code) ?? "rpc";
    throw new RpcError({ kind, code, message: `error ${code}: ${message.slice(0, MESSAGE_LENGTH_MAX)}` });
  }
  if (envelope.result === undefined) throw new RpcError({ kind: "shape", message: "the answer has no result" });
  return parseShape(schema, envelope.result, "result");
}

/** Exact JSON of a body. @throws {RpcError} `body`: what it holds instead is told by its first characters */
export function parseBody(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw new RpcError({
      kind: "body",
      message: `no JSON of ${text.length} characters: ${JSON.stringify(text.slice(0, 40))}`,
    });
  }
}

/** @throws {RpcError} `shape`, with the paths that do not fit */
export function parseShape<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const misfits = z.prettifyError(parsed.error).replaceAll(/\s+/g, " ").slice(0, MESSAGE_LENGTH_MAX);
  throw new RpcError({ kind: "shape", message: `unexpected shape of the ${what}: ${misfits}` });
}
