import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { FEED_SEVERITIES, FEEDS } from "../../generator/contract/feed.ts";
import { toContentHtml, toEntryTitle } from "../../generator/documents/feed-entry.ts";
import { touchedReferences } from "../../generator/documents/references.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { createTouched } from "../../generator/ledger/touched.ts";
import { documentOf, ledgerOf, MOMENT, signatureOf, transactionOf, voteOf, type EventFacts } from "./fixtures.ts";
import { expectToTell, readFeeds, SITE, textOf, toText } from "./read-feeds.ts";

const SEVERITIES = ["RUG", "CAUTION", "INFO"] as const;

/** An event of 130: each severity, both sources, each kind of change; every seventh is of a public history. */
function eventAt(index: number): EventFacts {
  const seconds = String(index % 60).padStart(2, "0");
  const kinds: Partial<EventFacts>[] = [
    { from: 500, to: 10_000 },
    { from: 725, to: 200 },
    { source: "MEV", from: "disabled", to: 9_500 },
    { source: "MEV", from: 800, to: "disabled", previousSlot: null, previousSeenAt: null },
    { source: "MEV", from: null, to: 1_000 },
    { transaction: transactionOf(10_000), confirmedBy: "transaction" },
    { transaction: transactionOf(10_000, { blockTime: null, verified: "witnesses", steps: stepsOf(0, 10_000) }) },
    { isSwept: true, previousSlot: null, previousSeenAt: null, transaction: transactionOf(10_000) },
  ];
  const isOfHistory = index % 7 === 0;
  return {
    of: index % 2 === 0 ? "one" : "<b>two</b> & ]]> \u05d0\u05d1",
    severity: SEVERITIES[index % 3]!,
    slot: MOMENT.slot + index,
    createdAt: isOfHistory ? null : `2026-11-20T11:${String(Math.floor(index / 60)).padStart(2, "0")}:${seconds}.000Z`,
    previousSeenAt: `2026-11-20T10:59:${seconds}.000Z`,
    confirmed: !isOfHistory,
    ...kinds[index % kinds.length],
  };
}

function stepsOf(...rates: number[]) {
  return rates.map((basisPoints, at) => ({ signature: signatureOf(`${at}`), slot: MOMENT.slot - 9 + at, basisPoints }));
}

const validators = [{ name: "one" }, { name: "<b>two</b> & ]]> \u05d0\u05d1" }];
const full = () => ledgerOf({ validators, events: Array.from({ length: 130 }, (_, index) => eventAt(index)) });

