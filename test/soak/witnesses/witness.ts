import { epochOf, rateAt, tipAt, valueAt, type Cluster } from "./cluster.ts";
import type { Dice } from "../random.ts";
import {
  firstKept,
  listRows,
  tellTransaction,
  writeRows,
  writeTransaction,
  type HistoryPlan,
} from "./history.ts";
import {
  countBlocks,
  createTipAddresses,
  tipAccountAt,
  writeTipAccount,
  type TipAddress,
} from "./leaders.ts";
import type { Lie, LieKind, Method, Trouble } from "./lies.ts";
import { tellEpoch, tellRows, writeAccount, writeList, type ListForm } from "./told.ts";

/** Milliseconds since 1970. */
export interface Load {
  from: number;
  to: number;
}

export interface WitnessPlan {
  origin: string;
  /** Addresses that lead to it. */
  addresses: number;
  /** Lag behind the cluster, and additional slots of each answer. */
  lagMilliseconds: number;
  jitter: number;
  votesBelow: number;
  form: ListForm;
  offersAccounts: boolean;
  countsBlocks: boolean;
  latencyMilliseconds: number;
  history: HistoryPlan;
  lies: Lie[];
}

export interface Witness extends WitnessPlan {
  trouble(method: Method, time: number): Trouble | null;
  /** Whether it leaves a question about transactions unanswered. */
  fails(): boolean;
  answer(method: Method, params: readonly unknown[], time: number): unknown;
  /** Answers with a lie in them, by kind. */
  told: Map<LieKind, number>;
  /** Accounts shown as they were, or as if there were none. */
  outdated: () => number;
}

/** The slot whose state is shown, and the slot claimed for it. */
interface At {
  seen: number;
  slot: number;
}

/** The node has not reached the slot asked for. */
export const BEHIND = Symbol("minimum context slot has not been reached");

/** The node knows no block of the last slot asked for. */
export const TOO_LARGE = Symbol("lastSlot is too large");

/** A flush of a node's accounts is at most so many slots ago. */
const OUTDATED_SLOTS = 250;

