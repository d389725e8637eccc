import { describe, expect, it } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { epochAt, FIRST_EPOCH, slotAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { panelSnapshot } from "../story/panels.ts";
import { crowd, withA } from "../story/validators.ts";
import { all, endpointOf } from "../story/witnesses.ts";

const SUPPLY = 620_000_000_000_000_000n;
const facts = withA(500);

type Word = { rate?: number; supply?: bigint; slotTimes?: [number, number][] } | "silent";

const told = ({ rate = 0.0385, supply = SUPPLY, slotTimes = [[200, 1]] }: Exclude<Word, "silent">, minute: number) => ({
  validatorRate: rate,
  slot: slotAt(minute),
  supply,
  slotTimes,
});

function asking(minute: number, words: Word[], lists = all(words.length, facts)): SnapshotEntry {
  const answers = words.map((word, witness) =>
    word === "silent"
      ? { state: "failed" as const, endpoint: endpointOf(witness), reason: "no answer in time" }
      : { state: "ok" as const, endpoint: endpointOf(witness), ...told(word, minute) },
  );
  const issuance = { state: "ok" as const, value: { epoch: epochAt(minute), answers } };
  const by = Math.floor(minute / 10) % words.length;
  return panelSnapshot(minute, [], { of: words.length, by, facts: lists }, { issuance });
}

const known = (...entries: SnapshotEntry[]) => {
  const { ledger } = foldStory(...entries);
  return { ...ledger.issuance.get(FIRST_EPOCH), health: ledger.sources.issuance };
};

describe("inflation and supply of an epoch", () => {
  const more = (parts: bigint) => ({ supply: SUPPLY + parts });
  it.each<[string, Word[], bigint | undefined]>([
    ["one alone tells", [{}], SUPPLY],
    ["two tell alike", [{}, {}], SUPPLY],
    ["nobody knows where one of two has another rate", [{ rate: 0.9 }, {}], undefined],
    ["nobody knows where one of two has another supply", [{ supply: 2n * SUPPLY }, {}], undefined],
    ["nobody knows while one of two is silent", [{}, "silent"], undefined],
    ["two of three tell, whatever the third says", [{ supply: 1n, rate: 1 }, {}, {}], SUPPLY],
    ["two of three do not tell who have other slot times", [{}, { slotTimes: [] }, "silent"], undefined],
    ["three of four tell", [{}, { slotTimes: [[1, 1]] }, {}, {}], SUPPLY],
    ["are the median of supplies within a thousandth", [{}, more(9n), more(SUPPLY / 1000n)], SUPPLY + 9n],
    ["nobody knows where two supplies are further apart", [{}, more(SUPPLY / 990n)], undefined],
    ["leave out a feature that is not active before the epoch", [{ slotTimes: [[100, slotAt(0)]] }], SUPPLY],
  ])("%s", (_, words, supply) => {
    expect(known(asking(5, words)).supply).toBe(supply);
  });

  it("are said to be unknown in the status, with who did not answer", () => {
    expect(known(asking(5, [{}, "silent"])).health).toMatchObject({
      state: "failed",
      reason: `no majority of the witnesses agrees on inflation and supply of epoch ${FIRST_EPOCH}; no answer in time`,
    });
    expect(known(asking(5, [{}, {}])).health.state).toBe("ok");
  });

  it("are told by one of two when the other was silent for three minutes, not by one whom it contradicts", () => {
    expect(known(asking(5, [{}, "silent"]), asking(15, [{}, "silent"])).supply).toBe(SUPPLY);
    expect(known(asking(5, [{}, { rate: 0.9 }]), asking(15, [{}, "silent"])).supply).toBeUndefined();
  });

  it("need a majority within one reading, and the same epoch for a silence", () => {
    expect(known(asking(5, [{}, "silent", "silent"]), asking(15, ["silent", {}, "silent"])).supply).toBeUndefined();
    const { ledger } = foldStory(asking(115, [{}, "silent"]), asking(125, [{}, "silent"]));
    expect([...ledger.issuance.keys()]).toEqual([]);
  });

  it("stay what the first majority said", () => {
    expect(known(asking(5, all(3, {})), asking(15, all(3, more(5n)))).supply).toBe(SUPPLY);
  });
});

describe("the stake of the validator set", () => {
  const stake = 5_000_000_000n;
  const half = crowd(10).map((fact, index) => ({ ...fact, inSet: index > 4 }));

  it("is by a majority: one witness does not halve it", () => {
    const list = crowd(10, { stake });
    const lie = list.map((fact, index) => ({ ...fact, inSet: index > 4 }));
    expect(known(asking(5, all(3, {}), [lie, list, list])).setStake).toBe(10n * stake);
    expect(known(asking(5, all(3, {}), [lie, lie, list])).setStake).toBe(5n * stake);
  });

  it("is of its members only", () => {
    expect(known(asking(5, [{}], [half])).setStake).toBe(5_000_000_000n);
  });
});
