import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SEVERITIES } from "../../generator/contract/event.ts";
import { FEED_SEVERITIES, FEEDS } from "../../generator/contract/feed.ts";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { recordChanges } from "../../generator/service/projection/record-changes.ts";
import { createTouched } from "../../generator/ledger/touched.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import {
  EPOCH,
  ledgerOf,
  MOMENT,
  signatureOf,
  transactionOf,
  voteOf,
  type EventFacts,
} from "./fixtures.ts";
import { read } from "./read.ts";
import { expectToTell, readFeeds, SITE, textOf, toText } from "./read-feeds.ts";
import { SOAK } from "../soak/soak.ts";

const NAMES = ["one", "<b>two</b> & ]]> \u05d0\u05d1"];
const ledgerWith = (...events: EventFacts[]) =>
  ledgerOf({ validators: NAMES.map((name) => ({ name })), events });

const stepsOf = (...rates: number[]) =>
  rates.map((basisPoints, at) => ({
    signature: signatureOf(`${at}`),
    slot: MOMENT.slot - 9 + at,
    basisPoints,
  }));

/**
 * One of 130 events: each severity, source and kind of change; every seventh from a public history.
 */
function eventAt(index: number): EventFacts {
  const unseen = { previousSlot: null, previousSeenAt: null };
  const kinds: Partial<EventFacts>[] = [
    { from: 500, to: 10_000 },
    { from: 725, to: 200 },
    { source: "MEV", from: "disabled", to: 9_500 },
    { source: "MEV", from: 800, to: "disabled", ...unseen },
    { source: "MEV", from: null, to: 1_000 },
    { transaction: transactionOf(10_000), confirmedBy: "transaction" },
    {
      transaction: transactionOf(10_000, {
        blockTime: null,
        verified: "witnesses",
        steps: stepsOf(0, 10_000),
      }),
    },
    { isSwept: true, ...unseen, transaction: transactionOf(10_000) },
    { effectiveEpochLatest: EPOCH + 3, effectiveEpochFinal: true },
    { effectiveEpochLatest: EPOCH + 5 },
    { supersededBy: "0123456789abcdef01234567" },
  ];
  const confirmed = index % 7 !== 0;
  const timeOf = (second: number) =>
    new Date(Date.parse("2026-11-20T11:00:00.000Z") + second * 1000).toISOString();
  return {
    ...{
      of: NAMES[index % 2]!,
      severity: SEVERITIES[index % 3]!,
      slot: MOMENT.slot + index,
      confirmed,
    },
    ...{ createdAt: confirmed ? timeOf(index) : null, previousSeenAt: timeOf(index - 60) },
    ...kinds[index % kinds.length],
  };
}

const full = () => ledgerWith(...Array.from({ length: 130 }, (_, index) => eventAt(index)));

