import { z } from "zod";
import type { Keypair } from "../../cluster/transactions/message.ts";
import {
  setComputeUnitLimit,
  SLOT_HASHES,
  voteFor,
  type SlotHash,
} from "../../cluster/transactions/programs.ts";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import type { Member } from "./members.ts";
import type { Ask } from "./rpc.ts";
import { send } from "./transactions.ts";

/** For accounts without a node: without credits an epoch pays them nothing. */
export interface Voter {
  add(member: Member): void;
  remove(member: Member): void;
  vote(): Promise<void>;
}

const COUNT_BYTES = 8;
const COMPUTE_UNITS = 100_000;

const accountSchema = z.object({
  value: z.object({ data: z.tuple([z.base64(), z.literal("base64")]) }),
});

export function createVoter(ask: Ask, faucet: Keypair): Voter {
  let voting: { member: Member; root: bigint | null }[] = [];
  return {
    add: (member) => void voting.push({ member, root: null }),
    remove: (gone) => void (voting = voting.filter(({ member }) => member !== gone)),
    async vote() {
      const newest = await readNewestSlotHash(ask);
      const due = voting.filter(({ root }) => root === null || root < newest.slot);
      if (due.length === 0) return;
      const votes = due.map(({ member, root }) =>
        voteFor(member.vote.address, member.owner.address, { ...newest, root }),
      );
      const owners = due.map(({ member }) => member.owner);
      // A transaction with nothing but a vote counts as a node's own, and those use another port.
      await send(ask, {
        keys: [faucet, ...owners],
        instructions: [setComputeUnitLimit(COMPUTE_UNITS), ...votes],
      });
      for (const one of due) one.root = newest.slot;
    },
  };
}

/** The newest of the SlotHashes sysvar. */
async function readNewestSlotHash(ask: Ask): Promise<SlotHash> {
  const options = {
    commitment: "processed",
    encoding: "base64",
    dataSlice: { offset: COUNT_BYTES, length: 40 },
  };
  const { value } = await ask("getAccountInfo", [SLOT_HASHES, options], accountSchema);
  const bytes = Buffer.from(value.data[0], "base64");
  return { slot: bytes.readBigUInt64LE(0), hash: encodePublicKey(bytes.subarray(8)) };
}
