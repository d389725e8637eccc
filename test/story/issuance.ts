import type { PanelIssuance, SnapshotEntry } from "../../generator/entries/entry.ts";
import { epochAt, slotAt } from "./clock.ts";
import { answersBy } from "./witnesses.ts";

type Answer = Extract<PanelIssuance["answers"][number], { state: "ok" }>;

/** By default 3.85 % of 620 million SOL, and slots of 200 ms. */
export type Issuance = Partial<Pick<Answer, "validatorRate" | "supply" | "slotTimes">> | "silent";

export const SUPPLY = 620_000_000_000_000_000n;

/** Inflation and supply, by each witness. */
export function issuanceOf(
  minute: number,
  ...answers: Issuance[]
): Extract<SnapshotEntry["issuance"], { state: "ok" }> {
  const slot = slotAt(minute);
  const usual: Omit<Answer, "state" | "endpoint"> = {
    validatorRate: 0.0385,
    slot,
    supply: SUPPLY,
    slotTimes: [[200, 1]],
  };
  const value = {
    epoch: epochAt(minute),
    answers: answersBy(answers, (one) => ({ ...usual, ...one })),
  };
  return { state: "ok", value };
}