export function createWitness(
  plan: WitnessPlan,
  { cluster, dice, loads }: { cluster: Cluster; dice: Dice; loads: readonly Load[] },
): Witness {
  const told = new Map<LieKind, number>();
  const findTip = createTipAddresses(cluster);
  let outdated = 0;

  function lying(time: number): Lie[] {
    const slot = tipAt(cluster, time);
    return plan.lies.filter(({ isNow }) => isNow({ time, slot }));
  }

  function falsify<T>(
    lies: readonly Lie[],
    truth: T,
    apply: (lie: Lie, value: T) => T | undefined,
  ): T {
    return lies.reduce((said, lie) => {
      const next = apply(lie, said);
      if (next === undefined || next === said) return said;
      told.set(lie.kind, (told.get(lie.kind) ?? 0) + 1);
      return next;
    }, truth);
  }

  function answer(method: Method, params: readonly unknown[], time: number): unknown {
    const lies = lying(time);
    const truth = Math.max(
      0,
      tipAt(cluster, time - plan.lagMilliseconds) - dice.between(0, plan.jitter),
    );
    const seen = falsify(lies, truth, (lie, slot) => lie.seen?.(slot, method));
    const slot = falsify(lies, truth, (lie, claimed) => lie.claimed?.(claimed, method));
    switch (method) {
      case "getGenesisHash":
        return falsify(lies, cluster.genesis, ({ genesis }) => genesis);
      case "getHealth":
        return "ok";
      case "getEpochInfo":
        return falsify(lies, tellEpoch(cluster, slot), ({ epoch }, info) => epoch?.(info));
      case "getVoteAccounts":
        return answerList(lies, params, { seen, slot });
      case "getMultipleAccounts":
        return answerAccounts(lies, params, { seen, slot, isLoaded: isLoaded(time) });
      case "getBlockProduction":
        return answerProduction(lies, params, { seen, slot });
      case "getSignaturesForAddress":
        return answerSignatures(lies, params, { seen, slot });
      case "getTransaction":
        return answerTransaction(lies, params, { seen, slot });
      case "getFirstAvailableBlock":
        return falsify(lies, firstKept(plan.history, seen), (lie, said) => lie.firstBlock?.(said));
      case "getEpochSchedule":
        return falsify(lies, toSchedule(cluster), (lie, said) => ({
          ...said,
          ...lie.schedule?.(said),
        }));
    }
  }

  function answerList(lies: readonly Lie[], [options]: readonly unknown[], at: At): unknown {
    const { keepUnstakedDelinquents = false } = options as { keepUnstakedDelinquents?: boolean };
    const shift = at.slot - at.seen;
    const shifted = ({ lastVote }: { lastVote: number }) => ({
      lastVote: Math.max(0, lastVote + shift),
    });
    const truth = tellRows(cluster, at.seen, plan.votesBelow).map((row) => ({
      ...row,
      ...shifted(row),
    }));
    const rows = falsify(lies, truth, (lie, said) => lie.rows?.(said, at.slot));
    const form = falsify(lies, plan.form, (lie) => lie.form);
    const { epoch } = tellEpoch(cluster, at.slot);
    return writeList(rows, { slot: at.slot, form, withUnstaked: keepUnstakedDelinquents, epoch });
  }

  /** Each at a slot of its own: "none", or one from before it changed last. */
  function readSlot(isLoadedNow: boolean, slot: number): number | "none" {
    if (!isLoadedNow || dice.chance(40)) return slot;
    outdated += 1;
    return dice.chance(50) ? "none" : Math.max(0, slot - dice.between(1, OUTDATED_SLOTS));
  }

  function isLoaded(time: number): boolean {
    return loads.some(({ from, to }) => time >= from && time <= to);
  }

  function answerAccounts(
    lies: readonly Lie[],
    [keys]: readonly unknown[],
    { isLoaded, ...at }: At & { isLoaded: boolean },
  ): unknown {
    const value = (keys as string[]).map((vote) => {
      const tip = findTip(vote, epochOf(cluster, at.seen));
      if (tip !== null) return answerTip(lies, tip, { ...at, isLoaded });
      const validator = cluster.byVote.get(vote);
      const read = readSlot(isLoaded, at.seen);
      const rate = validator === undefined || read === "none" ? null : rateAt(validator, read);
      const truth: { rate: number | null } | null = rate === null ? null : { rate };
      const account = falsify(lies, truth, (lie, said) => lie.account?.(said, vote, at.seen));
      const holder =
        validator === undefined || read === "none" ? null : valueAt(validator.authorities, read);
      const authority = falsify(lies, holder, (lie) => lie.authority?.(vote) ?? undefined);
      const identity =
        validator === undefined || read === "none" ? null : valueAt(validator.identities, read);
      const keys = { identity, authority };
      return account && writeAccount(keys, account.rate, validator?.layout ?? "basis points");
    });
    return { context: { slot: at.slot, apiVersion: "4.2.1" }, value };
  }

  /** Nobody writes to it once it is there, so it is never missing; but it may be too new. */
  function answerTip(
    lies: readonly Lie[],
    tip: TipAddress,
    { seen, isLoaded }: At & { isLoaded: boolean },
  ) {
    const read = isLoaded && dice.chance(40) ? seen - dice.between(1, OUTDATED_SLOTS) : seen;
    const truth = tipAccountAt(cluster, tip, read)?.share ?? null;
    const share = falsify(lies, truth, (lie, said) => lie.share?.(said, tip.validator.vote));
    return share === null ? null : writeTipAccount(tip.validator.vote, share);
  }

  function answerProduction(lies: readonly Lie[], [options]: readonly unknown[], at: At): unknown {
    const running = {
      firstSlot: epochOf(cluster, at.slot) * cluster.slotsInEpoch,
      lastSlot: at.slot,
    };
    const { range = running } = options as { range?: typeof running };
    if (range.lastSlot > at.slot) return TOO_LARGE;
    const byIdentity = falsify(lies, countBlocks(cluster, range), (lie, said) =>
      lie.blocks?.(said),
    );
    return { context: { slot: at.slot, apiVersion: "4.2.1" }, value: { byIdentity, range } };
  }

  function answerSignatures(lies: readonly Lie[], params: readonly unknown[], at: At) {
    const [address, options] = params as [
      string,
      { limit: number; before?: string; minContextSlot: number },
    ];
    if (at.slot < options.minContextSlot) return BEHIND;
    const truth = listRows(cluster.chain, plan.history, { address, slot: at.seen });
    return writeRows(
      falsify(lies, truth, (lie, said) => lie.listed?.(said, address, at.slot)),
      options,
    );
  }

  function answerTransaction(lies: readonly Lie[], params: readonly unknown[], { seen }: At) {
    const [signature] = params as [string];
    const truth = tellTransaction(cluster.chain, plan.history, { signature, slot: seen });
    return writeTransaction(falsify(lies, truth, (lie, said) => lie.told?.(said, signature)));
  }

  return {
    ...plan,
    told,
    outdated: () => outdated,
    answer,
    fails: () => plan.history.failing > 0 && dice.chance(plan.history.failing),
    trouble: (method, time) =>
      falsify<Trouble | null>(lying(time), null, ({ trouble }) => trouble?.(method) ?? undefined),
  };
}

function toSchedule({ slotsInEpoch }: Cluster) {
  return { slotsPerEpoch: slotsInEpoch, firstNormalEpoch: 0, firstNormalSlot: 0 };
}
