import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { at, crowdRows, facts, list, onChain, tips, vendorFails, type Told, read800 } from "./mev-facts.ts";
import { epochAt, eventsTold, FIRST_EPOCH, keyOf, snapshot, tell, timeAt, validatorOf } from "./story.ts";

/** From the account of the epoch before. */
const ofBefore = { ago: 1 };
const off = { state: "skipped", off: true } as const;
const nodeOf = (clientId: number): SnapshotEntry["nodes"] => ({
  state: "ok",
  value: [{ identity: keyOf("identity of A"), version: "4.1.0", clientId, ip: null }],
});

describe("what the profile shows of MEV", () => {
  const kept = { mev: 800, mevVendorEnabled: true };
  it.each<[string, Entry[], object]>([
    ["a share that becomes known, which is no event", [at(0, null), at(10, 9500), at(20, 9500)], { mev: 9500 }],
    ["no share of more than the whole", [at(0, 65_535)], { mev: null }],
    ["the share that is not told any more", [at(0, 800), at(10, null)], kept],
    ["it while the vendor fails", [at(0, 800), snapshot(10, facts, { mev: vendorFails })], kept],
    [
      "the old record while one is pending",
      [at(0, 800), read800(0.1), onChain(130, 9000)],
      { mev: 800, mevEpoch: FIRST_EPOCH },
    ],
    ["enabled by an account of before", [at(0, 800), onChain(130, 800, ofBefore)], { mevVendorEnabled: true }],
    ["not enabled without", [at(0, 800), onChain(130, "absent")], { mevVendorEnabled: false }],
    ["the batch vendor by the client's number", [onChain(0, 800, { nodes: nodeOf(12) })], { batchVendorEnabled: true }],
    ["by the other number", [at(0, 800, { nodes: nodeOf(6) })], { batchVendorEnabled: true }],
    ["where no vendor is asked", [at(0, 800, { nodes: nodeOf(12), mev: off })], { batchVendorEnabled: true }],
    ["not without", [onChain(0, 800)], { batchVendorEnabled: false }],
    ["the latest fee", [sharing(0, 0), sharing(10, 9500), sharing(20, 9500)], { priorityFeeBasisPoints: 9500 }],
    ["no fee of more than the whole", [sharing(0, 5000), sharing(10, 65_535)], { priorityFeeBasisPoints: 5000 }],
    ["what the vendor says of its batch client", [sharing(0, 0, { nodes: nodeOf(6) })], { batchVendorEnabled: false }],
  ])("is %s", (_, entries, shown) => {
    const told = tell(...entries);
    expect(validatorOf(told, "A")).toMatchObject(shown);
    expect(eventsTold(told)).toEqual([]);
  });

  it("is the new record once it is confirmed", () => {
    const told = tell(at(0, 800), onChain(130, 9000), onChain(140, 9000));
    expect(validatorOf(told, "A")).toMatchObject({ mev: 9000, mevEpoch: FIRST_EPOCH + 1 });
  });

  it("is a record and its epoch, also of the epoch before the validator was first seen", () => {
    const told = tell(onChain(130, 700, ofBefore));
    const { ordinal, ...shown } = validatorOf(told, "A");
    expect(shown).toMatchObject({ mev: 700, mevEpoch: FIRST_EPOCH, mevVendorEnabled: true });
    expect(told.ledger.mev.get(epochAt(130))?.[ordinal]).toBe(700);
  });

  function sharing(minute: number, priorityFeeBasisPoints: number, sides: Partial<SnapshotEntry> = {}) {
    const row = { vote: keyOf("A"), mevBasisPoints: 800, priorityFeeBasisPoints, runningBam: false };
    return at(minute, 800, { mev: { state: "ok", value: { rows: [row] } }, ...sides });
  }
});

describe("a latest list that is cut short", () => {
  const missing = (...entries: Entry[]) => tell(...entries).ledger.validators.filter((one) => !one.mevVendorEnabled);
  const shot = (minute: number, ...rows: Told[]) => snapshot(minute, facts, { mev: list(...rows) });
  const cut = (minute: number) => shot(minute, ["A", 800]);

  it("says nothing of who is missing", () => {
    expect(missing(at(0, 800), cut(10), cut(20))).toEqual([]);
  });

  it("is the measure again when two epochs had no longer one", () => {
    expect(missing(at(0, 800), cut(10), cut(130), cut(250))).toHaveLength(9);
  });

  it("of eight in ten tells who is missing, of seven it does not", () => {
    expect(missing(at(0, 800), shot(10, ...crowdRows.slice(0, 8)))).toHaveLength(2);
    expect(missing(at(0, 800), shot(10, ...crowdRows.slice(0, 7)))).toEqual([]);
  });
});

describe("the state of the MEV source", () => {
  const chainFails = { state: "failed", reason: "no tip account" } as const;
  const fresh = tips(FIRST_EPOCH, ...crowdRows);
  const degradedSince = (minute: number, reason = "MEV list: the list is empty") => {
    return { state: "degraded", lastSuccessAt: timeAt(minute), reason };
  };

  it.each<[string, Partial<SnapshotEntry>, object]>([
    ["degraded, but fresh, when the chain tells it", { mev: vendorFails, tips: fresh }, degradedSince(10)],
    ["degraded and old when both fail", { mev: vendorFails, tips: chainFails }, degradedSince(0)],
    ["ok by the chain alone where no vendor is to be asked", { mev: off, tips: fresh }, { state: "ok" }],
    ["degraded where only the chain is asked", { mev: off, tips: chainFails }, degradedSince(0, "no tip account")],
    ["off where there is neither", { mev: off, tips: off }, { state: "off" }],
  ])("is %s", (_, sides, expected) => {
    expect(tell(at(0, 800), snapshot(10, facts, sides)).ledger.sources.mev).toMatchObject(expected);
  });
});
