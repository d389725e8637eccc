import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { snapshot } from "../story/observations.ts";
import { validatorOf } from "../story/outcome.ts";
import { vendorList, tipSnapshot, tipsOf, type VendorRow, type TipReading } from "../story/tips.ts";
import { keyOf, rest, withA } from "../story/validators.ts";

const vendorFails: SnapshotEntry["mev"] = {
  state: "failed",
  reason: "MEV list: the list is empty",
};
const off = { state: "skipped", off: true } as const;
const nodeOf = (clientId: number): SnapshotEntry["nodes"] => ({
  state: "ok",
  value: [{ identity: keyOf("identity of A"), version: "4.1.0", clientId, ip: null }],
});
const others = rest.map(({ name }) => name);
const listed = (minute: number, ...rows: (string | VendorRow)[]) =>
  snapshot(minute, withA(), { mev: vendorList(...rows) });
const sharing = (minute: number, fee: number, sides: Partial<SnapshotEntry> = {}) =>
  snapshot(minute, withA(), { mev: vendorList(...others, ["A", fee]), ...sides });
const byChain = (minute: number, says: TipReading, sides: Partial<SnapshotEntry> = {}) =>
  tipSnapshot(minute, [says], { mev: vendorFails, ...sides });
const fees = (...rows: [string, number | null][]): SnapshotEntry["priorityFees"] => ({
  state: "ok",
  value: { rows: rows.map(([name, basisPoints]) => [keyOf(name), basisPoints]) },
});

describe("what the profile shows of clients and fees", () => {
  const none: TipReading = { now: "absent", before: "absent" };
  it.each<[string, Entry[], object]>([
    [
      "MEV by the vendor's list",
      [listed(0, ...others, "A")],
      { mevVendorEnabled: true, mev: null },
    ],
    ["none where the list lacks it", [listed(0, ...others)], { mevVendorEnabled: false }],
    [
      "MEV by a tip account, while the vendor fails",
      [byChain(0, { now: 800, before: 800 })],
      { mevVendorEnabled: true },
    ],
    ["by one of the epoch before", [byChain(0, { before: 800 })], { mevVendorEnabled: true }],
    [
      "as the vendor told it, before the chain does",
      [listed(0, "A"), byChain(10, {})],
      { mevVendorEnabled: true },
    ],
    [
      "none where the closed epoch had no account",
      [listed(0, "A"), byChain(130, none), byChain(132.1, none)],
      { mevVendorEnabled: false },
    ],
    [
      "the batch vendor by the client's number",
      [byChain(0, {}, { nodes: nodeOf(12) })],
      { batchVendorEnabled: true },
    ],
    ["by the other number", [sharing(0, 0, { nodes: nodeOf(6) })], { batchVendorEnabled: true }],
    [
      "where no vendor is asked",
      [tipSnapshot(0, [{}], { nodes: nodeOf(12), mev: off })],
      { batchVendorEnabled: true },
    ],
    ["not without", [byChain(0, {})], { batchVendorEnabled: false }],
    ["the latest fee", [sharing(0, 0), sharing(10, 9500)], { priorityFeeBasisPoints: 9500 }],
    [
      "no fee of more than the whole",
      [sharing(0, 5000), sharing(10, 65_535)],
      { priorityFeeBasisPoints: 5000 },
    ],
    [
      "the fee of the chain",
      [byChain(0, {}, { priorityFees: fees(["A", 700]) })],
      { priorityFeeBasisPoints: 700 },
    ],
    [
      "what the vendor says of its batch client",
      [
        snapshot(0, withA(), {
          nodes: nodeOf(6),
          mev: {
            state: "ok",
            value: {
              rows: [
                {
                  vote: keyOf("A"),
                  mevBasisPoints: 1,
                  priorityFeeBasisPoints: 1,
                  runningBam: false,
                },
              ],
            },
          },
        }),
      ],
      { batchVendorEnabled: false },
    ],
  ])("is %s", (_, entries, shown) => {
    const outcome = foldStory(...entries);
    expect(validatorOf(outcome, "A")).toMatchObject(shown);
    expect(outcome.ledger.events).toEqual([]);
  });
});

describe("a latest list that is cut short", () => {
  const missing = (...entries: Entry[]) =>
    foldStory(...entries).ledger.validators.filter((one) => !one.mevVendorEnabled);
  const whole = listed(0, ...others, "A");
  const cut = (minute: number) => listed(minute, "A");

  it("says nothing of who is missing", () => {
    expect(missing(whole, cut(10), cut(20))).toEqual([]);
  });

  it("is the measure again when two epochs had no longer one", () => {
    expect(missing(whole, cut(10), cut(130), cut(250))).toHaveLength(9);
  });

  it("of eight in ten tells who is missing, of seven it does not", () => {
    expect(missing(whole, listed(10, ...others.slice(0, 8)))).toHaveLength(2);
    expect(missing(whole, listed(10, ...others.slice(0, 7)))).toEqual([]);
  });
});

describe("the state of the MEV source", () => {
  const chainFails = { state: "failed", reason: "no tip account" } as const;
  const fresh = tipsOf({ minute: 10 }, () => 800);
  const degradedSince = (minute: number, reason = "MEV list: the list is empty") => {
    return { state: "degraded", lastSuccessAt: timeAt(minute), reason };
  };

  it.each<[string, Partial<SnapshotEntry>, object]>([
    [
      "degraded, but fresh, when the chain tells it",
      { mev: vendorFails, tips: fresh },
      degradedSince(10),
    ],
    ["degraded and old when both fail", { mev: vendorFails, tips: chainFails }, degradedSince(0)],
    [
      "ok by the chain alone where no vendor is to be asked",
      { mev: off, tips: fresh },
      { state: "ok" },
    ],
    [
      "degraded where only the chain is asked",
      { mev: off, tips: chainFails },
      degradedSince(0, "no tip account"),
    ],
    ["off where there is neither", { mev: off, tips: off }, { state: "off" }],
  ])("is %s", (_, sides, expected) => {
    const begun = snapshot(0, withA(), { mev: vendorList(...others) });
    expect(foldStory(begun, snapshot(10, withA(), sides)).ledger.sources.mev).toMatchObject(
      expected,
    );
  });
});
