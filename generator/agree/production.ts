import type { PanelProduction, SnapshotEntry } from "../entries/entry.ts";
import { findMajority } from "./majority.ts";
import { keepNear } from "./slots.ts";
import { decidesAlone, type WitnessLists } from "./witness-lists.ts";

/*
 * Once the last slot of an epoch is finalized, all nodes count the same blocks of it. A validator
 * that made a block and shared its tips has a tip account; one that made no block has none either
 * way. So a missing tip account means something only for those that made one.
 */

/** Who made blocks in the epoch before that of a snapshot. */
export interface AgreedProduction {
  epoch: number;
  /** Whether an identity made a block; without identities on which no majority agrees. */
  hasMadeBlock: Map<string, boolean>;
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
}

type Observed = Pick<
  SnapshotEntry,
  "closedProduction" | "slot" | "epoch" | "absoluteSlot" | "slotIndex"
>;

/**
 * Finds who made blocks in the epoch before a snapshot's, by a majority.
 * @returns null if it was not read, or not of that whole epoch
 */
export function agreeOnProduction(
  entry: Observed,
  lists: Pick<WitnessLists, "isAlone" | "silent">,
): AgreedProduction | null {
  const { closedProduction, slot } = entry;
  if (closedProduction.state !== "ok" || !isOfClosedEpoch(closedProduction.value, entry))
    return null;
  const { epoch, lastSlot, identities, answers } = closedProduction.value;
  const answered = answers.filter((answer) => answer.state === "ok");
  const counted = keepNear(answered, slot).filter((answer) => answer.slot > lastSlot);
  const isAlone = decidesAlone(lists, answers, counted);
  const size = isAlone ? 1 : answers.length;
  const hasMadeBlock = new Map<string, boolean>();
  for (const [index, identity] of identities.entries()) {
    const votes = counted.flatMap(({ blocks }) => {
      const own = blocks[index] ?? null;
      return own === null ? [] : [own[1] > 0];
    });
    const [agreed] = findMajority(votes, size);
    if (agreed !== undefined) hasMadeBlock.set(identity, agreed);
  }
  return { epoch, hasMadeBlock, isAlone };
}

/**
 * Whether the answers are of the whole epoch before. They were asked for by the ledger's schedule,
 * which this very entry may correct.
 */
function isOfClosedEpoch({ epoch, lastSlot }: PanelProduction, entry: Observed): boolean {
  return epoch === entry.epoch - 1 && lastSlot === entry.absoluteSlot - entry.slotIndex - 1;
}
