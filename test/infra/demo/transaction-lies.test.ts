import { describe, expect, it } from "vitest";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import { isSigned } from "../../../generator/chain/transaction.ts";
import { type DeceitKind, DECEITS } from "../../../infra/demo/cluster/transactions/deceits.ts";
import type { EndpointName } from "../../../infra/demo/cluster/options.ts";
import {
  ask,
  changesOf,
  EPOCH_MILLISECONDS,
  makeCluster,
  type SignatureRow,
  STARTS_AT,
  timeAt,
  toTransaction,
  type TransactionReply,
} from "./_cluster.ts";

const cluster = makeCluster({ slotsPerEpoch: 43_200, validators: 60 });

/** A moment of the third epoch in which the first endpoint tells such lies. */
const timeOf = (kind: DeceitKind) => timeAt(2.02 + DECEITS.find((deceit) => deceit.kind === kind)!.fraction);

function authoritiesAt(at: number): Set<string> {
  const { validators, moment } = cluster.at(at);
  const accounts = validators.map(({ votePubkey }) => cluster.accounts.at(votePubkey, moment, null)!);
  return new Set(accounts.map(({ data }) => encodePublicKey(data.subarray(36, 68))));
}

const list = (authority: string, config: object, asked: { endpoint: EndpointName; at: number }) =>
  ask<SignatureRow[]>(cluster, "getSignaturesForAddress", [authority, config], asked);

/** All that an endpoint tells of all authorities, the busiest up to a page, and of some signatures. */
function tell(endpoint: EndpointName, at: number, signatures: Iterable<string> = []) {
  const rows = [...authoritiesAt(at)].flatMap((authority) => list(authority, { limit: 60 }, { endpoint, at }));
  const replies = new Map(
    [...signatures, ...rows.map(({ signature }) => signature)].map((signature) => {
      const params = [signature, { encoding: "base64", maxSupportedTransactionVersion: 0 }];
      return [signature, ask<TransactionReply | null>(cluster, "getTransaction", params, { endpoint, at })];
    }),
  );
  return { rows, replies };
}

/** What the honest endpoint and the lying one tell, and the pairs in which they differ of what both tell. */
function compare(kind: DeceitKind) {
  const truth = tell("second", timeOf(kind));
  const lies = tell("first", timeOf(kind), truth.replies.keys());
  const pairs = [...truth.replies].flatMap(([signature, right]) => {
    const wrong = lies.replies.get(signature) ?? null;
    const isLie = right !== null && wrong !== null && JSON.stringify(right) !== JSON.stringify(wrong);
    return isLie ? [{ right, wrong }] : [];
  });
  return { truth, lies, pairs, since: cluster.at(timeOf(kind) - 0.02 * EPOCH_MILLISECONDS + 1).moment.slot };
}

describe("the endpoint that lies about transactions", () => {
  it("tells old ones as new, in the list and one by one", () => {
    const { lies, pairs, since } = compare("old as new");
    const renewed = lies.rows.filter(({ slot }) => slot === since);
    expect(renewed.length).toBeGreaterThan(5);
    for (const { signature, slot } of renewed) expect(lies.replies.get(signature)?.slot).toBe(slot);
    expect(pairs.length).toBeGreaterThan(5);
    for (const { right, wrong } of pairs) {
      expect(right.slot).toBeLessThan(wrong.slot);
      expect(wrong.transaction).toEqual(right.transaction);
    }
  });

  it("tells failed ones as good", () => {
    const { truth, lies, pairs } = compare("failed as good");
    expect(truth.rows.filter(({ err }) => err !== null).length).toBeGreaterThan(3);
    expect(lies.rows.filter(({ err }) => err !== null)).toEqual([]);
    expect(pairs.length).toBeGreaterThan(3);
    for (const { right, wrong } of pairs) expect([right.meta.err === null, wrong.meta.err]).toEqual([false, null]);
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

  it("invents an instruction inside a real one", () => {
    const { pairs } = compare("invented inner");
    expect(pairs.length).toBeGreaterThan(10);
    for (const { right, wrong } of pairs) {
      expect(wrong.transaction).toEqual(right.transaction);
      const invented = changesOf(wrong).filter(({ proof }) => proof === "told");
      expect(invented).toContainEqual(
        expect.objectContaining({ change: { of: "inflationCommission", basisPoints: 10_000 } }),
      );
    }
  });

  it("alters what is written in them, which breaks their signatures", () => {
    const { pairs } = compare("altered");
    expect(pairs.length).toBeGreaterThan(10);
    for (const { wrong } of pairs) expect([isSigned(toTransaction(wrong)), changesOf(wrong)]).toEqual([false, []]);
  });

  it("leaves some out", () => {
    const { truth, lies } = compare("left out");
    const missing = truth.rows.filter(({ signature }) => lies.replies.get(signature) === null);
    expect(missing.length).toBeGreaterThan(20);
    expect(missing.length).toBeLessThan(truth.rows.length - 20);
    const listed = new Set(lies.rows.map(({ signature }) => signature));
    expect(missing.some(({ signature }) => listed.has(signature))).toBe(false);
  });

  it.each(DECEITS)("lists the newest first and page by page the same, while it tells $kind", ({ kind }) => {
    const asked = { at: timeOf(kind), endpoint: "first" } as const;
    for (const authority of [...authoritiesAt(asked.at)].slice(0, 30)) {
      const whole = list(authority, { limit: 12 }, asked);
      expect(whole.map(({ slot }) => slot)).toEqual(whole.map(({ slot }) => slot).toSorted((a, b) => b - a));
      const before = whole[4]?.signature;
      if (before === undefined) continue;
      const pages = [...list(authority, { limit: 5 }, asked), ...list(authority, { limit: 7, before }, asked)];
      expect(pages).toEqual(whole);
    }
  });

  it("tells the truth at all other times, and the others always do", () => {
    expect(tell("first", timeAt(2.6))).toEqual(tell("second", timeAt(2.6)));
    expect(cluster.falseTransactionsAt(cluster.at(STARTS_AT).moment)).toBeNull();
  });
});
