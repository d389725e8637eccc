import { base58 } from "@scure/base";
import type { Carried } from "./chain.ts";
import {
  toInnerGroup,
  type ListedTransaction,
  type ShownTransaction,
} from "../../cluster/rpc/view.ts";
import { addressesOf } from "../../cluster/transactions/log.ts";
import { toRow } from "./history.ts";
import {
  drawVictims,
  inventing,
  listingJunk,
  sorted,
  type Draw,
  type IsVictim,
  type TransactionTelling,
} from "./invented-transactions.ts";
import { signerOf } from "./keys.ts";
import { FAILED, setRate } from "./vote-transactions.ts";

export const TRANSACTION_LIES = [
  "another slot",
  "two slots",
  "failed as good",
  "good as failed",
  "own key",
  "own signature",
  "invented inside",
  "looked up elsewhere",
  "another's transactions",
  "altered bytes",
  "pages left out",
  "junk listed",
  "busy",
  "another place",
  "another time",
  "unknown",
  "half of a slot",
  "kept longer",
  "kept shorter",
  "another schedule",
] as const;
export type TransactionLieKind = (typeof TRANSACTION_LIES)[number];

export const TRANSACTION_TELLINGS: Record<TransactionLieKind, (draw: Draw) => TransactionTelling> =
  {
    "another slot": ({ dice, cluster }) => {
      const shift = dice.pick([
        1,
        -1,
        cluster.slotsInEpoch,
        -cluster.slotsInEpoch,
        50,
        2_000,
        -2_000,
      ]);
      const isVictim = drawVictims(dice);
      const { listed, told } = changing(isVictim, ({ slot }) => ({
        slot: Math.max(0, slot + shift),
      }));
      return { told, listed: (rows) => sorted(listed(rows)) };
    },
    "two slots": ({ dice }) => ({
      told: (told) =>
        told && (dice.chance(50) ? { ...told, slot: told.slot + dice.between(1, 2_000) } : told),
    }),
    "failed as good": ({ dice }) => changing(drawVictims(dice), () => ({ err: null })),
    "good as failed": ({ dice }) => {
      const { listed, told } = changing(drawVictims(dice), () => ({ err: FAILED }));
      return dice.chance(50) ? { listed, told } : { told };
    },
    /** Properly signed by a stranger, sometimes shown as the authority. */
    "own key": ({ dice, cluster }) => {
      const own = signerOf("a liar");
      const isSaid = dice.chance(60);
      const isVictim = drawVictims(dice);
      const said = isSaid && { authority: (vote: string) => (isVictim(vote) ? own : null) };
      return { ...inventing({ dice, cluster }, () => own), ...said };
    },
    /** Properly signed by the authority but never carried out. */
    "own signature": ({ dice, cluster }) => inventing({ dice, cluster }, (authority) => authority),
    "invented inside": ({ dice, cluster }) => {
      const votes = cluster.validators.map(({ vote }) => vote);
      const named = new Map<string, Carried | null>();
      return {
        told: (told, signature) => {
          const carried = told && (named.get(signature) ?? cluster.chain.find(signature));
          named.set(signature, carried);
          if (!told || !carried) return told;
          const { deeds } = carried;
          const addresses = addressesOf(carried);
          const vote = deeds[0]?.vote ?? votes.find((one) => addresses.has(one));
          const authority = deeds[0]?.signer;
          if (vote === undefined || authority === undefined || carried.table !== null) return told;
          const keys = keysIn(told.bytes);
          const change = setRate(vote, authority, dice.pick([0, 5_000, 10_000]), false);
          return { ...told, inner: [toInnerGroup(0, [change], keys)] };
        },
      };
    },
    "looked up elsewhere": ({ dice, cluster }) => ({
      told: (told) => {
        const loaded = cluster.validators[dice.between(0, cluster.validators.length - 1)]?.vote;
        if (!told || loaded === undefined) return told;
        const isLookedUp = told.loaded.writable.length > 0;
        return isLookedUp || dice.chance(10)
          ? { ...told, loaded: { writable: [loaded], readonly: [] } }
          : told;
      },
    }),
    "another's transactions": ({ dice, cluster }) => {
      const isVictim = drawVictims(dice);
      const keys = [...cluster.chain.byAddress.keys()];
      return {
        listed: (rows, address, slot) => {
          if (!isVictim(address)) return rows;
          const other =
            cluster.chain.byAddress.get(keys[dice.between(0, keys.length - 1)] ?? "") ?? [];
          const more = other
            .filter(({ order }) => order.slot <= slot && order.failure === null)
            .slice(0, 5);
          const known = new Set(rows.map(({ signature }) => signature));
          return sorted([
            ...rows,
            ...more
              .map(({ signed }) => toRow(signed()))
              .filter(({ signature }) => !known.has(signature)),
          ]);
        },
      };
    },
    "altered bytes": ({ dice }) => {
      const isVictim = drawVictims(dice);
      const fromEnd = dice.between(1, 40);
      const flip = (bytes: Uint8Array) =>
        Uint8Array.from(bytes, (byte, at) => (at === bytes.length - fromEnd ? byte ^ 1 : byte));
      return {
        told: (told, signature) =>
          told && isVictim(signature) ? { ...told, bytes: flip(told.bytes) } : told,
      };
    },
    "pages left out": ({ dice }) => {
      const isVictim = drawVictims(dice);
      const knowsNothing = dice.chance(60);
      const isWhole = dice.chance(40);
      return {
        listed: (rows, address) =>
          isWhole
            ? isVictim(address)
              ? []
              : rows
            : rows.filter(({ signature }) => !isVictim(signature)),
        ...(knowsNothing && {
          told: (told: ShownTransaction | null, signature: string) =>
            isWhole || isVictim(signature) ? null : told,
        }),
      };
    },
    "junk listed": ({ dice }) => listingJunk(dice, dice.pick([1, 3, 20, 60])),
    busy: ({ dice }) => listingJunk(dice, dice.pick([80, 130, 400])),
    "another place": ({ dice }) => ({
      told: (told) => told && { ...told, index: dice.between(0, 3) },
    }),
    "another time": ({ dice }) => {
      const shift = dice.pick([-3_600, 86_400, 10 ** 9]);
      return {
        told: (told) => told && { ...told, blockTime: Math.max(0, (told.blockTime ?? 0) + shift) },
      };
    },
    unknown: ({ dice }) => {
      const isVictim = drawVictims(dice);
      return { told: (told, signature) => (isVictim(signature) ? null : told) };
    },
    "half of a slot": ({ dice }) => {
      const isLast = dice.chance(50);
      return {
        listed: (rows) =>
          rows.filter((row, index) => rows[isLast ? index - 1 : index + 1]?.slot !== row.slot),
      };
    },
    "kept longer": () => ({ firstBlock: () => 0 }),
    "kept shorter": ({ dice }) => {
      const distance = dice.between(-2_000, 2_000);
      return { firstBlock: (slot) => Math.max(0, slot + distance) };
    },
    "another schedule": ({ dice }) => {
      const [factor, by] = [dice.pick([1, 2]), dice.pick([0, 32])];
      return {
        schedule: ({ slotsPerEpoch }) => ({
          slotsPerEpoch: slotsPerEpoch * factor + by,
          ...(by > 0 && { firstNormalEpoch: 1, firstNormalSlot: 32 }),
        }),
      };
    },
  };

/** Tells the victims otherwise, in the list and alone. */
function changing(
  isVictim: IsVictim,
  change: (of: { slot: number }) => { slot?: number; err?: unknown },
) {
  const apply = <Told extends { slot: number }>(told: Told, signature: string): Told =>
    isVictim(signature) ? { ...told, ...change(told) } : told;
  return {
    listed: (rows: ListedTransaction[]) => rows.map((row) => apply(row, row.signature)),
    told: (told: ShownTransaction | null, signature: string) => told && apply(told, signature),
  };
}

/** The static keys of a transaction with fewer than 128 of anything. */
function keysIn(bytes: Uint8Array): string[] {
  const start = findKeys(bytes);
  const count = bytes[start - 1] ?? 0;
  return Array.from({ length: count }, (_, index) =>
    base58.encode(bytes.subarray(start + index * 32, start + 32 + index * 32)),
  );
}

/** After their count. */
function findKeys(bytes: Uint8Array): number {
  const [first = 0] = bytes;
  if (first > 0x7f) return 42;
  const message = 1 + first * 64;
  return message + ((bytes[message] ?? 0) > 0x7f ? 5 : 4);
}
