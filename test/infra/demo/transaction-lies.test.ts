import { describe, expect, it } from "vitest";
import { decodeTransaction, isSigned } from "../../../generator/chain/transaction.ts";
import { findVoteChanges, type VoteChange } from "../../../generator/chain/vote-changes.ts";
import type { EndpointName } from "../../../infra/demo/cluster/options.ts";
import { type DeceitKind, DECEITS } from "../../../infra/demo/cluster/transactions/deceits.ts";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import { EPOCH_MILLISECONDS, makeCluster, STARTS_AT, timeAt } from "./story.ts";
import { callAt, readTransaction, type SignatureRow, type TransactionReply } from "./transaction-reader.ts";

const cluster = makeCluster({ slotsPerEpoch: 43_200, validators: 60 });

/** A moment of the third epoch in which the first endpoint tells such lies. */
function timeOf(kind: DeceitKind): number {
  return timeAt(2.02 + DECEITS.find((deceit) => deceit.kind === kind)!.fraction);
}

const sinceOf = (kind: DeceitKind) => cluster.at(timeOf(kind) - 0.02 * EPOCH_MILLISECONDS + 1).moment.slot;

function authoritiesAt(at: number): string[] {
  return [
    ...new Set(
      cluster.at(at).validators.map(({ votePubkey }) => {
        const account = cluster.accounts.at(votePubkey, cluster.at(at).moment, null)!;
        return encodePublicKey(account.data.subarray(36, 68));
      }),
    ),
  ];
}

interface Told {
  rows: SignatureRow[];
  replies: Map<string, TransactionReply | null>;
}

/** All that an endpoint tells of all authorities, the busiest up to a page. */
function tell(endpoint: EndpointName, at: number, signatures: string[] = []): Told {
  const rows = authoritiesAt(at).flatMap((authority) => {
    const params = [authority, { limit: 60 }];
    return callAt<SignatureRow[]>(cluster, { at, endpoint, method: "getSignaturesForAddress", params }).result;
  });
  const replies = new Map(
    [...signatures, ...rows.map(({ signature }) => signature)].map((signature) => {
      const params = [signature, { encoding: "base64", maxSupportedTransactionVersion: 0 }];
      return [signature, callAt<TransactionReply>(cluster, { at, endpoint, method: "getTransaction", params }).result];
    }),
  );
  return { rows, replies };
}

/** What the two tell, of whatever either of them lists. */
function compare(kind: DeceitKind) {
  const at = timeOf(kind);
  const truth = tell("second", at);
  const lies = tell("first", at, [...truth.replies.keys()]);
  return { truth, lies, since: sinceOf(kind) };
}

const bytesOf = (reply: TransactionReply) => Buffer.from(reply.transaction[0], "base64");

function changesOf(reply: TransactionReply): VoteChange[] {
  const transaction = decodeTransaction(bytesOf(reply));
  const { writable, readonly } = reply.meta.loadedAddresses;
  const inner = reply.meta.innerInstructions.flatMap(({ index, instructions }) =>
    instructions.map(
      ({ programIdIndex, accounts }, place) =>
        [index, programIdIndex, accounts, readTransaction(reply).inner[place]!.data.toString("base64")] as const,
    ),
  );
  return findVoteChanges(transaction, { inner, loaded: [...writable, ...readonly] });
}

/** Of whatever both tell, the pairs that differ. */
function differing({ truth, lies }: ReturnType<typeof compare>) {
  return [...truth.replies].flatMap(([signature, right]) => {
    const wrong = lies.replies.get(signature) ?? null;
    if (right === null || wrong === null) return [];
    return JSON.stringify(right) === JSON.stringify(wrong) ? [] : [{ right, wrong }];
  });
}

