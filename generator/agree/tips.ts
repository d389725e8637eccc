import type { PanelTips, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isOneAlone } from "./majority.ts";
import { keepNear } from "./slots.ts";

/*
 * A tip account holds a validator's MEV commission of one epoch. It
 * is made in the validator's first block of the epoch and never
 * changes, so until the epoch ends a missing account means nothing.
 */

/** Basis points. */
export type TipState = number | "absent";

export interface AgreedTip {
  vote: string;
  epoch: number;
  /** By endpoint. */
  answers: { endpoint: string; state: TipState }[];
  /** null: disputed, or nobody knows. */
  value: TipState | null;
  /** One of two answered, and the other did not answer. */
  isAlone: boolean;
}

/** No program allows more. */
const BASIS_POINTS_MOST = 10_000;
/** A witness that lacks more of the accounts that are there does not count for missing ones. */
const CONTROLS_LEAST_PERCENT = 80;

type Answer = Extract<PanelTips["answers"][number], { state: "ok" }>;

export interface AgreedTips {
  /** Number of witnesses asked. */
  panelSize: number;
  tips: AgreedTip[];
}

type Observed = Pick<SnapshotEntry, "tips" | "slot" | "epoch" | "absoluteSlot" | "slotIndex">;

/** What the witnesses of a snapshot agree on for each tip account that was asked for. */
export function agreeOnTips(entry: Observed): AgreedTips {
  if (entry.tips.state !== "ok") return { panelSize: 0, tips: [] };
  const { tips, controls, answers: given } = entry.tips.value;
  const { slot } = entry;
  const beginning = entry.absoluteSlot - entry.slotIndex;
  const size = given.length;
  const answered = keepNear(
    given.filter((answer) => answer.state === "ok"),
    slot,
  ).map((answer) => ({ ...answer, isWhole: hasControls(answer, tips.length, controls.length) }));
  const isAlone = isOneAlone(given, answered.length);
  // Most of an epoch have one of few shares, and the answers of the first decide for all.
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

/** null: the account is there, but cannot be read. */
function toState(share: [number | null] | null): TipState | null {
  if (share === null) return "absent";
  const [basisPoints] = share;
  return basisPoints === null || basisPoints > BASIS_POINTS_MOST ? null : basisPoints;
}