describe("a feed", () => {
  it.each(FEEDS)(
    "tells of each entry what the events document tells, newest first, a hundred at most: %s",
    (feed) => {
      const ledger = full();
      const { fromAtom, fromJson } = readFeeds(ledger, feed);
      const severities: readonly string[] = FEED_SEVERITIES[feed];
      const events = read(ledger, "events", {}).data;
      const shown = events
        .filter(({ confirmed, severity }) => confirmed && severities.includes(severity))
        .slice(0, 100);
      expect(fromAtom).toHaveLength(shown.length);
      expect(fromJson).toEqual(fromAtom);
      for (const [index, event] of shown.entries()) expectToTell(fromAtom[index]!, event);
      expect(readFeeds(ledger, "events").fromAtom).toHaveLength(100);
    },
  );

  it("has each event for programs as JSON Feed, without what goes on changing", () => {
    const ledger = full();
    const events = read(ledger, "events", {}).data.filter(({ confirmed }) => confirmed);
    const feed = JSON.parse(textOf(ledger, "jsonFeed", "events") ?? "") as DocumentOf<"jsonFeed">;
    const settled = events.slice(0, 100).map((event) => {
      const { incident, cost, mevCost, ...rest } = event;
      expect([incident, cost, mevCost]).not.toContain(undefined);
      return rest;
    });
    expect(feed.items.map(({ _rugwatch }) => _rugwatch?.event)).toEqual(settled);
    expect(feed._rugwatch).toEqual({ about: `${SITE}/api?section=feeds` });
    expect(textOf(ledger, "atomFeed", "events")).not.toContain("_rugwatch");
  });

  it("begins with what was published last, though it happened before", () => {
    const [late, known] = [0, 1].map((index) => ({
      ...eventAt(1),
      id: `${index}`,
      slot: MOMENT.slot + index,
    }));
    const { changes } = ledgerWith(known!);
    const ledger = { ...ledgerWith(late!, known!), changes };
    const touched = { ...createTouched(), events: new Set(ledger.validators.keys()) };
    recordChanges({ ledger, touched }, MOMENT.time);
    expect(read(ledger, "events", {}).data.map(({ id }) => id)).toEqual(["1", "0"]);
    expect(readFeeds(ledger, "events").fromJson.map(({ id }) => id)).toEqual([
      "urn:rugwatch:0",
      "urn:rugwatch:1",
    ]);
  });

  it.each(FEEDS)(
    "says what it is, where it lies, and when its newest entry was made: %s",
    (feed) => {
      const { atom, json, fromJson } = readFeeds(full(), feed);
      const home = `${SITE}/?network=mainnet`;
      const self = (form: string) => `${SITE}/feeds/mainnet/${feed}.${form}`;
      const links = [
        { rel: "alternate", href: home },
        { rel: "self", href: self("atom") },
      ];
      const id = `urn:rugwatch:feed:mainnet:${feed}`;
      expect(atom).toMatchObject({
        id,
        updated: fromJson[0]?.times[0],
        authors: [{ name: "Rugwatch", uri: SITE }],
        links,
      });
      expect(json).toMatchObject({
        ...{
          title: atom.title?.value,
          description: atom.subtitle?.value,
          home_page_url: home,
          feed_url: self("json"),
        },
        authors: [{ name: "Rugwatch", url: SITE }],
      });
      expect(textOf(full(), "jsonFeed", feed)).toContain(
        '"version":"https://jsonfeed.org/version/1.1"',
      );
    },
  );

  it("leaves out what only a public history tells, and what its steps replace", () => {
    const ledger = ledgerWith(
      { of: "one", confirmed: false, createdAt: null },
      { of: "one", replacedBy: "step" },
      { id: "step", of: "one", isSwept: true },
    );
    for (const feed of ["events", "rug"] as const)
      expect(readFeeds(ledger, feed).fromAtom.map(({ id }) => id)).toEqual(["urn:rugwatch:step"]);
  });

  it.each(FEEDS)(
    "without entries was never updated, and is none of a network that was never observed: %s",
    (feed) => {
      const { atom, json } = readFeeds(ledgerWith(), feed);
      expect(atom.updated).toBe("1970-01-01T00:00:00.000Z");
      expect([atom.entries ?? [], json.items ?? []]).toEqual([[], []]);
      for (const kind of ["atomFeed", "jsonFeed"] as const)
        expect(textOf(createLedger("mainnet"), kind, feed)).toBeNull();
    },
  );

  it("shows a name as text, whatever the name is", () => {
    const hostile = [
      "]]>",
      "<script>",
      "&amp;",
      "&#60;",
      '"',
      "\u202e",
      "\u0000",
      "\ufffe",
      "\ud800",
      "-->",
    ];
    const part = fc.oneof(
      fc.constantFrom(...hostile),
      fc.string({ unit: "binary", maxLength: 10 }),
    );
    const onlyVisible = (text: string) => text.replaceAll(/[^\p{L}\p{N}\p{P}\p{Sm}]/gu, "");
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
        const ledger = ledgerWith({ of: "one" });
        ledger.validators[0]!.name = parts.join("");
        const [atom, json] = [
          textOf(ledger, "atomFeed", "rug")!,
          textOf(ledger, "jsonFeed", "rug")!,
        ];
        // XML 1.0 §2.2, and bidirectional controls.
        expect(atom).not.toMatch(
          /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]|[\u202a-\u202e\u2066-\u2069]/u,
        );
        expect(json.isWellFormed()).toBe(true);
        const { fromAtom, fromJson } = readFeeds(ledger, "rug");
        expect(fromAtom).toHaveLength(1);
        expect(fromJson).toEqual(fromAtom);
        const [{ title = "", content = "" } = {}] = fromJson;
        const [, who] =
          /^RUG: (.+) raised its inflation commission from 5 % to 100 %; /.exec(title) ?? [];
        const visible = onlyVisible(parts.join("").normalize("NFC"));
        if (visible === "") expect(who).toBeDefined();
        else expect(onlyVisible(who ?? "")).toBe(Array.from(visible).slice(0, 80).join(""));
        expect(toText(content)).toContain(`${who} raised its inflation commission`);
        expect(content.match(/<[^>]*>/g)).toEqual(Array(5).fill(["<p>", "</p>"]).flat());
      }),
      { numRuns: 60 * SOAK },
    );
  });

  it("without a name of the validator names its vote account", () => {
    const ledger = ledgerWith({ of: "one" });
    ledger.validators[0]!.name = null;
    expect(readFeeds(ledger, "rug").fromAtom[0]?.title).toContain(`RUG: ${voteOf("one")} raised`);
  });
});

