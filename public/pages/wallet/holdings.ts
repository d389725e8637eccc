import { findTask, type Task, toExcess } from "../../format/to-do.ts";
import { toCount, toCounted } from "../../format/values.ts";
import type { StakeState, WalletAccount } from "../../../generator/contract/wallets.ts";

export interface Holding {
  votePubkey: string;
  /** null: it is not listed. */
  validator: WalletAccount["validator"];
  /** Lamports of all accounts. */
  lamports: bigint;
  /** Lamports by state, without empty states. */
  byState: Map<StakeState, bigint>;
  accounts: WalletAccount[];
}

/** By validator, largest first; those with inactive accounts only come last. */
export function toHoldings(accounts: readonly WalletAccount[]): Holding[] {
  const holdings = [...Map.groupBy(accounts, ({ votePubkey }) => votePubkey)].map(
    ([votePubkey, own]) => {
      const byState = new Map<StakeState, bigint>();
      for (const { state, lamports } of own)
        byState.set(state, (byState.get(state) ?? 0n) + BigInt(lamports));
      const validator = own[0]?.validator ?? null;
      return { votePubkey, validator, lamports: sum(byState.values()), byState, accounts: own };
    },
  );
  return holdings.sort(
    (one, other) =>
      Number(isIdle(one)) - Number(isIdle(other)) || compare(other.lamports, one.lamports),
  );
}

export function isIdle({ byState }: Holding): boolean {
  return [...byState.keys()].every((state) => state === "inactive");
}

/** Lamports that earn from the next epoch on, unless somebody deactivates them. */
function toStaying({ byState }: Holding): bigint {
  return (byState.get("active") ?? 0n) + (byState.get("activating") ?? 0n);
}

/** What a validator asks of its delegator, and what it costs. */
export interface ToDo {
  holding: Holding;
  /** null: nothing that leaving avoids. */
  task: Task | null;
  /** Lamports in each epoch; null: not known. */
  lossPerEpoch: bigint | null;
  /** Lamports since the epoch asked for; null: not known. */
  lost: bigint | null;
}

interface Known {
  epoch: number;
  /** Rewards of an epoch on each lamport; null: not known. */
  perLamport: number | null;
  /** First epoch of what was lost. */
  since: number;
}

/** The worst first: what needs action by what it costs, then all others by stake. */
export function toToDos(holdings: readonly Holding[], known: Known): ToDo[] {
  return holdings
    .filter((holding) => !isIdle(holding))
    .map((holding) => toToDo(holding, known))
    .sort(
      (one, other) =>
        Number(needsAction(other)) - Number(needsAction(one)) ||
        compare(other.lossPerEpoch ?? 0n, one.lossPerEpoch ?? 0n),
    );
}

function toToDo(holding: Holding, { epoch, perLamport, since }: Known): ToDo {
  const { validator } = holding;
  if (validator === null) return { holding, task: null, lossPerEpoch: null, lost: null };
  const staying = toStaying(holding);
  const task = staying === 0n ? null : findTask(validator, epoch);
  const excess = toExcess(validator.appliedCommissions);
  const first = epoch - excess.length + 1;
  const points = excess.slice(Math.max(0, since - first)).reduce((sum, each) => sum + each, 0);
  const toLamports = (percentagePoints: number) =>
    perLamport === null
      ? null
      : BigInt(Math.round(Number(holding.lamports) * perLamport * (percentagePoints / 100)));
  return {
    holding,
    task,
    lossPerEpoch: task === null ? null : toLamports(task.rate - (task.before ?? 0)),
    lost: toLamports(points),
  };
}

/** Whether leaving avoids something, or the stake earns nothing. */
export function needsAction({ holding, task }: ToDo): boolean {
  return task !== null || (holding.validator?.delinquent === true && toStaying(holding) > 0n);
}

/** Nothing to avoid now, but a record that should make its delegator think. */
export function isWorthALook(toDo: ToDo): boolean {
  return !needsAction(toDo) && toDo.holding.validator?.verdict === "bad";
}

/** "1 of the 3 validators you stake with needs action." Inactive stake asks for nothing. */
export function toHeadline(toDos: readonly ToDo[]): string {
  const urgent = toDos.filter(needsAction).length;
  const suspect = toDos.filter(isWorthALook).length;
  const look =
    suspect === 0
      ? ""
      : ` ${toCount(suspect)} ${suspect === 1 ? "has a bad record: look at it." : "have a bad record: look at them."}`;
  if (urgent > 0)
    return toDos.length === 1
      ? "The validator you stake with needs action."
      : `${toCount(urgent)} of the ${toCounted(toDos.length, "validator")} you stake with ${urgent === 1 ? "needs" : "need"} action.${look}`;
  return toDos.length === 1
    ? `The validator you stake with needs no action now.${look}`
    : `None of the ${toCounted(toDos.length, "validator")} you stake with needs action now.${look}`;
}

function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}

function compare(one: bigint, other: bigint): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
