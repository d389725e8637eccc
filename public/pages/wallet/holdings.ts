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

/** Whether some of it earns from the next epoch on, unless somebody deactivates it. */
function isStaying({ byState }: Holding): boolean {
  return byState.has("active") || byState.has("activating");
}

/** What a validator asks of its delegator, and what it costs. */
export interface ToDo {
  holding: Holding;
  asks: Asks;
  /** null: nothing that leaving avoids. */
  task: Task | null;
  /** Lamports in each epoch; null: not known. */
  lossPerEpoch: bigint | null;
  /** Lamports since the epoch asked for; null: not known. */
  lost: bigint | null;
}

/**
 * action: leaving avoids something, or the stake earns nothing. look: leaving avoids nothing that is
 * known, but the verdict is bad.
 */
type Asks = (typeof URGENCY)[number];

/** The most urgent first. */
const URGENCY = ["action", "look", "nothing"] as const;

interface Known {
  epoch: number;
  /** Rewards of an epoch on each lamport; null: not known. */
  perLamport: number | null;
  /** First epoch of what was lost. */
  since: number;
}

/** The most urgent first, each by what it costs, then by stake. */
export function toToDos(holdings: readonly Holding[], known: Known): ToDo[] {
  return holdings
    .filter((holding) => !isIdle(holding))
    .map((holding) => toToDo(holding, known))
    .sort(
      (one, other) =>
        URGENCY.indexOf(one.asks) - URGENCY.indexOf(other.asks) ||
        compare(other.lossPerEpoch ?? 0n, one.lossPerEpoch ?? 0n),
    );
}

function toToDo(holding: Holding, { epoch, perLamport, since }: Known): ToDo {
  const { validator } = holding;
  if (validator === null)
    return { holding, asks: "nothing", task: null, lossPerEpoch: null, lost: null };
  const task = isStaying(holding) ? findTask(validator, epoch) : null;
  const excess = toExcess(validator.appliedCommissions);
  const first = epoch - excess.length + 1;
  const points = excess.slice(Math.max(0, since - first)).reduce((sum, each) => sum + each, 0);
  const toLamports = (percentagePoints: number) =>
    perLamport === null
      ? null
      : BigInt(Math.round(Number(holding.lamports) * perLamport * (percentagePoints / 100)));
  return {
    holding,
    asks: decideAsks(holding, task),
    task,
    lossPerEpoch: task === null ? null : toLamports(task.rate - (task.before ?? 0)),
    lost: toLamports(points),
  };
}

/** Stake that leaves already asks for nothing. */
function decideAsks(holding: Holding, task: Task | null): Asks {
  const { validator } = holding;
  if (validator === null || !isStaying(holding)) return "nothing";
  if (task !== null || validator.delinquent) return "action";
  return validator.verdict === "bad" ? "look" : "nothing";
}

/** "1 of the 3 validators you stake with needs action." Inactive stake asks for nothing. */
export function toHeadline(toDos: readonly ToDo[]): string {
  const count = (asked: Asks) => toDos.filter(({ asks }) => asks === asked).length;
  const [urgent, suspect] = [count("action"), count("look")];
  if (urgent > 0) {
    const needs = `${toSubject(urgent, toDos.length)} ${urgent === 1 ? "needs" : "need"} action.`;
    return suspect === 0 ? needs : `${needs} ${toCount(suspect)} more ${toLook(suspect)}`;
  }
  if (suspect > 0)
    return `${toSubject(suspect, toDos.length)} ${toLook(suspect)} We know of no deadline.`;
  return toDos.length === 1
    ? "The validator you stake with needs no action now."
    : `None of the ${toCounted(toDos.length, "validator")} you stake with needs action now.`;
}

function toSubject(some: number, all: number): string {
  return all === 1
    ? "The validator you stake with"
    : `${toCount(some)} of the ${toCounted(all, "validator")} you stake with`;
}

function toLook(count: number): string {
  return count === 1 ? "has a bad verdict: look at it." : "have a bad verdict: look at them.";
}

function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}

function compare(one: bigint, other: bigint): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
