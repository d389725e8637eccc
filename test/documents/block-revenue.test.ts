import { base58 } from "@scure/base";
import { parseAtomFeed, parseJsonFeed } from "feedsmith";
import { describe, expect, it } from "vitest";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { updateBlockRevenueCommission } from "../cluster/transactions/programs.ts";
import { readTransaction } from "../chain/recorded.ts";
import { FIRST_EPOCH, slotAt, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { panelSnapshot } from "../story/panels.ts";
import { A, AUTHORITY, execute, transactions } from "../story/transactions.ts";
import { keyOf, withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";
import { read } from "./read.ts";
import { readCsvExport } from "./read-exports.ts";
import { SITE, toText } from "./read-feeds.ts";
import { expectTouchedToSuffice } from "./rendered.ts";

/** A story's epoch has 120 minutes. */
const at = (minute: number, revenue: number | null, bps = 500) =>
  panelSnapshot(
    minute,
    withA(bps),
    { of: 3, authority: AUTHORITY.address, revenue: all(3, revenue) },
    named(minute),
  );

/** A calls itself Alice at first, and Bob later. */
function named(minute: number) {
  const identity = keyOf("identity of A");
  const name = minute < 480 ? "Alice" : "Bob";
  return {
    info: {
      state: "ok" as const,
      value: [{ identity, account: identity, name, website: null, iconUrl: null }],
    },
  };
}

const ledgerOf = (...entries: Entry[]) => foldStory(...entries).ledger;
const profileOf = (...entries: Entry[]) =>
  read(ledgerOf(...entries), "validator", { votePubkey: A }).data;
const setsRevenue = (minute: number, rate: number) =>
  execute(slotAt(minute), [updateBlockRevenueCommission(A, AUTHORITY.address, rate)], [AUTHORITY]);
const searched = (minute: number, ...found: ReturnType<typeof setsRevenue>[]) =>
  transactions(minute, 3, { after: -100, upTo: minute - 0.5, found });

const RISE = [at(0, 1_234), at(10, 10_000), at(20, 10_000)];
const TRANSACTION = setsRevenue(7, 10_000);

function feedOf(...entries: Entry[]) {
  const { render } = createRenderer(ledgerOf(...entries), { siteUrl: SITE });
  const names = { votePubkey: A };
  const [atom, json] = (["validatorAtomFeed", "validatorJsonFeed"] as const).map((kind) =>
    render({ kind, names }),
  );
  if (!atom || !json) return null;
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  expect((parseAtomFeed(text(atom)).entries ?? []).map(({ id }) => id)).toEqual(
    (parseJsonFeed(text(json)).items ?? []).map(({ id }) => id),
  );
  return parseJsonFeed(text(json)).items ?? [];
}

it.each<[string, Entry[], number | null]>([
  ["not known", [at(0, null)], null],
  ["in percent, with two decimals", [at(0, 1_234)], 12.34],
  ["at most all of it", [at(0, 40_000)], 100],
  ["the old one after one reading of another", RISE.slice(0, 2), 12.34],
  ["the new one after two", RISE, 100],
  ["the one that a transaction set", [at(0, 1_234), searched(8, TRANSACTION)], 100],
])("profile, list and page show the rate: %s", (_, entries, rate) => {
  const ledger = ledgerOf(...entries);
  const list = read(ledger, "validators", {}).data;
  expect(list.find(({ votePubkey }) => votePubkey === A)?.blockRevenueCommission).toBe(rate);
  expect(profileOf(...entries).blockRevenueCommission).toBe(rate);
  const page =
    createRenderer(ledger).render({ kind: "page", names: { votePubkey: A } }) ?? new Uint8Array();
  const shown = rate === null ? "not known" : `${rate} %`;
  expect(new TextDecoder().decode(page)).toContain(
    `<dt>Block revenue commission</dt><dd>${shown}</dd>`,
  );
});

it("a new rate changes updatedAt, and nothing of other validators", () => {
  const [before, after] = [RISE.slice(0, 2), RISE].map(
    (entries) => read(ledgerOf(...entries), "validators", {}).data,
  );
  const changed = after!
    .filter(({ updatedAt }) => updatedAt === timeAt(20))
    .map(({ votePubkey }) => votePubkey);
  expect(changed).toEqual([A]);
  expect(after!.filter(({ votePubkey }) => votePubkey !== A)).toEqual(
    before!.filter(({ votePubkey }) => votePubkey !== A),
  );
});

describe("the changes of the account", () => {
  const ofRevenue = {
    of: "blockRevenueCommission",
    toKey: null,
    fromCommission: 12.34,
    toCommission: 100,
  };
  const observed = {
    blockTime: null,
    signature: null,
    signer: null,
    verified: "observed",
    verifiedBy: "observed",
  };

  it("tell a change that two snapshots show, without a transaction", () => {
    expect(profileOf(...RISE).accountChanges).toEqual([
      { ...ofRevenue, ...observed, slot: slotAt(10), epoch: FIRST_EPOCH, firstSeenAt: timeAt(10) },
    ]);
    expect(profileOf(...RISE.slice(0, 2)).accountChanges).toEqual([]);
  });

  it("tell it once, with its transaction when that is found", () => {
    const { signature, slot } = TRANSACTION;
    const proof = {
      blockTime: timeAt(7),
      signature,
      signer: AUTHORITY.address,
      verified: "signature",
      verifiedBy: "signature",
    };
    expect(profileOf(...RISE, searched(21, TRANSACTION)).accountChanges).toEqual([
      { ...ofRevenue, ...proof, slot, epoch: FIRST_EPOCH, firstSeenAt: timeAt(10) },
    ]);
  });
});

it("completes a change by what a real validator recorded", () => {
  const recorded = "6Yp8EJx9v8MfhHRHTkAFNpuT1ikCLYYe83hNPLjygVc9";
  const authority = "571HLvp3zs9YKSa87SXYH44gcNFEyZDJxwJr1WRj8WkU";
  const { bytes } = readTransaction("block-revenue-5000");
  const signature = base58.encode(bytes.subarray(1, 65));
  const found = { signature, bytes: Buffer.from(bytes).toString("base64"), slot: slotAt(7) };
  const snapshots = [10_000, 5_000, 5_000].map((revenue, index) => {
    const options = { of: 3, authority, revenue: all(3, revenue) };
    const entry = panelSnapshot(index * 10, withA(500), options);
    return {
      ...entry,
      votes: entry.votes.map((row) => (row.vote === A ? { ...row, vote: recorded } : row)),
    };
  });
  const search = transactions(21, 3, { authority, after: -100, upTo: 20.5, found: [found] });
  const profile = read(ledgerOf(...snapshots, search), "validator", { votePubkey: recorded }).data;
  expect(profile.blockRevenueCommission).toBe(50);
  const change = {
    fromCommission: 100,
    toCommission: 50,
    signature,
    signer: authority,
    verified: "signature",
  };
  expect(profile.accountChanges).toMatchObject([{ ...change, firstSeenAt: timeAt(10) }]);
});

it("each epoch's rate is in the history and in the exports", () => {
  const ledger = ledgerOf(at(0, 1_234), at(110, 5_000), at(130, 5_000), at(250, 0), at(260, 0));
  const history = read(ledger, "commissionHistory", { votePubkey: A }).data;
  expect(history.map(({ blockRevenueCommission }) => blockRevenueCommission)).toEqual([50, 50, 0]);
  const { render } = createRenderer(ledger);
  const rows = [0, 1].map((after) => {
    const bytes =
      render({ kind: "historyCsv", names: { epoch: FIRST_EPOCH + after } }) ?? new Uint8Array();
    return readCsvExport("history", bytes).find(({ votePubkey }) => votePubkey === A)?.[
      "blockRevenueCommission"
    ];
  });
  expect(rows).toEqual([50, 50]);
});

describe("the verdict", () => {
  const reasonOf = (...entries: Entry[]) =>
    profileOf(...entries).verdict.reasons.find(({ code }) => code === "block_revenue_rise")?.text ??
    null;

  it.each<[string, Entry[], string | null]>([
    ["a rise", RISE, "from 12.34 % to 100 % in epoch 1100."],
    [
      "one that is taken back",
      [...RISE, at(30, 0), at(40, 0)],
      "from 12.34 % to 100 % in epoch 1100; it is 0 % now.",
    ],
    [
      "one by 10 points",
      [at(0, 9_000), at(10, 10_000), at(20, 10_000)],
      "from 90 % to 100 % in epoch 1100.",
    ],
    ["none by less", [at(0, 9_001), at(10, 10_000), at(20, 10_000)], null],
    ["none of a cut", [at(0, 10_000), at(10, 0), at(20, 0)], null],
    [
      "none of a stored value above all of it",
      [at(0, 10_000), at(10, 60_000), at(20, 60_000)],
      null,
    ],
    [
      "one that only transactions show",
      [at(0, 0), at(10, 0), at(20, 0), searched(21, setsRevenue(3, 4_000), setsRevenue(4, 0))],
      "from 0 % to 40 % in epoch 1100; it is 0 % now.",
    ],
    ["none of what nobody read before", [searched(8, TRANSACTION), at(10, 10_000)], null],
    [
      "one for thirty epochs",
      [...RISE, at(29 * 120, 10_000)],
      "from 12.34 % to 100 % in epoch 1100.",
    ],
    ["none after them", [...RISE, at(30 * 120, 10_000)], null],
  ])("gives %s as a reason", (_, entries, text) => {
    expect(reasonOf(...entries)).toBe(text && `It raised its block revenue commission ${text}`);
  });

  it("is caution", () => {
    const { level, reasons } = profileOf(...RISE).verdict;
    expect([level, ...reasons.map(({ code }) => code)]).toEqual(["caution", "block_revenue_rise"]);
  });
});

describe("the validator's feed", () => {
  const id = `urn:rugwatch:block-revenue:mainnet:${A}:${slotAt(10)}`;

  it("has an entry for a large rise, with its evidence, and keeps it when the transaction is found", () => {
    const [entry] = feedOf(...RISE)!;
    expect(entry).toMatchObject({
      id,
      title: "CAUTION: Alice raised its block revenue commission from 12.34 % to 100 %",
      url: `${SITE}/validators/${A}?network=mainnet`,
      tags: ["CAUTION"],
      date_published: timeAt(10),
      date_modified: timeAt(10),
    });
    expect(entry!.content_html?.split("</p>").map(toText)).toEqual([
      "Alice raised its block revenue commission from 12.34 % to 100 %, by 87.66 percentage points.",
      // The first reading may be of the epoch before: the account may have been stale.
      "If the new rate still stands when epoch 1100 ends, it applies to blocks from epoch 1101, or 1102 at the latest, on (SIMD-0123).",
      `The old rate was last read at ${timeAt(0)}, slot ${slotAt(0)}. The new rate was first read at ${timeAt(10)}, slot ${slotAt(10)}, and a second snapshot showed it again.`,
      "Its transaction has not been found yet.",
      `Vote account ${A} on mainnet, epoch 1100.`,
      "",
    ]);
    const [proved, ...others] = feedOf(...RISE, searched(21, TRANSACTION))!;
    expect(others).toEqual([]);
    expect(proved).toMatchObject({ id, date_published: timeAt(10) });
    const [, effect, , proof] = proved!.content_html!.split("</p>").map(toText);
    expect(effect).toMatch(/from epoch 1102 on \(SIMD-0123\)\.$/);
    expect(proof).toContain(
      `Transaction ${TRANSACTION.signature} in slot ${slotAt(7)}, at ${timeAt(7)}, signed by`,
    );
  });

  it.each<[string, Entry[]]>([
    ["a small rise", [at(0, 9_001), at(10, 10_000), at(20, 10_000)]],
    ["a cut", [at(0, 10_000), at(10, 0), at(20, 0)]],
    ["a rise that one snapshot shows", RISE.slice(0, 2)],
    [
      "what only a transaction shows",
      [at(0, 0), at(20, 0), searched(21, setsRevenue(3, 4_000), setsRevenue(4, 0))],
    ],
  ])("is empty after %s", (_, entries) => {
    expect(feedOf(...entries)).toEqual([]);
  });

  it("stands among events by time", () => {
    const later = [
      at(30, 0),
      at(40, 0, 10_000),
      at(50, 9_000, 10_000),
      at(60, 9_000),
      at(70, 9_000),
    ];
    expect(feedOf(...RISE, ...later)!.map(({ title }) => title?.replace(/;.*/, ""))).toEqual([
      "INFO: Alice lowered its inflation commission from 100 % to 5 %",
      "CAUTION: Alice raised its block revenue commission from 0 % to 90 %",
      "RUG: Alice raised its inflation commission from 5 % to 100 %",
      "CAUTION: Alice raised its block revenue commission from 12.34 % to 100 %",
    ]);
  });
});

it("what is rendered again suffices: readings, a rise, its transaction, another epoch, another name", () => {
  const ledger = expectTouchedToSuffice([
    ...RISE,
    searched(21, TRANSACTION),
    at(115, 5_000),
    at(125, 5_000),
    at(250, null),
    at(370, 9_000),
    at(380, 9_000),
    at(400, 9_000),
    searched(401, setsRevenue(365, 9_000)),
    at(490, 9_000),
  ]);
  expect(read(ledger, "validator", { votePubkey: A }).data).toMatchObject({
    name: "Bob",
    blockRevenueCommission: 90,
  });
});
