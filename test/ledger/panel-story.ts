import type {
  AccountRow,
  AccountsAnswer,
  CheckEntry,
  Entry,
  PanelConfirmEntry,
  SnapshotEntry,
  TipsAnswer,
} from "../../generator/entries/entry.ts";
import { check, epochAt, keyOf, slotAt, snapshot, timeAt, type Fact } from "./story.ts";

/* Stories that witnesses tell: entries as a panel makes them, written short. */

/** The endpoint of a witness, which is named by its place in the list of endpoints. */
export const endpointOf = (witness: number): string => `http://witness-${witness}.example#${witness}`;

/** Where each witness says that the cluster is; null: it cannot be asked. */
type Slots = readonly (number | null)[];

type Silence = { state: "failed"; endpoint: string; reason: string };

/** What a witness answers; "silent": it cannot be asked. */
function answerBy<Told extends object>(witness: number, told: Told): { state: "ok"; endpoint: string } & Told;
function answerBy(witness: number, told: "silent"): Silence;
function answerBy<Told extends object>(
  witness: number,
  told: Told | "silent",
): ({ state: "ok"; endpoint: string } & Told) | Silence;
function answerBy(witness: number, told: object | "silent"): object {
  const endpoint = endpointOf(witness);
  if (told === "silent") return { state: "failed", endpoint, reason: "no answer in time" };
  return { state: "ok", endpoint, ...told };
}

const toPanel = (slots: Slots) =>
  slots.map((slot, witness) => ({
    endpoint: endpointOf(witness),
    slot,
    reason: slot === null ? "no answer in time" : null,
  }));

/** All witnesses where the cluster is. */
export const levelAt = (minute: number, witnesses: number): number[] =>
  Array(witnesses).fill(slotAt(minute)) as number[];

export interface Told {
  /** How many witnesses there are. */
  of: number;
  /** Whose list was read; the first by default. */
  by?: number;
  /** What each witness says of its slot beyond the true one; null: it says nothing. */
  ahead?: (number | null)[];
  /** The withdraw authority of A that every witness reads. */
  authority?: string;
}

/** What a witness holds in the account of A; null: no such account, "silent": no answer. */
export type Held = { bps: number; ahead?: number } | { percent: number; ahead?: number } | null | "silent";

export function panelCheck(minute: number, facts: Fact[], told: Told): CheckEntry {
  return { ...check(minute, facts), ...toHeader(minute, told) };
}

/** Every witness holds in the accounts what the list says, but for those of A that are given. */
export function panelSnapshot(
  minute: number,
  facts: Fact[],
  told: Told & { held?: Held[] },
  sides: Partial<SnapshotEntry> = {},
): SnapshotEntry {
  const entry = { ...snapshot(minute, facts, sides), ...toHeader(minute, told) };
  const accounts = Array.from({ length: told.of }, (_, witness): AccountsAnswer => {
    const own = told.held?.[witness];
    if (own === "silent") return answerBy(witness, own);
    const rows = entry.votes.map(({ vote, basisPoints, percent }): AccountRow => {
      const isA = vote === keyOf("A");
      return isA && own !== undefined
        ? toRow(own, told.authority)
        : [basisPoints, percent, isA ? (told.authority ?? vote) : vote];
    });
    return answerBy(witness, { slot: slotAt(minute) + aheadOf(own), rows });
  });
  return { ...entry, accounts };
}

/** The second reading of A. */
export function panelConfirm(minute: number, held: Held[], authority?: string): PanelConfirmEntry {
  const answers = held.map((own, witness) =>
    answerBy(
      witness,
      own === "silent" ? own : { slot: slotAt(minute) + aheadOf(own), rows: [toRow(own, authority)], shares: [] },
    ),
  );
  return toConfirm(minute, { votes: [keyOf("A")], tips: [], answers });
}

/** A check by a witness, of slots that each of them names by itself. */
export function checkBy(
  minute: number,
  facts: Fact[],
  { by, slots, ...head }: { by: number; slots: Slots } & Partial<CheckEntry>,
): CheckEntry {
  return { ...check(minute, facts), endpoint: endpointOf(by), panel: toPanel(slots), ...head };
}

