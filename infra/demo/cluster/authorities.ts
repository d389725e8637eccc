import { deriveProgramAddress } from "../../../generator/chain/program-address.ts";
import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import type { Moment } from "./calendar.ts";
import { identityKeypair, type Key, type Member } from "./cast.ts";
import { MULTISIG_PROGRAM } from "./signing/programs.ts";
import { toKeypair, type Keypair } from "./signing/keypair.ts";
import type { World } from "./world.ts";

/** Whoever may change a vote account. */
export interface Authority extends Key {
  /** null: the address of a program, which has no private half. */
  keypair: Keypair | null;
}

type SlotOfStory = Pick<Moment, "ordinal" | "slotIndex">;

/** Who holds the withdraw authority of which vote account when. */
export interface Authorities {
  /** After all transactions of the slot. */
  at(member: Member, slot: SlotOfStory): Authority;
  /** At the start of the slot: who signs in it. */
  signerAt(member: Member, slot: SlotOfStory): Authority;
  /** The slot of an epoch in which the authority is handed over, as the last that happens in it; null: in none. */
  handoverIn(member: Member, ordinal: number): number | null;
}

/** Members of one operator. */
const OPERATOR_SIZE = 4;

const HANDOVER_PERIOD = 3;
/** Before the commission changes: it is for the new one to change it in that epoch. */
const HANDOVER_FRACTION = 0.03;

/** Builds the story; a key is made when it is first asked for. */
export function createAuthorities({ random, calendar }: World): Authorities {
  /** By member and generation. */
  const known: Authority[][] = [];
  const handoverSlotIndex = calendar.slotIndexAt(HANDOVER_FRACTION);

  function make(member: Member, generation: number): Authority {
    const { role } = member.authority;
    if (role === "program") return toProgramAuthority(random.bytes("multisig", member.index));
    if (role === "identity") return toAuthority(identityKeypair(random, member.index));
    const operator = operatorOf(member);
    if (operator !== null) return toAuthority(toKeypair(random.bytes("operator", operator)));
    return toAuthority(toKeypair(random.bytes("withdraw authority", member.index, generation)));
  }

  function recall(member: Member, generation: number): Authority {
    const ofMember = (known[member.index] ??= []);
    return (ofMember[generation] ??= make(member, generation));
  }

  function handoverIn(member: Member, ordinal: number): number | null {
    return handoversUntil(member, ordinal + 1) > handoversUntil(member, ordinal) ? handoverSlotIndex : null;
  }

  function generationAt(member: Member, { ordinal, slotIndex }: SlotOfStory): number {
    return handoversUntil(member, slotIndex >= handoverSlotIndex ? ordinal + 1 : ordinal);
  }

  return {
    at: (member, slot) => recall(member, generationAt(member, slot)),
    signerAt: (member, { ordinal, slotIndex }) =>
      recall(member, generationAt(member, { ordinal, slotIndex: slotIndex - 1 })),
    handoverIn,
  };
}

/** Which operator a member leaves its commission to; null: none. */
export function operatorOf({ authority }: Member): number | null {
  return authority.role === "shared" ? Math.floor(authority.place / OPERATOR_SIZE) : null;
}

/** How often a member's authority is handed over before an epoch begins. */
function handoversUntil({ authority: { role, place } }: Member, ordinal: number): number {
  if (role !== "successor") return 0;
  const first = 1 + (place % HANDOVER_PERIOD);
  return Math.ceil(Math.max(ordinal - first, 0) / HANDOVER_PERIOD);
}

function toAuthority(keypair: Keypair): Authority {
  return { bytes: keypair.bytes, address: keypair.address, keypair };
}

function toProgramAuthority(multisig: Uint8Array): Authority {
  const address = deriveProgramAddress([Buffer.from("multisig"), multisig, Buffer.from("vault")], MULTISIG_PROGRAM);
  return { bytes: decodePublicKey(address), address, keypair: null };
}
