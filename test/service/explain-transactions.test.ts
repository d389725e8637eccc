import { afterEach, describe, expect, it } from "vitest";
import type { Explanation } from "../../generator/service/explain.ts";
import { toJsonLine, describeExplanation } from "../../generator/commands/explain.ts";
import { findEntriesBehind } from "../../generator/service/explain/entries-behind.ts";
import { VOTE_PROGRAM } from "../../generator/chain/program-address.ts";
import { decodeTransaction } from "../../generator/chain/transaction.ts";
import type { Entry, TransactionsEntry } from "../../generator/entries/entry.ts";
import type { EventRecord } from "../../generator/ledger/event-record.ts";
import { slotAt, timeAt } from "../story/clock.ts";
import { foldStory, numbered } from "../story/fold.ts";
import { A, AUTHORITY, changed, setsA, steady, transactions } from "../story/transactions.ts";
import { endpointOf } from "../story/witnesses.ts";
import { explainAs, openFilledJournal, type FilledJournal } from "./filled-journal.ts";

const authority = AUTHORITY.address;
const rug = setsA(10, [700, 10_000], { slot: slotAt(9.5) });
const found = (
  minute: number,
  lies: Parameters<typeof transactions>[2]["found"][number]["lies"] = [],
) =>
  transactions(minute, 3, { after: -100, upTo: minute - 0.05, found: [{ executed: rug, lies }] });

describe("for a person an explanation", () => {
  let filled: FilledJournal;
  afterEach(() => filled.close());

  async function explainFirst(
    entries: Entry[],
    pick: (event: EventRecord) => boolean = () => true,
  ) {
    filled = await openFilledJournal(...entries);
    const event = foldStory(...entries).ledger.events.find(pick)?.id ?? "";
    return explainAs(filled.command, event);
  }

  function linesOf(explanation: Explanation): string[] {
    const block = describeExplanation(explanation)
      .split("\n\n")
      .filter((text) => text.startsWith("transaction  "));
    expect(block).toHaveLength(1);
    return block[0]?.split("\n") ?? [];
  }

  it("says in words what its transaction does, who signed it, and what each witness answered", async () => {
    const shown = [...steady(0, 0, 500), ...changed(10, 10_000), ...steady(20, 20, 10_000)];
    const explanation = await explainFirst([...shown, found(10.1, ["true", "failed", "true"])]);
    const { name } = explanation.transactions[0] ?? { name: "" };
    expect(name).toMatch(/^\d{10}$/);
    const said = (witness: number) =>
      `  ${endpointOf(witness)}: slot ${slotAt(9.5)}, ${timeAt(9.5)}, succeeded; every signature verifies`;
    expect(linesOf(explanation)).toEqual([
      `transaction  ${rug.signature}`,
      `  ${name}  ${explanation.transactions[0]?.time ?? ""}`,
      `  signed by ${authority}, the withdraw authority, read as such in slots ${slotAt(0)} to ${slotAt(20)}`,
      "  sets to 7 % the inflation commission of this vote account: proved by signature",
      "  sets to 100 % the inflation commission of this vote account: proved by signature",
      said(0),
      `  ${endpointOf(1)}: no answer: no answer in time`,
      said(2),
    ]);
  });

  it("verifies each answer on the spot, and shows which bytes are no proof", async () => {
    const bytes = Buffer.from(rug.bytes, "base64");
    bytes[bytes.length - 5]! ^= 1;
    const [forged, cut] = [bytes.toString("base64"), rug.bytes.slice(0, 40)];
    const other = setsA(10, [1], { slot: slotAt(9) }).bytes;
    for (const [lie, problem] of [
      [forged, /NOT VERIFIED: a signature does not match its message$/],
      [other, /NOT VERIFIED: it is another transaction$/],
      [cut, /NOT VERIFIED: .*bytes/],
    ] as const) {
      const entries = [
        ...steady(0, 0, 500),
        ...changed(10, 10_000),
        found(10.1, [{ bytes: lie }, "true", "true"]),
      ];
      const lines = linesOf(await explainFirst(entries));
      expect(lines.at(-3)).toMatch(problem);
      expect(lines.at(-2)).toMatch(/every signature verifies$/);
      expect(lines.filter((line) => line.includes("sets to 100 %"))).toHaveLength(1);
      await filled.close();
    }
  });

  it("puts in words what most of the witnesses answered, where one makes up what nobody signed", async () => {
    const { keys } = decodeTransaction(Buffer.from(rug.bytes, "base64"));
    const [program, ...accounts] = [VOTE_PROGRAM, A, authority].map((key) => keys.indexOf(key));
    const toNinePercent = Buffer.from([5, 0, 0, 0, 9]).toString("base64");
    const inner: [number, number, number[], string][] = [
      [0, program ?? 0, accounts, toNinePercent],
    ];
    const entries = [
      ...steady(0, 0, 500),
      ...changed(10, 10_000),
      found(10.1, [{ inner }, "true", "true"]),
    ];
    const lines = linesOf(await explainFirst(entries));
    const sets = lines
      .filter((line) => line.includes("the inflation commission"))
      .map((line) => line.slice(2, 15));
    expect(sets).toEqual(["sets to 7 % t", "sets to 100 %"]);
  });

  it("of a change that no observation saw shows the transaction that alone proves it, and reads no observation", async () => {
    const back = setsA(9.7, [500], { slot: slotAt(9.7) });
    const both = transactions(20.1, 3, {
      after: -100,
      upTo: 20,
      found: [{ executed: rug }, { executed: back }],
    });
    const entries = [...steady(0, 0, 500), ...steady(20, 20, 500), both];
    const explanation = await explainFirst(entries, ({ to }) => to === 10_000);
    const { event } = explanation;
    expect([event.isSwept, explanation.evidence]).toEqual([true, []]);
    expect(describeExplanation(explanation)).toContain(
      `seen       by nobody: its transaction shows it, read ${event.createdAt}`,
    );
    expect(linesOf(explanation)[0]).toBe(`transaction  ${rug.signature}`);
    // Found long afterwards, it has no time.
    const { names, isWanted } = findEntriesBehind(
      { ...event, createdAt: null },
      foldStory(...entries).ledger,
    );
    const read = numbered(entries).filter(
      ({ name, entry }) => names.includes(name) && isWanted(entry),
    );
    expect(read.map(({ entry }) => entry)).toEqual([both]);
  });

  it("says that no transaction is found yet", async () => {
    const text = describeExplanation(
      await explainFirst([...steady(0, 0, 500), ...changed(10, 10_000)]),
    );
    expect(text).toContain("\n\ntransaction  not found yet");
    expect(text).not.toContain("contradict");
  });

  it("steers no terminal by what witnesses said, and has all of it in one line of JSON", async () => {
    const entry: TransactionsEntry = found(10.1);
    const row = entry.transactions[0]!;
    row.answers[2] = { state: "failed", reason: "gone\u001b[2J away" };
    const explanation = await explainFirst([...steady(0, 0, 500), ...changed(10, 10_000), entry]);
    expect(describeExplanation(explanation)).not.toContain("\u001b");
    expect(linesOf(explanation).at(-1)).toContain("gone");
    const line = JSON.parse(toJsonLine(explanation)) as Explanation;
    expect(line.transactions[0]).toMatchObject({
      signature: rug.signature,
      signer: authority,
      isDisputed: false,
    });
    expect(line.transactions[0]?.changes.map(({ change }) => change)).toEqual([
      { of: "inflationCommission", basisPoints: 700 },
      { of: "inflationCommission", basisPoints: 10_000 },
    ]);
  });
});
