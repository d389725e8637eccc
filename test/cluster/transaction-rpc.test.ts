import { describe, expect, it } from "vitest";
import type { ClusterOptions } from "./options.ts";
import { ask, type Asked, makeCluster, timeAt } from "./_cluster.ts";
import {
  ANY_VERSION,
  get as getFrom,
  list as listFrom,
  type SignatureRow,
} from "./_transactions.ts";
import { FIRST_EPOCH } from "./options.ts";

const AT = timeAt(2.6);
const makeArchive = (changes: Partial<ClusterOptions> = {}) =>
  makeCluster({ slotsPerEpoch: 43_200, ...changes });
const cluster = makeArchive();
const slotAt = (at: number) => cluster.at(at).moment.slot;

/** The authority of the first member of a role. */
function authorityOf(role: string): string {
  const member = cluster.members.find(({ authority }) => authority.role === role)!;
  return cluster.authorities.at(member, cluster.at(AT).moment).address;
}

type Question = Asked & { of?: typeof cluster };

const list = (address: string, config: object = {}, { of = cluster, ...asked }: Question = {}) =>
  listFrom(of, address, config, { at: AT, endpoint: "second", ...asked });
const get = (signature: string, config: object = {}, { of = cluster, ...asked }: Question = {}) =>
  getFrom(of, signature, config, { at: AT, endpoint: "second", ...asked });

describe("getSignaturesForAddress", () => {
  const identity = authorityOf("identity");
  const all = list(identity).result;

  it("lists the newest first, each with its place in the block and the time of its slot", () => {
    expect(all.length).toBeGreaterThan(400);
    const places = all.map(
      ({ slot, transactionIndex }) => slot * 100_000 + (transactionIndex ?? 0),
    );
    expect(places).toEqual([...new Set(places)].toSorted((one, other) => other - one));
    for (const { slot, ...row } of all) {
      const blockTime = ask<number>(cluster, "getBlockTime", [slot], { at: AT });
      expect(row).toMatchObject({ blockTime, confirmationStatus: "finalized", memo: null });
    }
    expect(all.some(({ err }) => err !== null)).toBe(true);
  });

  it.each([1, 7, 100])("page by page of %i is the whole", (limit) => {
    const pages: SignatureRow[] = [];
    while (pages.length < limit * 5) {
      const page = list(identity, { limit, before: pages.at(-1)?.signature }).result;
      expect(page.length).toBe(limit);
      pages.push(...page);
    }
    expect(pages).toEqual(all.slice(0, limit * 5));
  });

  it("goes on from where it was last time", () => {
    const until = all[40]!.signature;
    expect(list(identity, { until }).result).toEqual(all.slice(0, 40));
    expect(list(identity, { until, before: all[10]!.signature }).result).toEqual(all.slice(11, 40));
    const earlier = list(identity, {}, { at: timeAt(2.5) }).result;
    expect([...list(identity, { until: earlier[0]!.signature }).result, ...earlier]).toEqual(all);
  });

  it("ends where the endpoint's transactions end, by default after two epochs, and looks complete", () => {
    const of = makeArchive({ transactionSlots: 30_000 });
    const first = slotAt(AT) - 30_000 + 1;
    const rows = list(identity, {}, { of }).result;
    expect(rows).toEqual(all.filter(({ slot }) => slot >= first));
    expect(ask(of, "getFirstAvailableBlock", [], { at: AT })).toBe(first);
    const lost = all.at(-1)!.signature;
    expect([get(lost).result === null, get(lost, {}, { of }).result]).toEqual([false, null]);
    expect(list(identity, { before: lost }, { of }).result).toEqual([]);
    const usual = ask(makeCluster(), "getFirstAvailableBlock", [], { at: timeAt(2.5) });
    expect(usual).toBe((FIRST_EPOCH + 0.5) * 432_000 + 1);
  });

  it("knows nothing of the future, and an endpoint that lags less", () => {
    const lagging = { endpoint: "lagging", at: timeAt(2.33) } as const;
    const rows = list(identity, {}, lagging).result;
    const slot = ask<number>(cluster, "getSlot", [], lagging);
    expect(slot).toBeLessThan(slotAt(lagging.at));
    const signaturesOf = (some: SignatureRow[]) => some.map(({ signature }) => signature);
    expect(signaturesOf(rows)).toEqual(signaturesOf(all.filter((row) => row.slot <= slot)));
    // That node is older: it does not tell places in blocks.
    expect(rows[0]).not.toHaveProperty("transactionIndex");
    expect(get(all[0]!.signature, {}, { at: timeAt(2) }).result).toBeNull();
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

  it("tells the transaction under the slot and the place of the list, and null of one that is not on the chain", () => {
    const { slot, blockTime, transactionIndex, err } = row;
    const { result } = get(row.signature, ANY_VERSION);
    expect(result).toMatchObject({ slot, blockTime, transactionIndex, meta: { err } });
    expect(get("5".repeat(87)).result).toBeNull();
  });

  it("refuses one of a version that the caller cannot read, as nodes do", () => {
    const { signature } = cluster.transactions
      .ofAuthorities(2)
      .find(({ version }) => version === 0)!;
    const message =
      'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0';
    expect(get(signature).error).toEqual({ code: -32015, message });
    expect(get(signature, ANY_VERSION).result?.version).toBe(0);
  });

  it("refuses what is no signature, and another encoding", () => {
    expect(get("1".repeat(20)).error?.code).toBe(-32602);
    expect(get(row.signature, { encoding: "jsonParsed" }).error?.code).toBe(-32602);
  });
});

it("an archive is not at every endpoint", () => {
  const of = makeArchive({ withoutTransactions: ["lagging"] });
  const refused = { code: -32011, message: "Transaction history is not available from this node" };
  expect(list(authorityOf("busy"), {}, { of, endpoint: "lagging" }).error).toEqual(refused);
  expect(get("5".repeat(87), {}, { of, endpoint: "lagging" }).error).toEqual(refused);
  expect(list(authorityOf("busy"), {}, { of }).result.length).toBeGreaterThan(10);
});