/** A snapshot in which all witnesses read the accounts that the list shows. */
export function snapshotBy(
  minute: number,
  facts: Fact[],
  { by, slots, ...head }: { by: number; slots: Slots } & Partial<SnapshotEntry>,
): SnapshotEntry {
  const base = snapshot(minute, facts);
  const rows = base.votes.map(({ basisPoints }): AccountRow => [basisPoints, null, keyOf("authority")]);
  const accounts = slots.map((slot, witness) => answerBy(witness, slot === null ? "silent" : { slot, rows }));
  return { ...base, endpoint: endpointOf(by), panel: toPanel(slots), accounts, ...head };
}

/** What a witness reads in the account of the only validator asked about: basis points, no such account, or it fails. */
export type Said = number | "absent" | "failed";

/** @param said by each witness of the account of one validator, at the slots given or where the cluster is */
export function confirmBy(
  minute: number,
  name: string,
  said: readonly Said[],
  slots?: readonly number[],
): PanelConfirmEntry {
  const answers = said.map((one, witness) => {
    const row: AccountRow = typeof one === "number" ? [one, null, keyOf("authority")] : null;
    const slot = slots?.[witness] ?? slotAt(minute);
    return answerBy(witness, one === "failed" ? "silent" : { slot, rows: [row], shares: [] });
  });
  return toConfirm(minute, { votes: [keyOf(name)], tips: [], answers });
}

/** A tip account as a witness reads it: the share, or no account. */
type HeldTip = number | "absent";

/** What a witness says of the tip accounts that a second reading asks for; "silent": it could not be asked. */
export type Witnessed = { now?: HeldTip; before?: HeldTip } | "silent";

/** The same observation, told by the first of so many witnesses that are all where the cluster is. */
export function byPanel(size: number, entry: SnapshotEntry): SnapshotEntry {
  const slots = Array.from({ length: size }, () => entry.slot);
  return { ...entry, endpoint: endpointOf(0), panel: toPanel(slots) };
}

/** What each witness reads of the tip accounts of these validators for the running epoch and the one before. */
export function read(minute: number, names: readonly string[], ...said: Witnessed[]): PanelConfirmEntry {
  const epoch = epochAt(minute);
  const tips = names.flatMap((name) => [epoch - 1, epoch].map((of) => ({ vote: keyOf(name), epoch: of })));
  const answers = said.map((one, witness) => {
    if (one === "silent") return answerBy(witness, one);
    const shares = names.flatMap(() => [toShare(one.before), toShare(one.now)]);
    return answerBy(witness, { slot: slotAt(minute), rows: [], shares });
  });
  return toConfirm(minute, { votes: [], tips, answers });
}

/** The tip accounts of a closed epoch as each witness reads them; "silent": it could not be asked. */
export function closedBy(
  minute: number,
  names: readonly string[],
  ...said: (((name: string) => HeldTip) | "silent")[]
): SnapshotEntry["closedTips"] {
  const answers = said.map((one, witness): TipsAnswer => {
    if (one === "silent") return answerBy(witness, one);
    return answerBy(witness, { slot: slotAt(minute), shares: names.map((name) => toShare(one(name))) });
  });
  return { state: "ok", value: { epoch: epochAt(minute) - 1, votes: names.map(keyOf), answers } };
}

/** In order of time, as the journal has them. */
export function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => (a.time < b.time ? -1 : 1));
}

function toConfirm(minute: number, parts: Pick<PanelConfirmEntry, "votes" | "tips" | "answers">): PanelConfirmEntry {
  return { kind: "confirm", format: 1, network: "mainnet", time: timeAt(minute), ...parts };
}

function toHeader(minute: number, { of, by = 0, ahead = [] }: Told) {
  const slot = slotAt(minute);
  const own = ahead[by] ?? 0;
  const { slotIndex, absoluteSlot } = check(minute, []);
  const slots = Array.from({ length: of }, (_, witness) =>
    ahead[witness] === null ? null : slot + (ahead[witness] ?? 0),
  );
  return {
    endpoint: endpointOf(by),
    slot: slot + own,
    absoluteSlot: absoluteSlot + own,
    slotIndex: slotIndex + own,
    panel: toPanel(slots),
  };
}

function toRow(held: Exclude<Held, "silent">, authority = keyOf("authority of A")): AccountRow {
  if (held === null) return null;
  return "bps" in held ? [held.bps, null, authority] : [null, held.percent, authority];
}

function aheadOf(held: Held | undefined): number {
  return typeof held === "object" && held !== null ? (held.ahead ?? 0) : 0;
}

function toShare(held: HeldTip | undefined): [number | null] | null {
  return held === undefined || held === "absent" ? null : [held];
}
