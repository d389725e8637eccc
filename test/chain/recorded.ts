import { readFileSync } from "node:fs";
import { z } from "zod";

const answerSchema = z.object({
  result: z.object({
    transaction: z.tuple([z.base64(), z.literal("base64")]),
    version: z.union([z.literal("legacy"), z.literal(0), z.literal(1)]),
  }),
});

export function readRecorded(name: string): unknown {
  return JSON.parse(
    readFileSync(new URL(`recorded/getTransaction.${name}.json`, import.meta.url), "utf8"),
  );
}

/** A recorded transaction and the version the validator gave. */
export function readTransaction(name: string): { bytes: Uint8Array; version: "legacy" | 0 | 1 } {
  const { transaction, version } = answerSchema.parse(readRecorded(`base64.${name}`)).result;
  return { bytes: new Uint8Array(Buffer.from(transaction[0], "base64")), version };
}
