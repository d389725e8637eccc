import { describe, expect, it } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { type Issuance, issuanceOf, SUPPLY } from "../story/issuance.ts";
import { listedAt, snapshotBy } from "../story/observations.ts";
import { crowd, withA } from "../story/validators.ts";
import { all, SILENT } from "../story/witnesses.ts";

const snapshot = (
  minute: number,
  answers: Issuance[],
  lists = all(answers.length, withA(500)),
): SnapshotEntry =>
  snapshotBy(
    minute,
    lists.map((list, index) => (answers[index] === "silent" && index > 0 ? SILENT : { list })),
    { issuance: issuanceOf(minute, ...answers) },
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

  const NOBODY: Issuance[] = ["silent", "silent"];
  const WITHOUT_STAKE = all(
    3,
    withA().map((fact) => ({ ...fact, stake: 0n })),
  );

  it.each<[string, SnapshotEntry[], string]>([
    [
      "where nobody answers",
      [snapshot(5, NOBODY)],
      "no majority of the witnesses agrees on _; no answer in time; no answer in time",
    ],
    [
      "where one of three answers",
      [snapshot(5, [{}, "silent", "silent"])],
      "no majority of the witnesses agrees on _; no answer in time; no answer in time",
    ],
    [
      "where two differ",
      [snapshot(5, [{}, { validatorRate: 0.9 }])],
      "no majority of the witnesses agrees on _",
    ],
    [
      "while one of two waits for the other",
      [snapshot(5, ALONE), snapshot(7.9, ALONE)],
      "one of two witnesses alone answers _, which counts once the other has been silent for " +
        "long enough; no answer in time",
    ],
    [
      "where the lists show no stake",
      [snapshot(5, all(3, {}), WITHOUT_STAKE)],
      "the witnesses agree on _, but its validator set has no stake, or more than the supply",
    ],
    [
      "where there is more stake than supply",
      [snapshot(5, all(3, { supply: 1n }))],
      "the witnesses agree on _, but its validator set has no stake, or more than the supply",
    ],
  ])("are unknown in the status too, and why: %s", (_, entries, reason) => {
    expect(ledgerOf(...entries).sources.issuance).toMatchObject({
      state: "failed",
      reason: reason.replace("_", `inflation and supply of epoch ${FIRST_EPOCH}`),
    });
  });

  it("are unknown in the status where the lists are of the epoch before", () => {
    const entry = snapshot(0.1, all(3, {}));
    const early = listedAt(entry, entry.absoluteSlot - entry.slotIndex - 1);
    const { sources, issuance } = ledgerOf(early);
    expect([...issuance.keys()]).toEqual([]);
    expect(sources.issuance).toMatchObject({
      state: "failed",
      reason: `the lists are not of epoch ${FIRST_EPOCH} yet, whose inflation and supply were read`,
    });
  });

  it("are known in the status once they are believed", () => {
    const alone = [snapshot(5, ALONE), snapshot(8, ALONE)];
    for (const entries of [[snapshot(5, [{}, {}])], alone])
      expect(ledgerOf(...entries).sources.issuance.state).toBe("ok");
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