describe("a feed", () => {
  it.each(FEEDS)("tells of each entry what the events document tells: %s", (feed) => {
    const ledger = full();
    const { fromAtom, fromJson } = readFeeds(ledger, feed);
    const severities: readonly string[] = FEED_SEVERITIES[feed];
    const events = documentOf(ledger, "events", {})!.data;
    const shown = events.filter(({ confirmed, severity }) => confirmed && severities.includes(severity)).slice(0, 100);
    expect(fromAtom).toHaveLength(shown.length);
    expect(fromJson).toEqual(fromAtom);
    for (const [index, event] of shown.entries()) expectToTell(fromAtom[index]!, event);
  });

  it("has the newest hundred, newest first", () => {
    const { fromAtom, fromJson } = readFeeds(full(), "events");
    expect(fromAtom).toHaveLength(100);
    expect(fromAtom[0]?.id).toBe("urn:rugwatch:event 129");
    const times = fromJson.map(({ times: [published] }) => published ?? "");
    expect(times).toEqual(times.toSorted().reverse());
  });

  it("leaves out what only a public history tells", () => {
    const ledger = ledgerOf({ validators, events: [{ of: "one", confirmed: false, createdAt: null }] });
    expect(readFeeds(ledger, "rug").fromAtom).toEqual([]);
  });

  it.each(FEEDS)("says what it is, where it lies, and when its newest entry was made: %s", (feed) => {
    const { atom, json, fromJson } = readFeeds(full(), feed);
    const newest = fromJson[0]?.times[0];
    expect(atom).toMatchObject({
      id: `urn:rugwatch:feed:mainnet:${feed}`,
      updated: newest,
      authors: [{ name: "Rugwatch", uri: SITE }],
      links: [
        { rel: "alternate", href: `${SITE}/?network=mainnet` },
        { rel: "self", href: `${SITE}/feeds/mainnet/${feed}.atom` },
      ],
    });
    expect(json).toMatchObject({
      title: atom.title?.value,
      description: atom.subtitle?.value,
      home_page_url: `${SITE}/?network=mainnet`,
      feed_url: `${SITE}/feeds/mainnet/${feed}.json`,
      authors: [{ name: "Rugwatch", url: SITE }],
    });
    expect(textOf(full(), "jsonFeed", feed)).toContain('"version":"https://jsonfeed.org/version/1.1"');
  });

  it("without entries was never updated, whenever it is made", () => {
    const { atom, json } = readFeeds(ledgerOf({ validators }), "rug");
    expect(atom.updated).toBe("1970-01-01T00:00:00.000Z");
    expect(atom.entries ?? []).toEqual([]);
    expect(json.items ?? []).toEqual([]);
  });

  it.each(FEEDS)("is none of a network that was never observed: %s", (feed) => {
    expect(textOf(createLedger("mainnet"), "atomFeed", feed)).toBeNull();
    expect(textOf(createLedger("mainnet"), "jsonFeed", feed)).toBeNull();
  });

  it("shows a name as text, whatever the name is", () => {
    const hostile = fc.constantFrom(
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
    );
    const names = fc.array(fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 10 })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(names, (parts) => {
        const ledger = ledgerOf({ validators: [{ name: "one" }], events: [{ of: "one" }] });
        ledger.validators[0]!.name = parts.join("");
        const [atom, json] = [textOf(ledger, "atomFeed", "rug")!, textOf(ledger, "jsonFeed", "rug")!];
        // XML 1.0 §2.2, and characters that turn the order of what is beside them.
        expect(atom).not.toMatch(
          /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]|[\u202a-\u202e\u2066-\u2069]/u,
        );
        expect(json.isWellFormed()).toBe(true);
        const { fromAtom, fromJson } = readFeeds(ledger, "rug");
        expect(fromAtom).toHaveLength(1);
        expect(fromJson).toEqual(fromAtom);
        const [, who] =
          /^RUG: (.+) raised its inflation commission from 5 % to 100 %; /.exec(fromJson[0]?.title ?? "") ?? [];
        const visible = parts
          .join("")
          .normalize("NFC")
          .replaceAll(/[^\p{L}\p{N}\p{P}\p{Sm}]/gu, "");
        if (visible === "") expect(who).toBeDefined();
        else
          expect((who ?? "").replaceAll(/[^\p{L}\p{N}\p{P}\p{Sm}]/gu, "")).toBe(
            Array.from(visible).slice(0, 80).join(""),
          );
        expect(toText(fromJson[0]?.content)).toContain(`${who} raised its inflation commission`);
        expect(fromJson[0]?.content?.match(/<[^>]*>/g)).toEqual(Array(5).fill(["<p>", "</p>"]).flat());
      }),
      { numRuns: 500 },
    );
  });

  it("without a name of the validator names its vote account", () => {
    const ledger = ledgerOf({ validators: [{ name: "one" }], events: [{ of: "one" }] });
    ledger.validators[0]!.name = null;
    expect(readFeeds(ledger, "rug").fromAtom[0]?.title).toContain(`RUG: ${voteOf("one")} raised`);
  });
});

it("says nothing of an epoch that is not known", () => {
  const [event] = documentOf(full(), "events", {})!.data;
  const title = toEntryTitle({ ...event!, createdAt: MOMENT.time, effectiveEpoch: null });
  expect(title).toMatch(/ to [\w.]+( %)?$/);
});

