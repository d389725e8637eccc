import { describe, expect, it } from "vitest";
import type { EndpointName, ClusterOptions } from "../../../infra/demo/cluster/options.ts";
import { FIRST_EPOCH, makeCluster, timeAt } from "./story.ts";
import { callAt, type SignatureRow, type TransactionReply } from "./transaction-reader.ts";

const SLOTS_PER_EPOCH = 43_200;
const AT = timeAt(2.6);

function makeArchive(changes: Partial<ClusterOptions> = {}) {
  return makeCluster({ slotsPerEpoch: SLOTS_PER_EPOCH, ...changes });
}

const cluster = makeArchive();

/** The authority of the first member of a role, at AT. */
function authorityOf(role: string): string {
  const member = cluster.members.find(({ authority }) => authority.role === role)!;
  return cluster.authorities.at(member, cluster.at(AT).moment).address;
}

interface Question {
  at?: number;
  endpoint?: EndpointName;
  of?: typeof cluster;
}

function list(address: string, config: object = {}, { at = AT, endpoint = "second", of = cluster }: Question = {}) {
  return callAt<SignatureRow[]>(of, { at, endpoint, method: "getSignaturesForAddress", params: [address, config] });
}

function get(signature: string, config: object = {}, { at = AT, endpoint = "second", of = cluster }: Question = {}) {
  const params = [signature, { encoding: "base64", ...config }];
  return callAt<TransactionReply | null>(of, { at, endpoint, method: "getTransaction", params });
}

const slotAt = (at: number) => cluster.at(at).moment.slot;

describe("getSignaturesForAddress", () => {
  const identity = authorityOf("identity");
  const all = list(identity).result;

  it("lists the newest first, each with its place in the block and the time of its slot", () => {
    expect(all.length).toBeGreaterThan(400);
    const places = all.map(({ slot, transactionIndex }) => slot * 100_000 + (transactionIndex ?? 0));
    expect(places).toEqual(places.toSorted((one, other) => other - one));
    expect(new Set(places).size).toBe(places.length);
    for (const { slot, blockTime, confirmationStatus, memo } of all) {
      const { result } = callAt<number>(cluster, { at: AT, method: "getBlockTime", params: [slot] });
      expect({ blockTime, confirmationStatus, memo }).toEqual({
        blockTime: result,
        confirmationStatus: "finalized",
        memo: null,
      });
    }
    expect(all.some(({ err }) => err !== null)).toBe(true);
  });

  it.each([1, 7, 100])("page by page of %i is the whole", (limit) => {
    const pages: SignatureRow[] = [];
    const wanted = all.slice(0, limit * 5);
    while (pages.length < wanted.length) {
      const before = pages.at(-1)?.signature;
      const page = list(identity, { limit, ...(before !== undefined && { before }) }).result;
      expect(page.length).toBe(limit);
      pages.push(...page);
    }
    expect(pages).toEqual(wanted);
  });

  it("goes on from where it was last time", () => {
    const until = all[40]!.signature;
    expect(list(identity, { until }).result).toEqual(all.slice(0, 40));
    expect(list(identity, { until, before: all[10]!.signature }).result).toEqual(all.slice(11, 40));
    const earlier = list(identity, {}, { at: timeAt(2.5) }).result;
    const since = list(identity, { until: earlier[0]!.signature }).result;
    expect([...since, ...earlier]).toEqual(all);
  });

  it("ends where the endpoint's transactions end, and looks complete", () => {
    const pruned = makeArchive({ transactionSlots: 30_000 });
    const first = slotAt(AT) - 30_000 + 1;
    const rows = list(identity, {}, { of: pruned }).result;
    expect(rows).toEqual(all.filter(({ slot }) => slot >= first));
    expect(rows.length).toBeLessThan(all.length);
    expect(callAt(pruned, { at: AT, method: "getFirstAvailableBlock" }).result).toBe(first);
    const lost = all.at(-1)!.signature;
    expect(get(lost).result).not.toBeNull();
    expect(get(lost, {}, { of: pruned }).result).toBeNull();
    expect(list(identity, { before: lost }, { of: pruned }).result).toEqual([]);
  });

  it("keeps two of mainnet's epochs where a story says nothing else", () => {
    const { result } = callAt(makeCluster(), { at: timeAt(2.5), method: "getFirstAvailableBlock" });
    expect(result).toBe((FIRST_EPOCH + 0.5) * 432_000 + 1);
  });

  it("knows nothing of the future, and an endpoint that lags less", () => {
    const rows = list(identity, {}, { endpoint: "lagging", at: timeAt(2.33) }).result;
    const { result: slot } = callAt<number>(cluster, { at: timeAt(2.33), endpoint: "lagging", method: "getSlot" });
    expect(slot).toBeLessThan(slotAt(timeAt(2.33)));
    expect(rows.map(({ signature }) => signature)).toEqual(
      all.filter((row) => row.slot <= slot).map(({ signature }) => signature),
    );
    const unborn = all[0]!.signature;
    expect(get(unborn, {}, { at: timeAt(2) }).result).toBeNull();
  });

  it("does not tell places in blocks where the node is older", () => {
    const [row] = list(identity, { limit: 1 }, { endpoint: "lagging", at: timeAt(2.5) }).result;
    expect(row).not.toHaveProperty("transactionIndex");
  });

  it.each([
    [{ limit: 0 }, -32602],
    [{ limit: 1001 }, -32602],
    [{ before: "not a signature" }, -32602],
    [{ until: "1111" }, -32602],
    [{ commitment: "processed" }, -32602],
    [{ minContextSlot: slotAt(AT) + 1 }, -32016],
  ])("refuses %o with %i", (config, code) => {
    expect(list(identity, config).error?.code).toBe(code);
  });
});

