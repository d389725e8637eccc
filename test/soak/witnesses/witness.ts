import { RpcFailure } from "../../cluster/rpc/failure.ts";
import type { AskedRange, BlockCounts, ShownVotes, View } from "../../cluster/rpc/view.ts";
import { listBehind } from "../../cluster/rpc/transactions.ts";
import type { ChainAccount } from "../../cluster/world.ts";
import { epochOf, rateAt, tipAt, valueAt, type Cluster } from "./cluster.ts";
import type { Dice } from "../random.ts";
import { firstKept, listRows, tellTransaction, type HistoryPlan } from "./history.ts";
import {
  countBlocks,
  createTipAddresses,
  shareShownAt,
  tellTipAccount,
  type TipAddress,
} from "./leaders.ts";
import type { Lie, LieKind, Method, Trouble } from "./lies.ts";
import { RATE_FORMS, tellEpoch, tellRows, tellVoteAccount, type ListForm } from "./told.ts";

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
  show(method: Method, time: number): View;
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

  function show(method: Method, time: number): View {
    const lies = lying(time);
    const truth = Math.max(
      0,
      tipAt(cluster, time - plan.lagMilliseconds) - dice.between(0, plan.jitter),
    );
    const seen = falsify(lies, truth, (lie, slot) => lie.seen?.(slot, method));
    const slot = falsify(lies, truth, (lie, claimed) => lie.claimed?.(claimed, method));
    const at = { seen, slot };
    return {
      slot,
      slotsBehind: 0,
      genesisHash: () => falsify(lies, cluster.genesis, ({ genesis }) => genesis),
      epoch: () => falsify(lies, tellEpoch(cluster, slot), ({ epoch }, info) => epoch?.(info)),
      schedule: () =>
        falsify(lies, toSchedule(cluster), (lie, said) => ({ ...said, ...lie.schedule?.(said) })),
      votes: () => showVotes(lies, at),
      account: (address) => showAccount(lies, address, { seen, isLoaded: isLoaded(time) }),
      blocks: (range) => showBlocks(lies, range, slot),
      listed: (address, before) => showListed(lies, address, { ...at, before }),
      transaction: (signature) => showTransaction(lies, signature, seen),
      firstBlock: () =>
        falsify(lies, firstKept(plan.history, seen), (lie, said) => lie.firstBlock?.(said)),
    };
  }

  function showVotes(lies: readonly Lie[], at: At): ShownVotes {
    const truth = tellRows(cluster, { ...at, votesBelow: plan.votesBelow });
    const rows = falsify(lies, truth, (lie, said) => lie.rows?.(said, at.slot));
    return { rows, form: RATE_FORMS[falsify(lies, plan.form, (lie) => lie.form)] };
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

  function showAccount(
    lies: readonly Lie[],
    address: string,
    { seen, isLoaded }: { seen: number; isLoaded: boolean },
  ): ChainAccount | null {
    const tip = findTip(address, epochOf(cluster, seen));
    if (tip !== null) return showTip(lies, tip, { seen, isLoaded });
    const validator = cluster.byVote.get(address);
    const read = readSlot(isLoaded, seen);
    const rate = validator === undefined || read === "none" ? null : rateAt(validator, read);
    const truth: { rate: number | null } | null = rate === null ? null : { rate };
    const account = falsify(lies, truth, (lie, said) => lie.account?.(said, address, seen));
    const [holder, identity] =
      validator === undefined || read === "none"
        ? [null, null]
        : [valueAt(validator.authorities, read), valueAt(validator.identities, read)];
    const authority = falsify(lies, holder, (lie) => lie.authority?.(address) ?? undefined);
    const layout = validator?.layout ?? "basis points";
    return account && tellVoteAccount({ identity, authority }, account.rate, layout);
  }

  /** Nobody writes to it once it is there, so it is never missing; but it may be too new. */
  function showTip(
    lies: readonly Lie[],
    tip: TipAddress,
    { seen, isLoaded }: { seen: number; isLoaded: boolean },
  ): ChainAccount | null {
    const read = isLoaded && dice.chance(40) ? seen - dice.between(1, OUTDATED_SLOTS) : seen;
    const truth = shareShownAt(cluster, tip, read);
    const share = falsify(lies, truth, (lie, said) => lie.share?.(said, tip.validator.vote));
    return share === null ? null : tellTipAccount(tip, share);
  }

  function showBlocks(
    lies: readonly Lie[],
    asked: AskedRange | undefined,
    slot: number,
  ): BlockCounts {
    const firstSlot = asked?.firstSlot ?? epochOf(cluster, slot) * cluster.slotsInEpoch;
    const range = { firstSlot, lastSlot: asked?.lastSlot ?? slot };
    if (range.lastSlot > slot) throw new RpcFailure("invalidParams", "lastSlot is too large");
    const truth = countBlocks(cluster, range);
    return { range, byIdentity: falsify(lies, truth, (lie, said) => lie.blocks?.(said)) };
  }

  function showListed(
    lies: readonly Lie[],
    address: string,
    { seen, slot, before }: At & { before: string | undefined },
  ) {
    const truth = listRows(cluster.chain, plan.history, { address, slot: seen });
    return listBehind(
      falsify(lies, truth, (lie, said) => lie.listed?.(said, address, slot)),
      before,
    );
  }

  function showTransaction(lies: readonly Lie[], signature: string, seen: number) {
    const truth = tellTransaction(cluster.chain, plan.history, { signature, slot: seen });
    return falsify(lies, truth, (lie, said) => lie.told?.(said, signature));
  }

  return {
    ...plan,
    told,
    outdated: () => outdated,
    show,
    fails: () => plan.history.failing > 0 && dice.chance(plan.history.failing),
    trouble: (method, time) =>
      falsify<Trouble | null>(lying(time), null, ({ trouble }) => trouble?.(method) ?? undefined),
  };
}

function toSchedule({ slotsInEpoch }: Cluster) {
  return { slotsPerEpoch: slotsInEpoch, firstNormalEpoch: 0, firstNormalSlot: 0 };
}
