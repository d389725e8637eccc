import { afterEach, describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { findEvent, toExplained } from "../../generator/service/explain/event.ts";
import { toJsonLine, describeExplanation } from "../../generator/commands/explain.ts";
import { findEntriesBehind } from "../../generator/service/explain/entries-behind.ts";
import type { EventRecord } from "../../generator/ledger/event-record.ts";
import { openStore } from "../../generator/store/open.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import { damage } from "../journal/packed.ts";
import { slotAt } from "../story/clock.ts";
import { foldStory, numbered, ruling, type StoryItem } from "../story/fold.ts";
import { history, percents } from "../story/history.ts";
import { check, snapshot } from "../story/observations.ts";
import { tipSnapshot } from "../story/tips.ts";
import { keyOf, withA } from "../story/validators.ts";
import { explainStory } from "./explaining.ts";
import { explainAs, openFilledJournal, type FilledJournal } from "./filled-journal.ts";

const isFromHistory = ({ confirmed }: EventRecord) => !confirmed;

const first = snapshot(0, withA({ bps: 500 }));
const old = check(1, withA({ bps: 500 }));
const seen = check(2, withA({ bps: 12_000 }));
const second = check(2.5, withA({ bps: 12_000 }));
const after = check(3, withA({ bps: 12_000 }));

const BEFORE = "before check 1 votes: old";
const FIRST = "first check 2 votes: new";
const SECOND = "second check 2.5 votes: new";
const NEXT = "second check 3 votes: new";
const refused = check(1.5, withA({ bps: 12_000 }), { slot: slotAt(0.5) });
const ignored = check(1.5, withA({ bps: 12_000 }));
const small = [
  check(2, withA({ bps: 550 })),
  check(2.2, withA({ percent: 5 })),
  check(3, withA({ bps: 550 })),
];

describe("behind a change of inflation commission are", () => {
  it.each<[string, StoryItem[], string[]]>([
    [
      "the last of the old value, the first of the new, and what confirmed it",
      [seen, second, after],
      [FIRST, SECOND],
    ],
    [
      "a refused observation in between, with why",
      [refused, seen, second],
      [
        `between check 1.5 votes: new (slot ${slotAt(0.5)} is not above ${slotAt(1)}, the last accepted one)`,
        FIRST,
        SECOND,
      ],
    ],
    [
      "an observation that an operator ignores, and the ruling",
      [ignored, ruling(ignored), seen, after],
      [
        "between check 1.5 votes: new (ignored by a ruling)",
        FIRST,
        NEXT,
        "ruling ruling 60 ignore",
      ],
    ],
    [
      "a third value that was given up",
      [check(1.2, withA({ bps: 700 })), seen, after],
      ["between check 1.2 votes: another", FIRST, NEXT],
    ],
    [
      "a percent that can stand for both values",
      small,
      [FIRST, "between check 2.2 votes: either", NEXT],
    ],
  ])("%s", (_, entries, evidence) => {
    expect(explainStory([first, old, ...entries])).toEqual([BEFORE, ...evidence]);
  });

  it("each in its own place where two generators read in the same millisecond", () => {
    const twin = check(2, withA({ bps: 12_000, stake: 5n }));
    const lines = explainStory([first, old, seen, twin, second]);
    expect(lines.filter((line) => line.startsWith("first"))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith("between check 2 "))).toHaveLength(1);
  });
});

describe("behind a change of MEV commission are", () => {
  const held = tipSnapshot(0, [{ now: 800, before: 800 }]);

  it("the readings of the tip accounts, and no checks", () => {
    const risen = [130, 140].map((minute) => tipSnapshot(minute, [{ now: 10_000, before: 800 }]));
    expect(explainStory([held, ...risen, check(131, withA({}))])).toEqual([
      "before snapshot 0 tips: old",
      "first snapshot 130 tips: old tips: new",
      "second snapshot 140 tips: old tips: new",
    ]);
  });

  it("of one that is disabled, those of the closed epoch without an account", () => {
    const open = [125, 230].map((minute) => tipSnapshot(minute, [{ before: 800 }]));
    const closed = [245, 247].map((minute) => tipSnapshot(minute, [{ now: 800 }]));
    const told = explainStory([held, ...open, ...closed], ({ to }) => to === "disabled");
    expect(told.at(0)).toMatch(/^before snapshot 0 /);
    expect(told.slice(-2)).toEqual([
      "first snapshot 245 tips: new",
      "second snapshot 247 tips: new",
    ]);
  });
});

describe("behind an event of a public history are", () => {
  it("every reading that covers its two epochs", () => {
    const others = history(7, { "crowd 1": percents(5, 5, 5) });
    const sampled = history(5, { A: percents(0, 100) });
    const again = history(9, { A: percents(0, 100) });
    const lines = explainStory(
      [first, sampled, others, again],
      (event) => isFromHistory(event) && event.severity === "RUG",
    );
    expect(lines).toEqual([
      "history history 5 history: old history: new",
      "history history 9 history: old history: new",
    ]);
  });

  it("the first observation where the history ends and what was observed begins", () => {
    const sampled = history(5, { A: percents(0, 0) });
    expect(explainStory([first, old, sampled], isFromHistory)).toEqual([
      "first snapshot 0 votes: new account: nothing",
      "history history 5 history: old",
    ]);
  });
});

