import { base58 } from "@scure/base";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { readTransaction, type SignedTransaction } from "./transaction.ts";
import { toPercent } from "./values.ts";

type RawTransaction = DocumentOf<"validatorTransactions">["data"][number];

/** What the browser found out by itself. */
export type Finding =
  | {
      kind: "valid";
      signer: string;
      /** Of the message. */
      bytes: number;
      /** That its instructions set, percent, in order. */
      commissions: number[];
    }
  | { kind: "refused"; why: string }
  /** It cannot verify ed25519, or the page did not come over HTTPS. */
  | { kind: "unsupported" };

const VOTE_PROGRAM = "Vote111111111111111111111111111111111111111";
// Tags of instructions of the vote program: a u32 before the fields.
const UPDATE_COMMISSION = 5;
const UPDATE_COMMISSION_BASIS_POINTS = 18;

/**
 * Verifies each signature of a published transaction with WebCrypto, and that its signed message
 * sets the validator's inflation commission to what is published.
 */
export async function checkSignature(
  { bytes, signature, signer, commissions }: RawTransaction,
  votePubkey: string,
): Promise<Finding> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (subtle === undefined) return { kind: "unsupported" };
  const transaction = tryToRead(bytes);
  if (transaction === null) return refuse("These bytes are no transaction.");
  const [id] = transaction.signatures;
  if (id === undefined || base58.encode(id) !== signature)
    return refuse("These bytes carry another signature than the one published.");
  const keys = transaction.keys.map((key) => base58.encode(key));
  if (!keys.slice(0, transaction.signatures.length).includes(signer))
    return refuse(`${signer} did not sign this transaction.`);
  for (const [index, one] of transaction.signatures.entries()) {
    const isValid = await verify(
      subtle,
      { key: transaction.keys[index], signature: one },
      transaction.message,
    );
    if (isValid === null) return { kind: "unsupported" };
    if (!isValid)
      return refuse(`The signature of ${keys[index] ?? "a key"} does not fit these bytes.`);
  }
  const set = readCommissions(transaction, keys, { votePubkey, signer });
  if (set.join() !== commissions.join())
    return refuse(`The signed message sets ${toList(set)}, not ${toList(commissions)}.`);
  return { kind: "valid", signer, bytes: transaction.message.length, commissions: set };
}

function refuse(why: string): Finding {
  return { kind: "refused", why };
}

function toList(percents: readonly number[]): string {
  return percents.length === 0 ? "no commission" : percents.map(toPercent).join(", ");
}

function tryToRead(base64: string): SignedTransaction | null {
  try {
    return readTransaction(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** null: this browser does not know ed25519. */
async function verify(
  subtle: SubtleCrypto,
  { key, signature }: { key: Uint8Array | undefined; signature: Uint8Array },
  message: Uint8Array,
): Promise<boolean | null> {
  if (key === undefined) return false;
  try {
    const imported = await subtle.importKey("raw", copy(key), "Ed25519", false, ["verify"]);
    return await subtle.verify("Ed25519", imported, copy(signature), copy(message));
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotSupportedError") return null;
    return false;
  }
}

/** Of a buffer of its own, as WebCrypto's types want it. */
function copy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}

/** Percent; only of instructions of the message itself that the signer is named in. */
function readCommissions(
  { instructions }: SignedTransaction,
  keys: readonly string[],
  { votePubkey, signer }: { votePubkey: string; signer: string },
): number[] {
  return instructions.flatMap(({ program, accounts, data }) => {
    const named = accounts.map((index) => keys[index]);
    const isOurs =
      keys[program] === VOTE_PROGRAM && named[0] === votePubkey && named.includes(signer);
    const commission = isOurs ? readCommission(data) : null;
    return commission === null ? [] : [Math.min(commission, 100)];
  });
}

/** Percent; null: it sets something else. */
function readCommission(data: Uint8Array): number | null {
  const [tag] = data;
  if (data.slice(1, 4).some((byte) => byte !== 0)) return null;
  if (tag === UPDATE_COMMISSION) return data[4] ?? null;
  // Then the kind: 0 is that of inflation rewards.
  const [low, high, kind] = data.slice(4, 7);
  return tag === UPDATE_COMMISSION_BASIS_POINTS && kind === 0 && low !== undefined
    ? ((high ?? 0) * 256 + low) / 100
    : null;
}
