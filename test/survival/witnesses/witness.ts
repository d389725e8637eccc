import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import { rateAt, tipAt, type Cluster, type Validator } from "./cluster.ts";
import type { Dice } from "./dice.ts";
import type { Lie, LieKind, Method, Trouble } from "./lies.ts";
import { tellEpoch, tellRows, writeAccount, writeList, type ListForm } from "./told.ts";

/** How a node answers; what it says is true, as far as it does not lie. */
export interface WitnessPlan {
  origin: string;
  /** So many addresses lead to it. */
  addresses: number;
  /** Behind the cluster, and how many slots more that may be with each answer. */
  lagMilliseconds: number;
  jitter: number;
  votesBelow: number;
  form: ListForm;
  offersAccounts: boolean;
  latencyMilliseconds: number;
  /** None: it is honest. */
  lies: Lie[];
}

/** What a node answers now. */
export interface Witness extends WitnessPlan {
  trouble(method: Method, time: number): Trouble | null;
  /** The result of a call, as JSON holds it. */
  answer(method: Method, params: readonly unknown[], time: number): unknown;
  /** Answers with a lie in them, by its kind. */
  told: Map<LieKind, number>;
}

export function createWitness(plan: WitnessPlan, { cluster, dice }: { cluster: Cluster; dice: Dice }): Witness {
  const told = new Map<LieKind, number>();

  function lying(time: number): Lie[] {
    const slot = tipAt(cluster, time);
    return plan.lies.filter(({ isNow }) => isNow({ time, slot }));
  }

  function note(lie: Lie): void {
    told.set(lie.kind, (told.get(lie.kind) ?? 0) + 1);
  }

  /** Applies each lie that has something to say, in turn. */
  function falsify<T>(lies: readonly Lie[], value: T, apply: (lie: Lie, value: T) => T | undefined): T {
    let said = value;
    for (const lie of lies) {
      const next = apply(lie, said);
      if (next === undefined || next === said) continue;
      note(lie);
      said = next;
    }
    return said;
  }

  function answer(method: Method, params: readonly unknown[], time: number): unknown {
    const lies = lying(time);
    const truth = Math.max(0, tipAt(cluster, time - plan.lagMilliseconds) - dice.between(0, plan.jitter));
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
        return answerAccounts(lies, params, { seen, slot });
    }
  }

  function answerList(
    lies: readonly Lie[],
    [options]: readonly unknown[],
    at: { seen: number; slot: number },
  ): unknown {
    const { keepUnstakedDelinquents = false } = options as { keepUnstakedDelinquents?: boolean };
    const shift = at.slot - at.seen;
    const truth = tellRows(cluster, at.seen, plan.votesBelow).map((row) => ({
      ...row,
      lastVote: Math.max(0, row.lastVote + shift),
    }));
    const rows = falsify(lies, truth, (lie, said) => lie.rows?.(said, at.slot));
    const form = falsify(lies, plan.form, (lie) => lie.form);
    const { epoch } = tellEpoch(cluster, at.slot);
    return writeList(rows, { slot: at.slot, form, withUnstaked: keepUnstakedDelinquents, epoch });
  }

  function answerAccounts(
    lies: readonly Lie[],
    [keys]: readonly unknown[],
    at: { seen: number; slot: number },
  ): unknown {
    const value = (keys as string[]).map((vote) => {
      const validator = cluster.byVote.get(vote);
      const rate = validator === undefined ? null : rateAt(validator, at.seen);
      const truth: { rate: number | null } | null = rate === null ? null : { rate };
      const account = falsify(lies, truth, (lie, said) => lie.account?.(said, vote, at.seen));
      return account && writeAccount(partsOf(validator), account.rate, validator?.layout ?? "basis points");
    });
    return { context: { slot: at.slot, apiVersion: "4.2.1" }, value };
  }

  return {
    ...plan,
    told,
    answer,
    trouble: (method, time) =>
      falsify<Trouble | null>(lying(time), null, ({ trouble }) => trouble?.(method) ?? undefined),
  };
}

const NOBODY = new Uint8Array(32);
const parts = new WeakMap<Validator, { identity: Uint8Array; authority: Uint8Array }>();

function partsOf(validator: Validator | undefined): { identity: Uint8Array; authority: Uint8Array } {
  if (validator === undefined) return { identity: NOBODY, authority: NOBODY };
  const { identity, authority } = validator;
  const known = parts.get(validator) ?? { identity: decodePublicKey(identity), authority: decodePublicKey(authority) };
  parts.set(validator, known);
  return known;
}
