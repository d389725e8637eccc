import type { Authorities } from "../chain/authorities.ts";
import type { AuthorityRole, Member } from "../chain/cast.ts";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import { transfer, voteFor } from "./programs.ts";
import type { Instruction, Order } from "./message.ts";
import type { World } from "../world.ts";

interface Routine {
  memberWith(address: string): Member | null;
  members: readonly Member[];
  /** Oldest first. */
  ordersOf(member: Member, ordinal: number): Order[];
}

/** Real identities vote far more often; this is enough for nobody to read to the end. */
const PERIODS: Partial<Record<AuthorityRole, number>> = { busy: 1440, identity: 200 };

const INDEX_LEAST = 1000;

const FAILING_PERIOD = 23;
const INSUFFICIENT_FUNDS = { Custom: 1 };

/** On mainnet votes are transactions. */
export function createRoutine(
  { options, random, calendar, members }: World,
  authorities: Authorities,
): Routine {
  const routineMembers =
    options.withoutRoutine === true
      ? []
      : members.filter(({ authority }) => PERIODS[authority.role] !== undefined);
  const votesAreTransactions = options.network === "mainnet";
  let byAddress: Map<string, Member> | null = null;

  function instruct(member: Member, address: string, slot: number): Instruction {
    if (member.authority.role === "identity" && votesAreTransactions) {
      const voted = {
        slot: BigInt(slot - 1),
        hash: encodePublicKey(random.bytes("bank", slot)),
        root: BigInt(slot - 2),
      };
      return voteFor(member.vote.address, address, voted);
    }
    const to = encodePublicKey(random.bytes("receiver", member.index, slot % 7));
    return transfer({ from: address, to, lamports: BigInt(slot) });
  }

  return {
    members: routineMembers,
    memberWith(address) {
      byAddress ??= new Map(
        routineMembers.map((member) => [
          authorities.at(member, { ordinal: 0, slotIndex: 0 }).address,
          member,
        ]),
      );
      return byAddress.get(address) ?? null;
    },
    ordersOf(member, ordinal) {
      const { keypair } = authorities.at(member, { ordinal, slotIndex: 0 });
      const period = PERIODS[member.authority.role];
      if (keypair === null || period === undefined) return [];
      const first = calendar.firstSlotOf(options.firstEpoch + ordinal);
      const offset = random.whole(period, "routine", member.index);
      const count = Math.ceil((options.slotsPerEpoch - offset) / period);
      return Array.from({ length: count }, (_, turn): Order => {
        const slot = first + offset + turn * period;
        return {
          slot,
          index: INDEX_LEAST + member.index,
          payer: keypair,
          keypairs: [keypair],
          instructions: [instruct(member, keypair.address, slot)],
          version: "legacy",
          table: null,
          config: null,
          failure:
            turn % FAILING_PERIOD === FAILING_PERIOD - 1
              ? { InstructionError: [0, INSUFFICIENT_FUNDS] }
              : null,
          inner: null,
        };
      });
    },
  };
}
