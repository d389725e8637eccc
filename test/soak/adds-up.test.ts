import fc from "fast-check";
import { expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { usualStory } from "../story/random/stories.ts";
import { publishAtOnce, toSite } from "../service/arriving.ts";
import { readDocument } from "../service/documents.ts";

const sumOf = <Row>(rows: readonly Row[], pick: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + pick(row), 0);

it("what is published of any story adds up, fills forward and names each event once", async () => {
  await fc.assert(
    fc.asyncProperty(usualStory, async (entries) => {
      const site = toSite(await publishAtOnce(entries));
      const index = await readDocument(site, "index", {});
      const votes = [...index.validators, ...index.unlisted].map(({ votePubkey }) => votePubkey);
      const events = votes.map((votePubkey) =>
        readDocument(site, "validatorEvents", { votePubkey }),
      );
      expectEventsToAddUp(index, await Promise.all(events));
      for (const votePubkey of votes)
        expectForwardFill(await readDocument(site, "commissionHistory", { votePubkey }));
      expectRugsToAddUp(index, await readDocument(site, "rugsPerEpoch", {}));
      const list = await readDocument(site, "validators", {});
      expect(list.meta.total).toBe(list.data.length);
      const lamports = list.data.reduce(
        (sum, { activeStake }) => sum + BigInt(activeStake.lamports),
        0n,
      );
      expect(list.meta.networkStake.lamports).toBe(String(lamports));
    }),
    { numRuns: 40 },
  );
});

function expectEventsToAddUp(
  index: DocumentOf<"index">,
  documents: DocumentOf<"validatorEvents">[],
): void {
  for (const { data, meta } of documents) expect(meta.total).toBe(data.length);
  const all = documents.flatMap(({ data }) => data);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const byId = (events: readonly CommissionEvent[]) =>
    new Map(events.map((event) => [event.id, event]));
  // A made-up story is shorter than the fifty epochs of the index.
  expect(byId(index.events)).toEqual(byId(all));
}

function expectRugsToAddUp(index: DocumentOf<"index">, rugs: DocumentOf<"rugsPerEpoch">): void {
  const rugged = index.events.filter(({ severity }) => severity === "RUG");
  const { global } = rugs.meta;
  expect(rugs.meta.total).toBe(index.rugsPerEpoch.length);
  expect(sumOf(index.rugsPerEpoch, ({ totalEvents }) => totalEvents)).toBe(rugged.length);
  expect(global.commissionEvents + global.mevEvents).toBe(rugged.length);
  expect(global.totalRuggedValidators).toBe(
    new Set(rugged.map(({ votePubkey }) => votePubkey)).size,
  );
  for (const row of index.rugsPerEpoch) {
    expect(row.totalEvents).toBe(row.commissionEvents + row.mevEvents);
    expect(row.uniqueValidators).toBe(row.commissionValidators + row.mevValidators - row.bothTypes);
  }
}

function expectForwardFill({ data, meta }: DocumentOf<"commissionHistory">): void {
  expect(meta.total).toBe(data.length);
  expect(data.map(({ epoch }) => epoch)).toEqual(
    data.map((_, offset) => (data[0]?.epoch ?? 0) + offset),
  );
  const known = data.findIndex(({ commission }) => commission !== null);
  if (known !== -1)
    expect(data.slice(known).filter(({ commission }) => commission === null)).toEqual([]);
}
