import { describe, expect, it } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { type Issuance, issuanceOf, SUPPLY } from "../story/issuance.ts";
import { snapshotBy } from "../story/observations.ts";
import { crowd, withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

const snapshot = (
  minute: number,
  answers: Issuance[],
  lists = all(answers.length, withA(500)),
): SnapshotEntry =>
  snapshotBy(
    minute,
    lists.map((list) => ({ list })),
    { by: Math.floor(minute / 10) % lists.length, issuance: issuanceOf(minute, ...answers) },
  );

const ledgerOf = (...entries: SnapshotEntry[]) => foldStory(...entries).ledger;
const supplyOf = (...entries: SnapshotEntry[]) =>
  ledgerOf(...entries).issuance.get(FIRST_EPOCH)?.supply;

describe("inflation and supply of an epoch", () => {
  const ALONE: Issuance[] = [{}, "silent"];

  it.each<[string, SnapshotEntry[], bigint | undefined]>([
    ["are known as soon as a majority answers", [snapshot(5, [{}, {}])], SUPPLY],
    ["are not known while one of two is silent", [snapshot(5, ALONE)], undefined],
    [
      "are what one of two answers after three minutes of silence",
      [5, 15].map((at) => snapshot(at, ALONE)),
      SUPPLY,
    ],
    [
      "are not known by one whom the other contradicted",
      [snapshot(5, [{}, { validatorRate: 0.9 }]), snapshot(15, ALONE)],
      undefined,
    ],
    [
      "are not known by two of three in different readings",
      [snapshot(5, [{}, "silent", "silent"]), snapshot(15, ["silent", {}, "silent"])],
      undefined,
    ],
    [
      "stay what the first majority answered",
      [snapshot(5, all(3, {})), snapshot(15, all(3, { supply: SUPPLY + 5n }))],
      SUPPLY,
    ],
  ])("%s", (_, entries, supply) => {
    expect(supplyOf(...entries)).toBe(supply);
  });

  it("are not known by a silence that spans the end of the epoch", () => {
    expect([...ledgerOf(snapshot(115, ALONE), snapshot(125, ALONE)).issuance.keys()]).toEqual([]);
  });

  it("are unknown in the status too, with who did not answer", () => {
    expect(ledgerOf(snapshot(5, ALONE)).sources.issuance).toMatchObject({
      state: "failed",
      reason: `no majority of the witnesses agrees on inflation and supply of epoch ${FIRST_EPOCH}; no answer in time`,
    });
    expect(ledgerOf(snapshot(5, [{}, {}])).sources.issuance.state).toBe("ok");
  });
});

describe("the stake of the validator set", () => {
  const SOL = 1_000_000_000n;
  const list = crowd(10, { stake: 5n * SOL });
  const half = list.map((fact, index) => ({ ...fact, inSet: index > 4 }));

  it.each([
    ["is of its members only", [half], 25n * SOL],
    ["is not halved by one of three", [half, list, list], 50n * SOL],
    ["is what two of three list", [half, half, list], 25n * SOL],
  ])("%s", (_, lists, stake) => {
    const { issuance } = ledgerOf(snapshot(5, all(lists.length, {}), lists));
    expect(issuance.get(FIRST_EPOCH)?.setStake).toBe(stake);
  });
});