describe("from when a change is paid", () => {
  const [event] = documentOf(full(), "events", {})!.data;
  const told = (facts: Partial<CommissionEvent>) => {
    const entry = { ...event!, delta: 95, effectiveEpochFinal: true, ...facts, createdAt: MOMENT.time };
    return [toEntryTitle(entry).replace(/^.*; /, ""), toText(toContentHtml(entry, "mainnet"))];
  };

  it("is one epoch, or one of those in which it may have been made", () => {
    const [title, content] = told({ effectiveEpoch: 1073, effectiveEpochLatest: 1073 });
    expect(title).toBe("costs from epoch 1073");
    expect(content).toContain("The first rewards that are paid at the new rate are those of epoch 1073.");
    expect(content).not.toContain("provisional");
    const [spanning] = told({ effectiveEpoch: 1073, effectiveEpochLatest: 1074 });
    expect(spanning).toBe("costs from epoch 1073 or 1074");
    const [wide] = told({ effectiveEpoch: 1073, effectiveEpochLatest: 1076 });
    expect(wide).toBe("costs from one of the epochs 1073 to 1076");
  });

  it("is provisional until it is final", () => {
    expect(told({ effectiveEpochFinal: false })[1]).toContain("This is provisional");
  });

  it("is never, where the rate was taken away in the same epoch", () => {
    const [title, content] = told({ supersededBy: "0123456789abcdef01234567" });
    expect(title).toBe("never paid");
    expect(content).toContain("No rewards are paid at the new rate: event 0123456789abcdef01234567 took it away");
  });
});

describe("what proves a change", () => {
  const textOfEvent = (facts: EventFacts) =>
    toText(readFeeds(ledgerOf({ validators, events: [facts] }), "rug").fromJson[0]?.content);
  const { signature, signer } = transactionOf(10_000);

  it.each([
    ["signature", "verified by signature, and told by a majority of the endpoints alike."],
    ["signature, one witness", "verified by signature; its slot is the word of one endpoint."],
    [
      "witnesses",
      "told by a majority of the endpoints alike, not verified: a program signed, or a table names the account.",
    ],
    ["one witness", "the word of one endpoint, not verified: a program signed, or a table names the account."],
  ] as const)("is told as it is verified: %s", (verified, words) => {
    const text = textOfEvent({ of: "one", transaction: transactionOf(10_000, { verified, slot: 77 }) });
    const where = `Transaction ${signature} in slot 77, at 2026-11-20T09:59:59.000Z, signed by ${signer}`;
    expect(text).toContain(`${where}: ${words}Vote account`);
  });

  it("is told step by step, where there are several", () => {
    const text = textOfEvent({ of: "one", transaction: transactionOf(10_000, { steps: stepsOf(70_000, 0, 10_000) }) });
    const slots = [-9, -8, -7].map((by) => MOMENT.slot + by);
    expect(text).toContain(
      `It was made in 3 steps: to 100 % in slot ${slots[0]}, then to 0 % in slot ${slots[1]}, then to 100 % in slot ${slots[2]}.`,
    );
  });

  it("is all that is told of a change that no observation saw", () => {
    const facts = { of: "one", isSwept: true, previousSlot: null, previousSeenAt: null } as const;
    const text = textOfEvent({ ...facts, confirmedBy: "transaction", transaction: transactionOf(10_000) });
    expect(text).toContain(`No observation saw it: its transaction was read at ${MOMENT.time}.`);
    expect(text).not.toMatch(/first seen|second reading/);
  });

  it("may be the transaction where readings contradict each other", () => {
    const text = textOfEvent({ of: "one", confirmedBy: "transaction", transaction: transactionOf(10_000) });
    expect(text).toContain(`slot ${MOMENT.slot}, and its transaction confirmed it.`);
  });

  it("is not found yet, which is said of inflation commission alone", () => {
    expect(textOfEvent({ of: "one" })).toContain("Its transaction is not found yet.");
    expect(textOfEvent({ of: "one", source: "MEV" })).not.toContain("ransaction");
  });
});

describe("which feeds are rendered", () => {
  it.each([
    ["INFO", ["events", "info"]],
    ["CAUTION", ["events", "caution"]],
    ["RUG", ["events", "rug"]],
  ] as const)("when an event of %s comes: those that show it", (severity, feeds) => {
    const touched = createTouched();
    touched.severities.add(severity);
    const names = touchedReferences(full(), touched).flatMap(({ kind, names }) =>
      kind === "atomFeed" ? names.feed : [],
    );
    expect(names).toEqual(feeds);
  });

  it("when no event changes: none", () => {
    const touched = createTouched();
    touched.profiles.add(0);
    const kinds = touchedReferences(full(), touched).map(({ kind }) => kind);
    expect(kinds).not.toContain("atomFeed");
    expect(kinds).not.toContain("jsonFeed");
  });
});