describe("the entries read", () => {
  const DAY = 24 * 60;

  function readOf(...entries: Entry[]) {
    const { ledger } = foldStory(...entries);
    const { names, isWanted } = findEntriesBehind(toExplained(ledger, ledger.events[0]!), ledger);
    const wanted = numbered(entries).filter(
      ({ name, entry }) => names.includes(name) && isWanted(entry),
    );
    return { names, wanted: wanted.map(({ name }) => name) };
  }

  it("are those from the old value to the confirmation, whatever came before and after", () => {
    const { wanted } = readOf(first, old, seen, second, after);
    expect(wanted).toEqual(["0000000002", "0000000003", "0000000004"]);
  });

  it("are looked for in the days between, and in no other", () => {
    const rows = [500, 500, 12_000, 12_000].map((bps) => withA({ bps }));
    const { names, wanted } = readOf(
      ...rows.flatMap((row, day) => [0, 1].map((minute) => snapshot(day * DAY + minute, row))),
    );
    expect(names).toEqual(["0000000003", "0000000004", "0000000005", "0000000006"]);
    expect(wanted).toEqual(["0000000004", "0000000005", "0000000006"]);
  });
});

describe("an id", () => {
  const { ledger } = foldStory(first, old, seen, second);
  const [event] = ledger.events;
  const id = event?.id ?? "";

  it("is enough with its first six digits", () => {
    for (const digits of [6, 7, 24]) expect(findEvent(ledger, id.slice(0, digits))).toBe(event);
  });

  it.each([id.slice(0, 5), `${id}0`, "", "RUG", id.toUpperCase().padStart(24, "X"), "../../etc"])(
    "%j is none",
    (text) => {
      expect(() => findEvent(ledger, text)).toThrow(
        /is not an event.s id: give its 24 hexadecimal digits, .* first 6/,
      );
    },
  );

  it("of nothing is refused, with where ids are", () => {
    expect(() => findEvent(ledger, "0".repeat(24))).toThrow(
      /none of the 1 events of mainnet .*mainnet\/events\.json.*status\.json/,
    );
  });

  it("that begins several is refused, with those", () => {
    const twin = { ...event!, id: `${id.slice(0, 8)}${"0".repeat(16)}` };
    const both = { ...ledger, events: [event!], withdrawn: [twin] };
    expect(() => findEvent(both, id.slice(0, 8))).toThrow(
      `2 events begin with ${id.slice(0, 8)}: ${id}, ${twin.id}`,
    );
    expect(findEvent(both, twin.id)).toBe(twin);
  });
});

describe("an explanation", () => {
  let filled: FilledJournal;
  afterEach(() => filled.close());

  const explaining = (event: string, changes = {}) => explainAs(filled.command, event, changes);
  const idOf = () => foldStory(first, old, seen, second).ledger.events[0]?.id ?? "";

  it("names the entries that cannot be read, and goes on", async () => {
    filled = await openFilledJournal(first, old, refused, seen, second);
    const extra = "0000000003";
    const place = {
      store: openStore(filled.command.settings.stateStore),
      network: "mainnet",
      series: 1,
    } as const;
    await damage(place, toEntryKey(place, extra), (whole) => whole.subarray(0, 9));
    const explanation = await explaining(idOf());
    expect(explanation.unreadable).toMatchObject([{ name: extra }]);
    expect(explanation.evidence.map(({ role }) => role)).toEqual(["before", "first", "second"]);
    expect(describeExplanation(explanation)).toContain(`cannot be read: ${extra}`);
  });

  it("is one line of JSON with amounts as text, and for a person some lines with the values as they were said", async () => {
    filled = await openFilledJournal(first, old, seen, second);
    const explanation = await explaining(idOf());
    const line = JSON.parse(toJsonLine(explanation)) as typeof explanation;
    expect(line).toMatchObject({
      command: "explain",
      event: { votePubkey: keyOf("A"), from: 500, to: 10_000 },
    });
    expect(line.evidence[1]?.readings[0]?.row).toMatchObject({
      basisPoints: 12_000,
      activeStake: "1000000000",
    });
    const text = describeExplanation(explanation);
    expect(text).toContain("RUG of inflation commission: 5 % → 100 %");
    expect(text).toContain(
      "#0 at slot 39600750: the new value, by the list of vote accounts: basisPoints 12000, percent null",
    );
    expect(text).toContain("activeStake 1000000000 lamports");
    expect(text).toContain(
      `seen       ${explanation.event.createdAt}, confirmed ${explanation.event.confirmedAt}`,
    );
    expect(text.split("\n").length).toBeLessThan(24);
  });

  it("shows a person the last few of many readings in between, and says how many more there are", async () => {
    const behind = Array.from({ length: 12 }, (_, index) =>
      check(1.1 + index / 20, withA({ bps: 500 }), { slot: slotAt(0) }),
    );
    filled = await openFilledJournal(first, old, ...behind, seen, second);
    const explanation = await explaining(idOf());
    expect(explanation.evidence.filter(({ role }) => role === "between")).toHaveLength(12);
    const text = describeExplanation(explanation);
    expect(text.match(/^in between, decided nothing/gm)).toHaveLength(6);
    expect(text).toContain("6 more in between that decided nothing: --json has them");
  });

  it("ends when it is stopped", async () => {
    filled = await openFilledJournal(first, old, seen, second);
    const signal = AbortSignal.abort(new Error("stopped by SIGINT"));
    await expect(explaining(idOf(), { signal })).rejects.toThrow("stopped by SIGINT");
  });

  it("fails for a network without a journal", async () => {
    filled = await openFilledJournal(first);
    await expect(explaining(idOf(), { network: "alpenglow" })).rejects.toThrow(
      /no journal of alpenglow/,
    );
  });
});
