import type { PanelTips, SnapshotEntry } from "../entries/entry.ts";
import { findMajority } from "./majority.ts";
import { keepNear } from "./slots.ts";
import { decidesAlone, type WitnessLists } from "./witness-lists.ts";

/*
 * A tip account holds a validator's MEV commission of one epoch. It is created in the validator's
 * first block of the epoch and never changes. So until the epoch ends, a missing account means
 * nothing.
 */

/** A MEV commission in basis points, at most 10,000; "absent": there is no tip account. */
export type TipState = number | "absent";

/** The MEV commission of a validator in an epoch on which the panel agrees. */
export interface AgreedTip {
  vote: string;
  epoch: number;
  /** The answers that count, by endpoint. */
  answers: { endpoint: string; state: TipState }[];
  /** null: disputed, or not known. */
  value: TipState | null;
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
}

/** No program allows a higher rate. */
const BASIS_POINTS_MOST = 10_000;
/**
 * Share of the known accounts that a witness must have. One that lacks more does not count when it
 * lacks an account.
 */
const CONTROLS_LEAST_PERCENT = 80;

type Answer = Extract<PanelTips["answers"][number], { state: "ok" }>;

/** The tip accounts that a snapshot asked for. */
export interface AgreedTips {
  /** Number of witnesses asked; 0: tips were not read. */
  panelSize: number;
  tips: AgreedTip[];
}

type Observed = Pick<SnapshotEntry, "tips" | "slot" | "epoch" | "absoluteSlot" | "slotIndex">;

/** Finds what a majority agrees on for each tip account that was asked for. */
export function agreeOnTips(
  entry: Observed,
  lists: Pick<WitnessLists, "isAlone" | "silent">,
): AgreedTips {
  if (entry.tips.state !== "ok") return { panelSize: 0, tips: [] };
  const { tips, controls, answers: given } = entry.tips.value;
  const { slot } = entry;
  const beginning = entry.absoluteSlot - entry.slotIndex;
  const size = given.length;
  const answered = keepNear(
    given.filter((answer) => answer.state === "ok"),
    slot,
  ).map((answer) => ({ ...answer, isWhole: hasControls(answer, tips.length, controls.length) }));
  const isAlone = decidesAlone(lists, given, answered);
  // Most tip accounts of an epoch have one of a few rates, so equal answers are evaluated only
  // once.
  const readings = new Map<string, Pick<AgreedTip, "answers" | "value">>();

  function read(
    epoch: number,
    states: readonly (TipState | null)[],
  ): Pick<AgreedTip, "answers" | "value"> {
    const answers = answered.flatMap(({ endpoint, isWhole, slot: at }, witness) => {
      const state = states[witness] ?? null;
      const mayBeMade = epoch >= entry.epoch || at < beginning;
      if (state === null || (state === "absent" && (!isWhole || mayBeMade))) return [];
      return [{ endpoint, state }];
    });
    const counted = answers.map(({ state }) => state);
    return { answers, value: findMajority(counted, isAlone ? 1 : size)[0] ?? null };
  }

  const agreed = tips.map(({ vote, epoch }, index): AgreedTip => {
    const states = answered.map(({ shares }) => toState(shares[index] ?? null));
    const key = `${epoch} ${states.join()}`;
    const { answers, value } = readings.get(key) ?? read(epoch, states);
    readings.set(key, { answers, value });
    return { vote, epoch, answers, value, isAlone };
  });
  return { panelSize: size, tips: agreed };
}

function hasControls({ shares }: Answer, first: number, count: number): boolean {
  const found = shares.slice(first, first + count).filter((share) => share !== null).length;
  return count > 0 && found * 100 >= count * CONTROLS_LEAST_PERCENT;
}

/** Converts a witness's answer; null: the account exists but cannot be read. */
function toState(share: [number | null] | null): TipState | null {
  if (share === null) return "absent";
  const [basisPoints] = share;
  return basisPoints === null || basisPoints > BASIS_POINTS_MOST ? null : basisPoints;
}