describe("the endpoint that lies about transactions", () => {
  it("tells old ones as new, in the list and one by one", () => {
    const told = compare("old as new");
    const renewed = told.lies.rows.filter(({ slot }) => slot === told.since);
    expect(renewed.length).toBeGreaterThan(5);
    for (const { signature, slot } of renewed) expect(told.lies.replies.get(signature)?.slot).toBe(slot);
    const pairs = differing(told);
    expect(pairs.length).toBeGreaterThan(5);
    for (const { right, wrong } of pairs) {
      expect(right.slot).toBeLessThan(wrong.slot);
      expect(wrong.transaction).toEqual(right.transaction);
      expect(isSigned(decodeTransaction(bytesOf(wrong)))).toBe(true);
    }
  });

  it("tells failed ones as good", () => {
    const told = compare("failed as good");
    expect(told.truth.rows.filter(({ err }) => err !== null).length).toBeGreaterThan(3);
    expect(told.lies.rows.filter(({ err }) => err !== null)).toEqual([]);
    const pairs = differing(told);
    expect(pairs.length).toBeGreaterThan(3);
    for (const { right, wrong } of pairs) {
      expect(right.meta.err).not.toBeNull();
      expect(wrong.meta.err).toBeNull();
    }
  });

  it("signs changes with a key of its own", () => {
    const { truth, lies, since } = compare("own key");
    const invented = lies.rows.filter(({ signature }) => !truth.replies.has(signature));
    expect(invented.length).toBeGreaterThan(2);
    for (const { signature, slot } of invented) {
      expect(slot).toBe(since);
      const reply = lies.replies.get(signature)!;
      const [change] = changesOf(reply);
      expect(change).toMatchObject({ proof: "signature", change: { basisPoints: 10_000 } });
      const authorities = new Set(authoritiesAt(timeOf("own key")));
      expect(change!.authorities.some((key) => authorities.has(key))).toBe(false);
    }
  });

  it("invents an instruction inside a real one", () => {
    const pairs = differing(compare("invented inner"));
    expect(pairs.length).toBeGreaterThan(10);
    for (const { right, wrong } of pairs) {
      expect(wrong.transaction).toEqual(right.transaction);
      expect(changesOf(wrong)).toContainEqual(
        expect.objectContaining({ proof: "told", change: expect.objectContaining({ basisPoints: 10_000 }) as unknown }),
      );
    }
  });

  it("alters what is written in them, which breaks their signatures", () => {
    const pairs = differing(compare("altered"));
    expect(pairs.length).toBeGreaterThan(10);
    for (const { wrong } of pairs) {
      expect(isSigned(decodeTransaction(bytesOf(wrong)))).toBe(false);
      expect(changesOf(wrong)).toEqual([]);
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

  it("lists the newest first and page by page the same, whatever it lies about", () => {
    for (const { kind } of DECEITS) {
      const at = timeOf(kind);
      for (const authority of authoritiesAt(at).slice(0, 30)) {
        const page = (config: object) => {
          const params = [authority, config];
          const question = { at, endpoint: "first", method: "getSignaturesForAddress", params } as const;
          return callAt<SignatureRow[]>(cluster, question).result;
        };
        const whole = page({ limit: 12 });
        const [first, before] = [page({ limit: 5 }), whole[4]?.signature];
        expect(whole.map(({ slot }) => slot)).toEqual(whole.map(({ slot }) => slot).toSorted((a, b) => b - a));
        if (before !== undefined) expect([...first, ...page({ limit: 7, before })]).toEqual(whole);
      }
    }
  });

  it("tells the truth at all other times, and the others always do", () => {
    const quiet = tell("first", timeAt(2.6));
    expect(quiet).toEqual(tell("second", timeAt(2.6)));
    const lying = DECEITS.map(({ kind }) => cluster.falseTransactionsAt(cluster.at(timeOf(kind)).moment) !== null);
    expect(lying).toEqual(DECEITS.map(() => true));
    expect(cluster.falseTransactionsAt(cluster.at(STARTS_AT).moment)).toBeNull();
  });
});
