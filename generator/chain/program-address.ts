import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";
import { decodePublicKey, encodePublicKey } from "./public-key.ts";

/** The runtime appends this text to the input of the hash. */
const MARKER = Buffer.from("ProgramDerivedAddress");
const SEEDS_MAX = 15;
const SEED_BYTES_MAX = 32;

/**
 * Returns the first address off the curve, in Base58. No private key exists for it (Solana runtime,
 * `find_program_address`).
 * @throws {RangeError} on more than 15 seeds or a seed over 32 bytes
 * @throws {Error} when `programId` is no public key
 */
export function deriveProgramAddress(seeds: Uint8Array[], programId: string): string {
  if (seeds.length > SEEDS_MAX)
    throw new RangeError(`At most ${SEEDS_MAX} seeds, not ${seeds.length}`);
  for (const seed of seeds) {
    if (seed.length > SEED_BYTES_MAX)
      throw new RangeError(`A seed has at most ${SEED_BYTES_MAX} bytes, not ${seed.length}`);
  }
  const program = decodePublicKey(programId);
  for (let bump = 255; bump > 0; bump--) {
    const address = hash([...seeds, Uint8Array.of(bump), program, MARKER]);
    if (!isOnCurve(address)) return encodePublicKey(address);
  }
  throw new Error("No bump seed gives an address off the curve");
}

function hash(parts: Uint8Array[]): Uint8Array {
  const sha256 = createHash("sha256");
  for (const part of parts) sha256.update(part);
  return sha256.digest();
}

/** Decodes by the runtime's lenient ZIP 215 rules; strict ones would differ for a few points. */
function isOnCurve(bytes: Uint8Array): boolean {
  try {
    Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}

/** Address of the vote program. Only its instructions change commissions. */
export const VOTE_PROGRAM = "Vote111111111111111111111111111111111111111";
