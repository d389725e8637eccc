import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import type { Keypair } from "../../cluster/transactions/message.ts";
import { deriveKeypair } from "../../integration/validator/keys.ts";

/** A made-up key, mostly zeros: those encode and decode many times faster. */
export function keyOf(name: string): string {
  const bytes = new Uint8Array(32);
  bytes.set(createHash("sha256").update(name).digest().subarray(0, 5), 27);
  return base58.encode(bytes);
}

const keypairs = new Map<string, Keypair>();
const named = new Map<string, Keypair>();

/** A signing key, by name; slow, like signing. */
export function signingKeyOf(name: string): Keypair {
  const keypair = named.get(name) ?? deriveKeypair(`liars: ${name}`);
  named.set(name, keypair);
  keypairs.set(keypair.address, keypair);
  return keypair;
}

/** Its address. */
export function signerOf(name: string): string {
  return signingKeyOf(name).address;
}

/**
 * The key behind an address of {@link signingKeyOf}; null: a program's address, which signs nothing.
 */
export function keypairAt(address: string): Keypair | null {
  return keypairs.get(address) ?? null;
}

export function programSignerOf(name: string): string {
  return keyOf(`program ${name}`);
}
