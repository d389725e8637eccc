import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { TransactionError } from "../../../generator/chain/byte-reader.ts";
import { decodeTransaction } from "../../../generator/chain/transaction.ts";
import { BOUNDS } from "../../chain/bounds.ts";
import { make, OWNERS, VOTE_ACCOUNTS } from "../../chain/made-up.ts";
import {
  updateCommission,
  updateCommissionBasisPoints,
} from "../../cluster/transactions/programs.ts";
import { NodeError } from "./rpc.ts";
import { hasValidator, startValidator, type Validator } from "./validator.ts";

const [VOTE, OTHER_VOTE] = VOTE_ACCOUNTS;
const CHANGE = updateCommissionBasisPoints(VOTE, OWNERS[0].address, 525);
const OTHER_CHANGE = updateCommission(OTHER_VOTE, OWNERS[1].address, 9);
const LOOKUPS = [{ table: OTHER_VOTE, writable: [{ place: 7, address: VOTE }], readonly: [] }];
const SETTINGS = {
  computeUnitLimit: 9,
  loadedAccountsBytes: 99,
  priorityFeeLamports: 999n,
  heapBytes: 65_536,
};
const SAMPLES = {
  "a legacy transaction": make([CHANGE]),
  "one of version 0": make([CHANGE, OTHER_CHANGE], { version: 0, lookups: LOOKUPS }),
  "one of version 1": make([CHANGE, OTHER_CHANGE], { version: 1, config: SETTINGS }),
};
const LANES = 8;

describe.skipIf(!hasValidator)(
  "bytes that a real validator is asked to execute are read here where it reads them",
  () => {
    let validator: Validator;
    beforeAll(async () => {
      validator = await startValidator({ slotsPerEpoch: 300 });
      return () => validator.close();
    });

    it("of each bound", async () => {
      expect(await findDifferences(BOUNDS.map(({ name, bytes }) => [name, bytes]))).toEqual([]);
    });

    it.each(Object.entries(SAMPLES))(
      "of %s, whatever byte is changed and wherever it is cut",
      async (_, bytes) => {
        const cuts = Array.from(
          { length: bytes.length },
          (_, length) => [`cut to ${length}`, bytes.slice(0, length)] as const,
        );
        expect(await findDifferences([["whole", bytes], ...listChanged(bytes), ...cuts])).toEqual(
          [],
        );
      },
    );

    async function findDifferences(
      all: (readonly [name: string, bytes: Uint8Array])[],
    ): Promise<string[]> {
      const left = all.values();
      const lanes = Array.from({ length: LANES }, async () => {
        const different: string[] = [];
        for (const [name, bytes] of left) {
          const [ours, theirs] = [refuseHere(bytes), await refuseThere(bytes)];
          if ((ours === null) !== (theirs === null))
            different.push(`${name}: ${ours ?? "read"}, there ${theirs ?? "read"}`);
        }
        return different;
      });
      return (await Promise.all(lanes)).flat();
    }

    /** null: it reads them, whatever comes of it. */
    async function refuseThere(bytes: Uint8Array): Promise<string | null> {
      const options = { encoding: "base64", sigVerify: false, replaceRecentBlockhash: true };
      try {
        const { value } = await validator.ask(
          "simulateTransaction",
          [toBase64(bytes), options],
          simulatedSchema,
        );
        return value.err === NAMED_TWICE ? NAMED_TWICE : null;
      } catch (error) {
        if (!(error instanceof NodeError)) throw error;
        return error.message.includes(NO_TABLE) ? null : error.message;
      }
    }
  },
);

const simulatedSchema = z.object({ value: z.object({ err: z.unknown() }) });
/** Found after reading. */
const NAMED_TWICE = "AccountLoadedTwice";
const NO_TABLE = "loads an address table account that doesn't exist";
/** Its JSON-RPC, unlike the network, cuts off what stands after the end. */
const LONGER = "stand after the end";

function refuseHere(bytes: Uint8Array): string | null {
  try {
    decodeTransaction(bytes);
    return null;
  } catch (error) {
    if (!(error instanceof TransactionError)) throw error;
    return error.message.includes(LONGER) ? null : error.message;
  }
}

function* listChanged(bytes: Uint8Array): Generator<[name: string, bytes: Uint8Array]> {
  for (const [offset, was] of bytes.entries()) {
    const values = new Set([0, 0x80, 0x81, 0xff, was ^ 0x10, (was + 1) % 256, (was + 255) % 256]);
    values.delete(was);
    for (const value of values)
      yield [`byte ${offset} is ${value}`, Uint8Array.from(bytes).fill(value, offset, offset + 1)];
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
