import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { SEED_BYTES, toKeypair, type Keypair } from "../../cluster/transactions/message.ts";

export function createKeypair(): Keypair {
  return toKeypair(randomBytes(SEED_BYTES));
}

export function deriveKeypair(name: string): Keypair {
  return toKeypair(createHash("sha256").update(name).digest());
}

/** The validator tools' format: a JSON array of 32 private and 32 public bytes. */
export async function readKeypair(file: string): Promise<Keypair> {
  const bytes = keyFileSchema.parse(JSON.parse(await readFile(file, "utf8")));
  return toKeypair(Uint8Array.from(bytes).subarray(0, SEED_BYTES));
}

const keyFileSchema = z.array(z.int().min(0).max(255)).length(2 * SEED_BYTES);
