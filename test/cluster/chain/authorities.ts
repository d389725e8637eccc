import { deriveProgramAddress } from "../../../generator/chain/program-address.ts";
import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import type { Moment } from "../calendar.ts";
import { type AuthorityRole, identityKeypair, type Key, type Member, toKey } from "./cast.ts";
import { MULTISIG_PROGRAM } from "../transactions/programs.ts";
import { toKeypair, type Keypair } from "../transactions/message.ts";
import type { World } from "../world.ts";

export interface Authority extends Key {
  /** null: a program's address. */
  keypair: Keypair | null;
}

type SlotOfStory = Pick<Moment, "ordinal" | "slotIndex">;

export interface Authorities {
  /** After all transactions of the slot. */
  at(member: Member, slot: SlotOfStory): Authority;
  signerAt(member: Member, slot: SlotOfStory): Authority;
  /** A slot, after whose last transaction the successor holds it; null: not this epoch. */
  handoverIn(member: Member, ordinal: number): number | null;
}

const OPERATOR_SIZE = 4;

const HANDOVER_PERIOD = 3;
/** The successor signs this epoch's commission change. */
const HANDOVER_FRACTION = 0.03;

export function createAuthorities({ random, calendar }: World): Authorities {
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
    return handoversUntil(member, ordinal + 1) > handoversUntil(member, ordinal)
      ? handoverSlotIndex
      : null;
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

/** Runs several vote accounts. */
export function operatorOf({ authority }: Member): number | null {
  return authority.role === "shared" ? Math.floor(authority.place / OPERATOR_SIZE) : null;
}

function handoversUntil({ authority: { role, place } }: Member, ordinal: number): number {
  if (role !== "successor") return 0;
  const first = 1 + (place % HANDOVER_PERIOD);
  return Math.ceil(Math.max(ordinal - first, 0) / HANDOVER_PERIOD);
}

function toAuthority(keypair: Keypair): Authority {
  return { bytes: keypair.bytes, address: keypair.address, keypair };
}

function toProgramAuthority(multisig: Uint8Array): Authority {
  const address = deriveProgramAddress(
    [Buffer.from("multisig"), multisig, Buffer.from("vault")],
    MULTISIG_PROGRAM,
  );
  return { bytes: decodePublicKey(address), address, keypair: null };
}

interface Settlement {
  /** Receives the inflation commission. */
  collector: Key;
  blockRevenueBasisPoints: number;
}

type SettlementChange = { slotIndex: number } & (
  { kind: "collector"; collector: Key } | { kind: "block revenue"; basisPoints: number }
);

/** A monitor must not take these for one of the inflation commission. */
export interface Settlements {
  at(member: Member, moment: Pick<Moment, "ordinal" | "slotIndex">): Settlement;
  changesIn(member: Member, ordinal: number): SettlementChange[];
}

const COLLECTOR_FRACTION = 0.41;
const BLOCK_REVENUE_FRACTION = 0.47;
const ALL_BASIS_POINTS = 10_000;
/** From epoch to epoch. */
const BLOCK_REVENUE_CHANGES: Partial<Record<AuthorityRole, readonly [even: number, odd: number]>> =
  { settler: [5000, ALL_BASIS_POINTS], busy: [ALL_BASIS_POINTS, 1250] };
/** Of the others share it at a steady rate. */
const SHARING = 0.03;
const SHARING_BASIS_POINTS = [9000, 7550, 5000] as const;
/**
 * Its account is closed and opened anew by the identity, which no search for the authority finds.
 */
const REOPENED = { from: 7550, to: ALL_BASIS_POINTS, ordinal: 5 } as const;

export function createSettlements({ random, calendar }: World): Settlements {
  const collectorSlotIndex = calendar.slotIndexAt(COLLECTOR_FRACTION);
  const blockRevenueSlotIndex = calendar.slotIndexAt(BLOCK_REVENUE_FRACTION);
  const collectorOf = ({ index }: Member, ordinal: number) =>
    toKey(random.bytes("collector", index, ordinal));

  /** null: it never changes. */
  function blockRevenueOf({ authority }: Member, ordinal: number): number | null {
    return BLOCK_REVENUE_CHANGES[authority.role]?.[ordinal % 2 === 0 ? 0 : 1] ?? null;
  }

  function steadyBlockRevenueOf({ index, life }: Member, ordinal: number): number {
    if (life.role === "silent") return ordinal < REOPENED.ordinal ? REOPENED.from : REOPENED.to;
    const draw = random.fraction("block revenue", index);
    return draw < SHARING
      ? (SHARING_BASIS_POINTS[index % 3] ?? ALL_BASIS_POINTS)
      : ALL_BASIS_POINTS;
  }

  return {
    at(member, { ordinal, slotIndex }) {
      const [collected, shared] = [collectorSlotIndex, blockRevenueSlotIndex].map((from) =>
        slotIndex >= from ? ordinal : ordinal - 1,
      ) as [number, number];
      return {
        collector:
          member.authority.role !== "settler" || collected < 0
            ? member.vote
            : collectorOf(member, collected),
        blockRevenueBasisPoints:
          (shared < 0 ? null : blockRevenueOf(member, shared)) ??
          steadyBlockRevenueOf(member, ordinal),
      };
    },
    changesIn(member, ordinal) {
      const basisPoints = blockRevenueOf(member, ordinal);
      const ofCollector: SettlementChange[] =
        member.authority.role === "settler"
          ? [
              {
                kind: "collector",
                slotIndex: collectorSlotIndex,
                collector: collectorOf(member, ordinal),
              },
            ]
          : [];
      if (basisPoints === null) return ofCollector;
      return [
        ...ofCollector,
        { kind: "block revenue", slotIndex: blockRevenueSlotIndex, basisPoints },
      ];
    },
  };
}
