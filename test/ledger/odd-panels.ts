import type { PanelIssuance, PanelTipAmounts } from "../../generator/entries/entry.ts";
import { epochAt, keyOf, slotAt } from "./story.ts";

/** Positions of the three witnesses. */
export const PANEL = [1, 2, 3];

export function toLabel(position: number): string {
  return `http://127.0.0.${position}#${position}`;
}

/** Inflation by two of the three witnesses, which differ a little in the supply.*/
export function toIssuance(minute: number, percent: number, silent: string): PanelIssuance {
  const epoch = epochAt(minute);
  const slotTimes: [number, number][] = [[200, slotAt(130)]];
  const told = { validatorRate: (percent + 1) / 100, slot: slotAt(minute), supply: 10n ** 18n, slotTimes };
  const answers = PANEL.map((position): PanelIssuance["answers"][number] => {
    const endpoint = toLabel(position);
    if (endpoint === silent) return { state: "failed", endpoint, reason: "it did not answer" };
    return { state: "ok", endpoint, ...told, supply: told.supply + BigInt(position) };
  });
  return { epoch, answers };
}

type Amounts = Extract<PanelTipAmounts["answers"][number], { state: "ok" }>["amounts"];

/** Tips of this epoch and the one before, by two of the three witnesses.*/
export function toTipAmounts(
  minute: number,
  actors: readonly { name: string; mevBps: number | null }[],
  silent: string,
): PanelTipAmounts {
  const tips = actors.flatMap(({ name }) => [0, 1].map((ago) => ({ vote: keyOf(name), epoch: epochAt(minute) - ago })));
  const amounts = actors.flatMap(({ mevBps }): Amounts => {
    const lamports = mevBps === null ? null : BigInt(mevBps * Math.ceil(minute));
    return [[lamports, false], mevBps === 9500 ? null : [BigInt(mevBps ?? 0), true]];
  });
  const answers = PANEL.map((position): PanelTipAmounts["answers"][number] => {
    const endpoint = toLabel(position);
    if (endpoint === silent) return { state: "failed", endpoint, reason: "it did not answer" };
    return { state: "ok", endpoint, slot: slotAt(minute), amounts };
  });
  return { tips, answers };
}
