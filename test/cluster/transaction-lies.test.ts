import { describe, expect, it } from "vitest";
import { isSigned } from "../../generator/chain/transaction.ts";
import { type DeceitKind, DECEITS } from "./transactions/deceits.ts";
import type { EndpointName } from "./options.ts";
import {
  decodeVoteAccount,
  EPOCH_MILLISECONDS,
  makeCluster,
  STARTS_AT,
  timeAt,
} from "./_cluster.ts";
import {
  ANY_VERSION,
  changesOf,
  get,
  list,
  toTransaction,
  type TransactionReply,
} from "./_transactions.ts";

const cluster = makeCluster({ slotsPerEpoch: 43_200, validators: 60 });

/** A moment of the third epoch in which the first endpoint tells such lies. */
const timeOf = (kind: DeceitKind) =>
  timeAt(2.02 + DECEITS.find((deceit) => deceit.kind === kind)!.fraction);

function authoritiesAt(at: number): Set<string> {
  const { validators, moment } = cluster.at(at);
  const accounts = validators.map(({ votePubkey }) =>
    cluster.accounts.at(votePubkey, moment, null)!,
  );
  return new Set(accounts.map(({ data }) => decodeVoteAccount(data).withdrawAuthority));
}

/**
 * All that an endpoint tells of all authorities, the busiest up to a page, and of some signatures.
 */
function tell(endpoint: EndpointName, at: number, signatures: Iterable<string> = []) {
  const asked = { endpoint, at };
  const rows = [...authoritiesAt(at)].flatMap(
    (authority) => list(cluster, authority, { limit: 60 }, asked).result,
  );
  const all = [...signatures, ...rows.map(({ signature }) => signature)];
  const replies = new Map(
    all.map((signature) => [signature, get(cluster, signature, ANY_VERSION, asked).result]),
  );
  return { rows, replies };
}

/**
 * What the honest endpoint and the lying one tell, and
 * the pairs in which they differ of what both tell.
 */
function compare(kind: DeceitKind) {
  const truth = tell("second", timeOf(kind));
  const lies = tell("first", timeOf(kind), truth.replies.keys());
  const pairs = [...truth.replies].flatMap(([signature, right]) => {
    const wrong = lies.replies.get(signature) ?? null;
    const isLie =
      right !== null && wrong !== null && JSON.stringify(right) !== JSON.stringify(wrong);
    return isLie ? [{ right, wrong }] : [];
  });
  return {
    truth,
    lies,
    pairs,
    since: cluster.at(timeOf(kind) - 0.02 * EPOCH_MILLISECONDS + 1).moment.slot,
  };
}

type Comparison = ReturnType<typeof compare>;

/**
 * Lies about transactions that exist: how many at least,
 * and what holds for each of them and for the lists.
 */
const RETOLD: {
  kind: DeceitKind;
  least: number;
  expectOf: (right: TransactionReply, wrong: TransactionReply) => void;
  expectOfLists?: (compared: Comparison) => void;
}[] = [
  {
    kind: "old as new",
    least: 5,
    expectOf(right, wrong) {
      expect(right.slot).toBeLessThan(wrong.slot);
      expect(wrong.transaction).toEqual(right.transaction);
    },
    expectOfLists({ lies, since }) {
      const renewed = lies.rows.filter(({ slot }) => slot === since);
      expect(renewed.length).toBeGreaterThan(5);
      for (const { signature, slot } of renewed)
        expect(lies.replies.get(signature)?.slot).toBe(slot);
    },
  },
  {
    kind: "failed as good",
    least: 3,
    expectOf: (right, wrong) =>
      expect([right.meta.err === null, wrong.meta.err]).toEqual([false, null]),
    expectOfLists({ truth, lies }) {
      const failures = [truth, lies].map(
        ({ rows }) => rows.filter(({ err }) => err !== null).length,
      );
      expect(failures).toEqual([expect.toSatisfy((count: number) => count > 3), 0]);
    },
  },
  {
    kind: "invented inner",
    least: 10,
    expectOf(right, wrong) {
      expect(wrong.transaction).toEqual(right.transaction);
      const invented = changesOf(wrong).filter(({ proof }) => proof === "reported");
      const change = { of: "inflationCommission", basisPoints: 10_000 };
      expect(invented).toContainEqual(expect.objectContaining({ change }));
    },
  },
  {
    kind: "altered",
    least: 10,
    expectOf: (_, wrong) =>
      expect([isSigned(toTransaction(wrong)), changesOf(wrong)]).toEqual([false, []]),
  },
];

describe("the endpoint that lies about transactions", () => {
  it.each(RETOLD)("tells $kind", ({ kind, least, expectOf, expectOfLists }) => {
    const compared = compare(kind);
    expect(compared.pairs.length).toBeGreaterThan(least);
    for (const { right, wrong } of compared.pairs) expectOf(right, wrong);
    expectOfLists?.(compared);
  });

  it("signs changes with a key of its own", () => {
    const { truth, lies, since } = compare("own key");
    const invented = lies.rows.filter(({ signature }) => !truth.replies.has(signature));
    expect(invented.length).toBeGreaterThan(2);
    const authorities = authoritiesAt(timeOf("own key"));
    for (const { signature, slot } of invented) {
      expect(slot).toBe(since);
      const [change] = changesOf(lies.replies.get(signature)!);
      expect(change).toMatchObject({ proof: "signature", change: { basisPoints: 10_000 } });
      expect(change!.authorities.some((key) => authorities.has(key))).toBe(false);
    }
  });

  it("leaves some out", () => {
    const { truth, lies } = compare("left out");
    const missing = truth.rows.filter(({ signature }) => lies.replies.get(signature) === null);
    expect(missing.length).toBeGreaterThan(20);
    expect(missing.length).toBeLessThan(truth.rows.length - 20);
    const listed = new Set(lies.rows.map(({ signature }) => signature));
    expect(missing.some(({ signature }) => listed.has(signature))).toBe(false);
  });

  it.each(DECEITS)(
    "lists the newest first and page by page the same, while it tells $kind",
    ({ kind }) => {
      const asked = { at: timeOf(kind), endpoint: "first" } as const;
      for (const authority of [...authoritiesAt(asked.at)].slice(0, 30)) {
        const whole = list(cluster, authority, { limit: 12 }, asked).result;
        expect(whole.map(({ slot }) => slot)).toEqual(
          whole.map(({ slot }) => slot).toSorted((a, b) => b - a),
        );
        const before = whole[4]?.signature;
        if (before === undefined) continue;
        const listPage = (config: object) => list(cluster, authority, config, asked).result;
        expect([...listPage({ limit: 5 }), ...listPage({ limit: 7, before })]).toEqual(whole);
      }
    },
  );

  it("tells the truth at all other times, and the others always do", () => {
    expect(tell("first", timeAt(2.6))).toEqual(tell("second", timeAt(2.6)));
    expect(cluster.falseTransactionsAt(cluster.at(STARTS_AT).moment)).toBeNull();
  });
});
