import {
  attachSignatures,
  layOutMessage,
  type Version,
} from "../cluster/transactions/message-layout.ts";
import { address } from "../cluster/transactions/layout.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";

/** Where the parts of a transaction of version 1 begin. */
export const OFFSETS = { header: 1, mask: 4, instructionCount: 40, keyCount: 41, keys: 42 };

export interface Bound {
  name: string;
  bytes: Uint8Array;
  /** Says why it is none; null: it is a transaction. */
  refusal: string | null;
}

interface Made {
  version?: Version;
  signers?: number;
  keys?: number;
  instructions?: number;
  dataLength?: number;
  heapBytes?: number;
}

/**
 * Unsigned. Of one signer, three keys and an instruction without data, where nothing else is said.
 */
export function lay({
  version = 1,
  signers = 1,
  keys = 3,
  instructions = 1,
  dataLength = 0,
  heapBytes,
}: Made = {}) {
  const message = layOutMessage(version, {
    header: Uint8Array.of(signers, 0, 1),
    keys: Array.from({ length: keys }, (_, index) =>
      address(deriveKeypair(`key ${index}`).address),
    ),
    blockhash: address(deriveKeypair("a block").address),
    instructions: Array.from({ length: instructions }, () => ({
      program: keys - 1,
      accounts: Uint8Array.of(0),
      data: new Uint8Array(dataLength),
    })),
    lookups: [],
    config: heapBytes === undefined ? {} : { heapBytes },
  });
  const signatures = Array.from({ length: signers }, () => new Uint8Array(64));
  return new Uint8Array(attachSignatures({ version, bytes: message }, signatures));
}

/** With as much data as makes it so long. */
const ofBytes = (length: number, version: Version) => {
  const dataLength = length - lay({ version, dataLength: length / 2 }).length + length / 2;
  return lay({ version, dataLength });
};

const KIB = 1024;
const bound = (name: string, bytes: Uint8Array, refusal: string | null = null): Bound => ({
  name,
  bytes,
  refusal,
});
const put = (offset: number, ...values: number[]) => {
  const bytes = lay();
  bytes.set(values, offset);
  return bytes;
};

/** What the runtime just allows of each version, and what is just too much. */
export const BOUNDS: readonly Bound[] = [
  bound("a legacy one of 1,232 bytes", ofBytes(1_232, "legacy")),
  bound("a legacy one of 1,233 bytes", ofBytes(1_233, "legacy"), "1232 bytes at most, not 1233"),
  bound("one of version 0 with 1,232 bytes", ofBytes(1_232, 0)),
  bound("one of version 0 with 1,233 bytes", ofBytes(1_233, 0), "1232 bytes at most, not 1233"),
  bound("4,096 bytes", ofBytes(4_096, 1)),
  bound("4,097 bytes", ofBytes(4_097, 1), "4096 bytes at most, not 4097"),
  bound("64 instructions", lay({ instructions: 64 })),
  bound(
    "65 instructions",
    lay({ instructions: 65 }),
    "Byte 40: 65 instructions, and version 1 allows 64",
  ),
  bound("no instruction", lay({ instructions: 0 })),
  bound("64 keys", lay({ keys: 64 })),
  bound("65 keys", lay({ keys: 65 }), "Byte 40: 65 keys, and version 1 allows 64"),
  bound("12 signers", lay({ signers: 12, keys: 14 })),
  bound(
    "13 signers",
    lay({ signers: 13, keys: 15 }),
    "Byte 0: 13 signatures, and version 1 allows 12",
  ),
  bound("the smallest heap", lay({ heapBytes: 32 * KIB })),
  bound("a smaller heap", lay({ heapBytes: 31 * KIB }), "a heap of 31744 bytes"),
  bound("a heap between two steps", lay({ heapBytes: 33 * KIB - 1 }), "a heap of 33791 bytes"),
  bound("the largest heap", lay({ heapBytes: 256 * KIB })),
  bound("a larger heap", lay({ heapBytes: 257 * KIB }), "a heap of 263168 bytes"),
  bound("nobody who signs", put(OFFSETS.header, 0), "0 of 0 signers are read-only"),
  bound(
    "a payer that is not written to",
    put(OFFSETS.header, 1, 1),
    "1 of 1 signers are read-only",
  ),
  bound(
    "more keys in its header than there are",
    put(OFFSETS.header, 1, 0, 3),
    "more keys than the 3 there are",
  ),
  bound("the first half of a fee", put(OFFSETS.mask, 0b01), "Half of the priority fee is missing"),
  bound("the second half of a fee", put(OFFSETS.mask, 0b10), "Half of the priority fee is missing"),
  bound(
    "a setting to come",
    put(OFFSETS.mask, 0b10_0000),
    "Settings are not known, of the mask 100000",
  ),
  bound(
    "the last setting",
    put(OFFSETS.mask + 3, 0x80),
    `Settings are not known, of the mask 1${"0".repeat(31)}`,
  ),
];
