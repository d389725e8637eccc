import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import type { Dice } from "../random.ts";
import { carryOut, type Carried } from "./chain.ts";
import { timeOf, valueAt, type Cluster, type Validator } from "./cluster.ts";
import type { ListedTransaction, ShownTransaction } from "../../cluster/rpc/view.ts";
import { tell, toRow } from "./history.ts";
import { keypairAt } from "./keys.ts";
import { orderOf, setRate } from "./vote-transactions.ts";

/** Fields left out are told truly. */
export interface TransactionTelling {
  listed?: (rows: ListedTransaction[], address: string, slot: number) => ListedTransaction[];
  told?: (told: ShownTransaction | null, signature: string) => ShownTransaction | null;
  firstBlock?: (slot: number) => number;
  schedule?: (schedule: { slotsPerEpoch: number }) => object;
  authority?: (vote: string) => string | null;
}

export interface Draw {
  dice: Dice;
  cluster: Cluster;
}

export type IsVictim = (key: string) => boolean;

/** Signed transactions that no block holds, listed as just made. */
export function inventing(
  { dice, cluster }: Draw,
  by: (authority: string) => string,
): TransactionTelling {
  const invented = new Map<string, Carried>();
  const isVictim = drawVictims(dice);
  const every = dice.between(200, 3_000);
  const rate = dice.pick([0, 5_000, 10_000]);
  return {
    listed: (rows, address, slot) => {
      const signer = by(address);
      const isOwn = ({ authorities, vote }: Validator) =>
        valueAt(authorities, slot) === address && isVictim(vote);
      const own = keypairAt(signer) === null ? [] : cluster.validators.filter(isOwn);
      const at = Math.floor(slot / every) * every;
      const more = own.map(({ vote, layout }) => {
        const place = {
          slot: at,
          index: 0,
          blockTime: Math.floor(timeOf(cluster, at) / 1000),
          nonce: `invented ${at}`,
        };
        const change = setRate(vote, signer, rate, layout === "percent");
        const carried = carryOut(orderOf(place, [change], []));
        invented.set(carried.signature, carried);
        return toRow(carried);
      });
      return sorted([...rows, ...more]);
    },
    told(told, signature) {
      const carried = invented.get(signature);
      if (told !== null || carried === undefined) return told;
      return tell(carried, { tellsIndex: true, tellsTime: true });
    },
  };
}

const junk: string[] = [];

function junkAt(index: number): string {
  return (junk[index] ??= base58.encode(createHash("sha512").update(`junk ${index}`).digest()));
}

export function listingJunk(dice: Dice, count: number): TransactionTelling {
  const isVictim = drawVictims(dice);
  const isFresh = dice.chance(50);
  return {
    listed: (rows, address, slot) => {
      if (!isVictim(address)) return rows;
      const start = isFresh ? dice.between(0, 400) : 0;
      const more = Array.from({ length: count }, (_, index) => ({
        ...{ signature: junkAt(start + index), slot, err: null },
        ...{ blockTime: null, index: null },
      }));
      return [...more, ...rows];
    },
  };
}

export function drawVictims(dice: Dice): IsVictim {
  const percent = dice.pick([10, 30, 60, 100, 100]);
  const salt = dice.between(0, 255);
  return (key) =>
    (key.charCodeAt(key.length - 1) * 31 + key.charCodeAt(key.length - 2) * 7 + salt) % 100 <
    percent;
}

export function sorted(rows: ListedTransaction[]): ListedTransaction[] {
  return rows.sort((a, b) => b.slot - a.slot);
}
