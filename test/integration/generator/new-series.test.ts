import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../../generator/service/report.ts";
import { readSeries } from "../../../generator/journal/series.ts";
import { makeDirectory } from "../../store/directory.ts";
import { readDocument, readTimeless } from "../../service/documents.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "../../service/harness.ts";
import { readEvents, describeEvent, describePlanned } from "../../service/planned-events.ts";
import { findDifferences, putBetween } from "./staging.ts";

/**
 * Test networks are reset at times: another genesis
 * and other validators, at lower slots and epochs.
 */
const RESET = {
  genesis: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  seed: 12,
  firstEpoch: 100,
};
const PINNED = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY";

describe("a cluster whose ledger was reset", () => {
  let former: Stage;
  let reset: Stage;
  let before: Map<string, string>;
  let journaled: string[];
  const reports: Record<"without" | "with" | "back", Report[]> = {
    without: [],
    with: [],
    back: [],
  };
  let between: Map<string, string>;
  const closing: (() => Promise<void>)[] = [];
  const until = (minutes: number) => ({ until: STARTS_AT + minutes * MINUTE });

  beforeAll(async () => {
    const { directory, remove } = await makeDirectory();
    closing.push(remove);
    former = await openStage({ network: "testnet", directory });
    closing.unshift(() => former.close());
    await former.play(until(12));
    before = await readTimeless(former);
    journaled = await keysOfFirstSeries(former);

    const { seed, firstEpoch } = RESET;
    reset = await openStage({ network: "testnet", directory, seed, firstEpoch });
    closing.unshift(() => reset.close());
    const upstream = await putBetween(reset);
    closing.unshift(() => upstream.close());
    upstream.setFault(({ method }) =>
      method === "getGenesisHash" ? () => RESET.genesis : undefined,
    );
    reports.without = await reset.play(until(3));
    between = await readTimeless(reset);
    reset.command.newSeries = true;
    reports.with = await reset.play(until(12));
    reset.command.newSeries = false;
    reports.with.push(...(await reset.play(until(16))));
    reports.back = await former.play(until(18));
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  it.each([
    [
      "is refused as another cluster until an operator says that it began anew",
      "without",
      RESET.genesis,
      PINNED,
    ],
    [
      "takes nothing of the former cluster any more, once its series has begun",
      "back",
      PINNED,
      RESET.genesis,
    ],
  ] as const)("%s", (_, when, genesis, expected) => {
    expect(reports[when].length).toBeGreaterThan(0);
    for (const { accepted, rejected } of reports[when]) {
      expect(accepted).toBe(false);
      expect(rejected.map(({ reason }) => reason).join()).toContain(
        `genesis hash is ${genesis}, not ${expected}`,
      );
    }
    expect(between).toEqual(before);
  });

  it("begins a series of its own, in which lower slots and epochs are no fault", async () => {
    expect(reports.with.length).toBeGreaterThan(0);
    expect(reports.with.every(({ accepted }) => accepted)).toBe(true);
    expect(
      (await readSeries(reset.stateStore, "testnet")).map(({ series, genesis }) => [
        series,
        genesis,
      ]),
    ).toEqual([
      [1, PINNED],
      [2, RESET.genesis],
    ]);
  });

  it("is what is published, and nobody is accused of what differs from the former cluster", async () => {
    const { data } = await readDocument(reset, "validators", {});
    const members = new Set(reset.cluster.members.map(({ vote }) => vote.address));
    expect(data.length).toBeGreaterThan(0);
    expect(data.filter(({ votePubkey }) => !members.has(votePubkey))).toEqual([]);
    const planned = reset.cluster.plannedChanges(RESET.firstEpoch + 1).map(describePlanned);
    const told = [
      ...(await readEvents(reset, "COMMISSION")),
      ...(await readEvents(reset, "MEV")),
    ].map(describeEvent);
    expect(told.filter((event) => !planned.includes(event))).toEqual([]);
    await expect(readDocument(reset, "status", {})).resolves.toMatchObject({
      data: { epoch: RESET.firstEpoch },
    });
  });

  it("pays commissions late from its first epoch on, though its epochs are low again", async () => {
    const votePubkey = reset.cluster.members[0]?.vote.address ?? "";
    const { data } = await readDocument(reset, "validator", { votePubkey });
    expect(data.commission).not.toBeNull();
    // The commission two epochs before the first is unknown.
    expect(data.appliedCommission).toBeNull();
  });

  it("leaves every entry of the former series where it was", async () => {
    expect(journaled.length).toBeGreaterThan(0);
    expect(await keysOfFirstSeries(reset)).toEqual(expect.arrayContaining(journaled));
  });

  it("is reproduced by a rebuild from its own journal", async () => {
    const differences = await findDifferences(reset);
    // Documents of the former series stay until pruned.
    expect(differences.filter((difference) => !difference.startsWith("unexpected"))).toEqual([]);
  });
});

async function keysOfFirstSeries({ stateStore }: Stage): Promise<string[]> {
  return (await Array.fromAsync(stateStore.list("journal/testnet/0001/"))).map(({ key }) => key);
}
