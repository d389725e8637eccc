import type { PanelProduction, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isOneAlone } from "./majority.ts";
import { keepNear } from "./slots.ts";
import type { WitnessLists } from "./witness-lists.ts";

/*
 * Once its last slot is finalized, all nodes count the same blocks of an epoch. Who made one
 * there had a tip account, if it shared tips; who made none has no tip account either way.
 */

/** Who made blocks in the epoch before that of a snapshot. */
export interface AgreedProduction {
  epoch: number;
  /** By identity: whether it made a block. Without identities on which no majority agrees. */
  hasMadeBlock: Map<string, boolean>;
  /** One of two counted, and the other did not answer. */
  isAlone: boolean;
}

type Observed = Pick<
  SnapshotEntry,
  "closedProduction" | "slot" | "epoch" | "absoluteSlot" | "slotIndex"
>;

/**
 * @param lists.isAlone one of two lists: who lists, but does not count blocks, is not silent
 * @returns null: not read, or not of the whole epoch before the snapshot's
 */
export function agreeOnProduction(
  entry: Observed,
  lists: Pick<WitnessLists, "isAlone">,
): AgreedProduction | null {
  const { closedProduction, slot } = entry;
  if (closedProduction.state !== "ok" || !isOfClosedEpoch(closedProduction.value, entry))
    return null;
  const { epoch, lastSlot, identities, answers } = closedProduction.value;
  const answered = answers.filter((answer) => answer.state === "ok");
  const counted = keepNear(answered, slot).filter((answer) => answer.slot > lastSlot);
  const isAlone = lists.isAlone && isOneAlone(answers, counted.length);
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

/** The ledger's schedule, by which it asked, may be corrected by this very entry. */
function isOfClosedEpoch({ epoch, lastSlot }: PanelProduction, entry: Observed): boolean {
  return epoch === entry.epoch - 1 && lastSlot === entry.absoluteSlot - entry.slotIndex - 1;
}
