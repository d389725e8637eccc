import type { CheckEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { SLOTS_IN_EPOCH } from "./clock.ts";
import { keyOf, type Fact } from "./validators.ts";
import { accountsBy, placeIn, toPanel, type Witness } from "./witnesses.ts";

interface CheckOptions {
  /** The witness whose list is the entry's own. */
  by?: number | undefined;
  /** Validators whose vote accounts are read; by default all that have one somewhere. */
  unclear?: readonly string[];
}

export function checkBy(
  minute: number,
  witnesses: readonly Witness[],
  options: CheckOptions = {},
): CheckEntry {
  const { by, unclear = [...new Set(witnesses.flatMap(namesOfAccounts))] } = options;
  const { own, head } = toPanel(minute, witnesses, by);
  const votes = own.map(({ vote, basisPoints, percent, delinquent, activeStake }) => {
    return { vote, basisPoints, percent, delinquent, activeStake };
  });
  const accounts = unclear.length === 0 ? [] : accountsBy(minute, witnesses, unclear);
  return { kind: "check", ...head, votes, unclear: unclear.map(keyOf), accounts };
}

function namesOfAccounts({ accounts = {} }: Witness): string[] {
  return accounts === "silent" ? [] : Object.keys(accounts);
}

export type Sides = Partial<SnapshotEntry>;

export function snapshotBy(
  minute: number,
  witnesses: readonly Witness[],
  { by, ...sides }: Sides & { by?: number | undefined } = {},
): SnapshotEntry {
  const { own, names, head } = toPanel(minute, witnesses, by);
  const skipped = { state: "skipped", off: false } as const;
  return {
    kind: "snapshot",
    ...head,
    votes: own,
    accounts: accountsBy(minute, witnesses, names),
    absent: [],
    creditsUnit: "credits",
    nodes: skipped,
    info: skipped,
    production: skipped,
    stakeAccounts: skipped,
    mev: skipped,
    priorityFees: skipped,
    tips: skipped,
    closedProduction: skipped,
    locations: skipped,
    slotSamples: skipped,
    issuance: skipped,
    tipAmounts: skipped,
    rewards: skipped,
    ...sides,
  };
}

/** By one witness. @param options.slot the newest vote of its list */
export function check(
  minute: number,
  facts: readonly Fact[],
  { slot }: { slot?: number } = {},
): CheckEntry {
  return checkBy(minute, [{ list: facts, ...(slot !== undefined && { listSlot: slot }) }]);
}

/** By one witness. */
export function snapshot(minute: number, facts: readonly Fact[], sides: Sides = {}): SnapshotEntry {
  return snapshotBy(minute, [{ list: facts }], sides);
}

/** The same observation, where the newest vote of its list has another slot. */
export function listedAt<E extends CheckEntry | SnapshotEntry>(entry: E, slot: number): E {
  const panel = entry.panel.map((witness) => ({
    ...witness,
    list: witness.list && { ...witness.list, slot },
  }));
  return { ...entry, slot, panel };
}

/** The same observation and accounts, where the cluster is at another slot. */
export function movedTo<E extends CheckEntry | SnapshotEntry>(entry: E, slot: number): E {
  const slotIndex = slot % SLOTS_IN_EPOCH;
  const epoch = (slot - slotIndex) / SLOTS_IN_EPOCH;
  const panel = entry.panel.map((witness) => ({
    ...witness,
    ...placeIn(epoch, slot),
    list: witness.list && { ...witness.list, slot },
  }));
  const accounts = entry.accounts.map((answer) =>
    "slot" in answer ? { ...answer, slot } : answer,
  );
  return { ...entry, slot, absoluteSlot: slot, slotIndex, epoch, panel, accounts };
}
