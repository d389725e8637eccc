import type { PanelIssuance, SoleIssuance } from "../../generator/entries/entry.ts";
import { epochAt, slotAt } from "./story.ts";

export const PANEL = [1, 2, 3];

export function toLabel(position: number): string {
  return `http://127.0.0.${position}#${position}`;
}

/** Inflation by two of the three witnesses, which differ a little in the supply. @param silent null: there is no panel */
export function toIssuance(minute: number, percent: number, silent: string | null): PanelIssuance | SoleIssuance {
  const epoch = epochAt(minute);
  const slotTimes: SoleIssuance["slotTimes"] = [[200, slotAt(130)]];
  const told = { validatorRate: (percent + 1) / 100, slot: slotAt(minute), supply: 10n ** 18n, slotTimes };
  if (silent === null) return { epoch, ...told };
  const answers = PANEL.map((position): PanelIssuance["answers"][number] => {
    const endpoint = toLabel(position);
    if (endpoint === silent) return { state: "failed", endpoint, reason: "it did not answer" };
    return { state: "ok", endpoint, ...told, supply: told.supply + BigInt(position) };
  });
  return { epoch, answers };
}