describe("getTransaction", () => {
  const row = list(authorityOf("settler")).result[0]!;

  it("tells the transaction under the slot and the place of the list", () => {
    const { result } = get(row.signature, { maxSupportedTransactionVersion: 0 });
    const { slot, blockTime, transactionIndex, transaction, meta } = result!;
    expect({ slot, blockTime, transactionIndex, err: meta.err }).toEqual({
      slot: row.slot,
      blockTime: row.blockTime,
      transactionIndex: row.transactionIndex,
      err: row.err,
    });
    expect(transaction[1]).toBe("base64");
  });

  it("of a version that the caller cannot read is refused as nodes do", () => {
    const signatures = cluster.transactions
      .ofAuthorities(2)
      .filter(({ version, slot }) => version === 0 && slot <= slotAt(AT))
      .map(({ signature }) => signature);
    expect(signatures.length).toBeGreaterThan(0);
    const { error } = get(signatures[0]!);
    expect(error).toEqual({
      code: -32015,
      message:
        'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
    });
    expect(get(signatures[0]!, { maxSupportedTransactionVersion: 0 }).result?.version).toBe(0);
  });

  it("of a signature that is not on the chain is null", () => {
    expect(get("5".repeat(87)).result).toBeNull();
  });

  it("refuses what is no signature, and another encoding", () => {
    expect(get("1".repeat(20)).error?.code).toBe(-32602);
    expect(get(row.signature, { encoding: "jsonParsed" }).error?.code).toBe(-32602);
  });
});

describe("an archive", () => {
  const authority = authorityOf("busy");

  it("is not at every endpoint", () => {
    const without = makeArchive({ withoutTransactions: ["lagging"] });
    const refused = { code: -32011, message: "Transaction history is not available from this node" };
    expect(list(authority, {}, { of: without, endpoint: "lagging" }).error).toEqual(refused);
    expect(get("5".repeat(87), {}, { of: without, endpoint: "lagging" }).error).toEqual(refused);
    expect(list(authority, {}, { of: without }).result.length).toBeGreaterThan(10);
  });
});
