import type {
  AccountRow,
  AccountsAnswer,
  CheckRow,
  PanelIssuance,
  PanelProduction,
  PanelRow,
  PanelTipAmounts,
  SnapshotEntry,
} from "../../generator/entries/entry.ts";
import { toDifference } from "./panel-story.ts";
import { epochAt, keyOf, slotAt, SLOTS_IN_EPOCH, toListing, toSilentWitness, type Fact } from "./story.ts";

/** Positions of the three witnesses. */
export const PANEL = [1, 2, 3];

export function toLabel(position: number): string {
  return `http://127.0.0.${position}#${position}`;
}

/** A witness's list: the true one, another's rates, without some rows, or none. */
export type OddList = "same" | "different" | "lacking" | "silent";

interface Said {
  /** The witness that answers nothing. */
  witness: number;
  lists: readonly OddList[];
  /** Names of validators. */
  lacking: readonly string[];
}

/** Each witness's list; the entry's own is the first of those that give one. */
export function toPanel(minute: number, facts: Fact[], said: Said) {
  const giving = givingOf(said);
  const listOf = (position: number) => toOddList(facts, said.lists[position - 1] ?? "same", said.lacking);
  const [base = 0] = giving;
  const own = listOf(base);
  const panel = PANEL.map((position): PanelRow => {
    const endpoint = toLabel(position);
    if (!giving.includes(position)) return toSilentWitness(endpoint);
    const listing = toListing(endpoint, { slot: slotAt(minute), epoch: epochAt(minute) });
    return { ...listing, list: listing.list && { ...listing.list, ...toDifference(own, listOf(position)) } };
  });
  return { own, endpoint: toLabel(base), panel };
}

/** Positions; of three silent ones one answers all the same. */
function givingOf({ witness, lists }: Said): number[] {
  const answering = PANEL.filter((position) => position !== witness);
  const giving = answering.filter((position) => lists[position - 1] !== "silent");
  return giving.length > 0 ? giving : answering.slice(0, 1);
}

function toOddList(facts: Fact[], list: OddList, lacking: readonly string[]): Fact[] {
  if (list === "lacking") return facts.filter(({ name }) => !lacking.includes(name));
  if (list !== "different") return facts;
  // Each validator's rate, stake and state are another's.
  return facts.map((fact, index) => {
    const other = facts[(index + 1) % facts.length] ?? fact;
    const { name, identity = name } = fact;
    return { ...other, name, identity };
  });
}

/** What each witness that gives a list reads from the vote accounts. */
export function toAccounts(minute: number, rows: readonly CheckRow[], said: Said): SnapshotEntry["accounts"] {
  const giving = givingOf(said);
  const accounts = rows.map(({ vote, basisPoints, percent }): AccountRow => {
    return [basisPoints ?? (percent === null ? null : percent * 100), percent, vote, basisPoints];
  });
  return PANEL.map((position): AccountsAnswer => {
    const endpoint = toLabel(position);
    if (!giving.includes(position)) return { state: "failed", endpoint, reason: "it did not answer" };
    return { state: "ok", endpoint, slot: slotAt(minute), rows: accounts };
  });
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

/** Blocks in the epoch before, by two of the three witnesses. */
export function toClosedProduction(
  minute: number,
  actors: readonly { key: string; leaderSlots: number }[],
  silent: string,
): PanelProduction {
  const epoch = epochAt(minute) - 1;
  const firstSlot = epoch * SLOTS_IN_EPOCH;
  const blocks = actors.map(({ leaderSlots }): [number, number] => [leaderSlots, Math.min(leaderSlots, 3)]);
  const answers = PANEL.map((position): PanelProduction["answers"][number] => {
    const endpoint = toLabel(position);
    if (endpoint === silent) return { state: "failed", endpoint, reason: "it did not answer" };
    return { state: "ok", endpoint, slot: slotAt(minute), blocks };
  });
  const identities = actors.map(({ key }) => key);
  return { epoch, firstSlot, lastSlot: firstSlot + SLOTS_IN_EPOCH - 1, identities, answers };
}
