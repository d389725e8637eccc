import { setU16 } from "./columns.ts";
import type { SnapshotEntry, SnapshotRow } from "../entries/entry.ts";
import type { Ledger } from "./ledger.ts";
import type { Found, Step } from "./step.ts";
import { touchPointsFrom } from "./touched.ts";
import { originOf } from "./witnesses.ts";

/*
 * The validator set (`epochVoteAccount`) decides which state of the vote account sets the paid commission (effects.ts).
 */

/** Each has two bits: whether it spoke, and what. Above them is the panel's size. */
const WITNESSES_MOST = 4;
const TOLD = 0b01;
const MEMBER = 0b10;
const PANEL_SHIFT = 2 * WITNESSES_MOST;

export interface ValidatorEpoch {
  epoch: number;
  ordinal: number;
}

export function foldMembership(step: Step, entry: SnapshotEntry, found: readonly Found<SnapshotRow>[]): void {
  const position = positionOf(entry);
  const panel = entry.panel.length;
  if (position === null || !isOfItsEpoch(entry)) return;
  for (const { row, ordinal } of found) keep(step, { epoch: entry.epoch, ordinal }, { position, panel, row });
}

export function isMember({ members }: Pick<Ledger, "members">, { epoch, ordinal }: ValidatorEpoch): boolean | null {
  const words = members.get(epoch)?.[ordinal] ?? 0;
  const majority = Math.floor((words >> PANEL_SHIFT) / 2) + 1;
  let [agreeing, others] = [0, 0];
  for (let position = 0; position < WITNESSES_MOST; position += 1) {
    const word = words >> (2 * position);
    if ((word & TOLD) === 0) continue;
    if ((word & MEMBER) === 0) others += 1;
    else agreeing += 1;
  }
  if (agreeing >= majority) return true;
  return others >= majority ? false : null;
}

/** Just after a boundary, a list's newest vote can lie in the previous epoch. */
export function isOfItsEpoch({
  slot,
  absoluteSlot,
  slotIndex,
  slotsInEpoch,
}: Pick<SnapshotEntry, "slot" | "absoluteSlot" | "slotIndex" | "slotsInEpoch">): boolean {
  const firstSlot = absoluteSlot - slotIndex;
  return slot >= firstSlot && slot < firstSlot + slotsInEpoch;
}

function keep(
  step: Step,
  place: ValidatorEpoch,
  { position, panel, row }: { position: number; panel: number; row: SnapshotEntry["votes"][number] },
): void {
  const { ledger, touched } = step;
  const held = ledger.members.get(place.epoch)?.[place.ordinal] ?? 0;
  const word = row.inValidatorSet ? TOLD | MEMBER : TOLD;
  const others = held & ~((TOLD | MEMBER) << (2 * position)) & ((1 << PANEL_SHIFT) - 1);
  const words = (panel << PANEL_SHIFT) | others | (word << (2 * position));
  if (words === held) return;
  const before = isMember(ledger, place) ?? true;
  setU16(ledger.members, place.epoch, place.ordinal, words, 0);
  // Unknown counts as member, so nothing shown changes.
  if ((isMember(ledger, place) ?? true) === before) return;
  touched.profiles.add(place.ordinal);
  touched.commissions.add(place.ordinal);
  // It also decides the rewards of the two epochs before.
  touchPointsFrom(step, place.epoch - 2);
}

function positionOf({ endpoint, panel }: SnapshotEntry): number | null {
  const position = panel.findIndex((witness) => originOf(witness.endpoint) === originOf(endpoint));
  return position >= 0 && position < WITNESSES_MOST ? position : null;
}