const { signature, signer } = transactionOf(10_000);
const ofTransaction = (facts: Parameters<typeof transactionOf>[1]) => ({
  transaction: transactionOf(10_000, facts),
});
const where = `Transaction ${signature} in slot 77, at 2026-11-20T09:59:59.000Z, signed by ${signer}`;

const steps = stepsOf(70_000, 0, 10_000);
/** One reading is told as one. */
const ONCE = /second|again|twice|further/;
const unseen = {
  isSwept: true,
  previousSlot: null,
  previousSeenAt: null,
  confirmedBy: "transaction",
} as const;

it.each<[string, Partial<EventFacts>, string, RegExp?]>([
  ["step by step", ofTransaction({ steps }), "The change took 3 steps: to 100 % in slot"],
  [
    "alone, where nobody saw it",
    { ...unseen, ...ofTransaction({}) },
    "No observation saw",
    /first seen/,
  ],
  [
    "signature",
    ofTransaction({ slot: 77 }),
    `${where}: verified by signature; a majority of the endpoints agree on its slot and success.Vote account`,
  ],
  [
    "one witness",
    ofTransaction({ slot: 77, verified: "signature, one witness" }),
    `${where}: verified by signature; only one endpoint reports its slot and success.Vote account`,
  ],
  [
    "by its transaction, where readings contradict each other",
    { confirmedBy: "transaction", ...ofTransaction({}) },
    `slot ${MOMENT.slot}, and its transaction proves it.`,
  ],
  [
    "by a majority",
    { confirmedBy: "witnesses" },
    `slot ${MOMENT.slot}, and a majority of the endpoints showed it.`,
    ONCE,
  ],
  [
    "by one account",
    { confirmedBy: "account" },
    "and an endpoint showed it in the account itself.",
    ONCE,
  ],
  [
    "by one endpoint again",
    { confirmedBy: "observations" },
    "and further observations showed it again.",
  ],
  ["of MEV not at all", { source: "MEV" }, "MEV", /ransaction/],
])("what proves a change is told %s", (_, facts, words, never) => {
  const text = toText(readFeeds(ledgerWith({ of: "one", ...facts }), "rug").fromJson[0]?.content);
  expect(text).toContain(words);
  if (never !== undefined) expect(text).not.toMatch(never);
});
