import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import { chooseCandidates } from "../../../generator/observe/transactions/candidates.ts";
import type { Searched } from "../../../generator/observe/transactions/searches.ts";
import { CALLS_PER_SECOND } from "../../../generator/settings/defaults.ts";
import { CLOCK } from "../../rpc/rpc-server.ts";
import { createClock, key } from "../fixtures.ts";
import { entryOf, observe } from "../observing.ts";
import {
  AUTHORITY,
  HEAD,
  historyNode,
  KNOWN,
  read,
  resultOf,
  RESULTS,
  ROWS,
  search,
  signatureOf,
} from "./history-node.ts";

const listed = (...signatures: string[]): Searched => ({
  answer: { state: "ok", after: 0, upTo: 9 },
  signatures,
});

describe("what to ask for of all that is listed", () => {
  it("is first what most witnesses list, then by turns what each lists alone", () => {
    const chosen = chooseCandidates(
      [[listed("junk1", "z", "junk2")], [listed("b", "z", "c"), listed("c")], [listed("z")]],
      { max: 99 },
    );
    expect(chosen).toEqual(["z", "b", "junk1", "c", "junk2"]);
  });

  it("is the newest of each witness's list before the rest of anybody's", () => {
    expect(
      chooseCandidates([[listed("junk1", "junk2", "junk3")], [listed("x")]], { max: 2 }),
    ).toEqual(["junk1", "x"]);
    expect(chooseCandidates([[listed("y", "x"), listed("w")]], { max: 2 })).toEqual(["w", "y"]);
  });

  it("counts a witness once, however many searches of its list the same", () => {
    const often = [listed("junk"), listed("junk"), listed("junk")];
    expect(chooseCandidates([often, [listed("x", "z")], [listed("y", "z")]], { max: 1 })).toEqual([
      "z",
    ]);
  });

  it("is the same in whatever order the witnesses stand", () => {
    const [one, other] = [[listed("a", "b")], [listed("d", "c")]];
    expect(chooseCandidates([one, other], { max: 3 })).toEqual(
      chooseCandidates([other, one], { max: 3 }),
    );
  });
});

it("a witness that answers with more than an entry can hold is cut short, and the others are not", async () => {
  const LEGACY = resultOf("percent-7");
  const accounts = new Array<number>(256).fill(2);
  const instructions = new Array(256).fill({ programIdIndex: 2, accounts, data: "" });
  const large = new Map(
    Array.from({ length: 70 }, (_, index) => {
      const bytes = Buffer.from(LEGACY.transaction[0], "base64");
      bytes.writeUInt32BE(index, 61);
      const signature = base58.encode(new Uint8Array(bytes.subarray(1, 65)));
      const meta = { ...LEGACY.meta, innerInstructions: [{ index: 0, instructions }] };
      return [signature, { ...LEGACY, meta, transaction: [bytes.toString("base64"), "base64"] }];
    }),
  );
  const rows = [...large.keys()].map((signature) => ({ signature, slot: HEAD, err: null }));
  const { observer } = await observe([historyNode(), historyNode({ rows, results: large })]);
  const entry = entryOf(await read(observer, search()));
  const answersOfSecond = entry.transactions.map(({ answers }) => answers[1]!);
  expect(JSON.stringify(answersOfSecond).length).toBeLessThan(8_100_000);
  expect(answersOfSecond).toContainEqual({
    state: "failed",
    reason: "more than 8000000 bytes of transactions in one reading: left out",
  });
  expect(answersOfSecond.filter(({ state }) => state === "ok").length).toBeGreaterThan(50);
  expect(entry.transactions.filter(({ answers }) => answers[0]?.state === "ok")).toHaveLength(4);
});

describe("a witness that makes up transactions", () => {
  const invented = Array.from({ length: 8 }, (_, index) => ({
    signature: signatureOf(index),
    slot: HEAD,
    err: null,
  }));

  it("pushes out nothing that others found, and answers for nothing that was left out", async () => {
    const liar = historyNode({ rows: invented });
    const { observer } = await observe([liar, historyNode()]);
    const entry = entryOf(await read(observer, search({ transactionsMax: 8 })));
    expect(entry.transactions).toHaveLength(8);
    const found = new Set(entry.transactions.map(({ signature }) => signature));
    for (const { signature } of ROWS) expect(found).toContain(signature);
    expect(entry.searches[0]!.answers).toEqual([
      { state: "busy", rows: 8 },
      { state: "ok", after: 1_000, upTo: HEAD },
    ]);
    const answers = entry.transactions.map(({ signature, answers: [, honest] }) => [
      RESULTS.has(signature),
      honest?.state,
    ]);
    expect(answers.filter(([isReal, state]) => isReal === (state === "ok"))).toHaveLength(8);
  });

  it("uses up no time that the transactions of others need", async () => {
    const clock = createClock();
    const invent = ([authority]: [string]) =>
      Array.from({ length: 20 }, (_, index) => ({
        signature: signatureOf(index + 1_000 * decodePublicKey(authority)[0]!),
        slot: HEAD,
        err: null,
      }));
    const liar = { ...historyNode(), getSignaturesForAddress: invent };
    const honest = historyNode();
    const list = honest["getSignaturesForAddress"] as (params: [string, unknown]) => unknown;
    const answer = honest["getTransaction"] as (params: [string]) => unknown;
    const { observer, nodes } = await observe(
      [
        { ...liar, [CLOCK]: clock.now },
        {
          ...honest,
          [CLOCK]: clock.now,
          getSignaturesForAddress: (params: [string, unknown]) =>
            params[0] === AUTHORITY ? list(params) : [],
          getTransaction: (params: [string]) => (clock.advance(333), answer(params)),
        },
      ],
      { now: clock.now, timer: clock.now, sleep: clock.sleep },
    );
    const searches = [
      search(),
      ...Array.from({ length: 20 }, (_, index) => search({ authority: key(index + 50) })),
    ];
    const entry = entryOf(
      await observer.transactions({
        known: KNOWN,
        searches,
        milliseconds: 12_000,
        callsPerSecond: CALLS_PER_SECOND,
      }),
    );
    const states = new Map(
      entry.transactions.map(({ signature, answers }) => [signature, answers[1]?.state]),
    );
    expect(ROWS.map(({ signature }) => states.get(signature))).toEqual(["ok", "ok", "ok", "ok"]);
    expect(
      nodes[1]!.asked.filter(({ body }) => body?.method === "getTransaction").length,
    ).toBeLessThan(36);
  });
});
