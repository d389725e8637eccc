import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Ledger } from "../../../generator/ledger/ledger.ts";
import { readDocument, readSite } from "../../service/documents.ts";
import { compare, findWrong, toTable, isPaidBy } from "./paid.ts";
import { observeStory, type ObservedStory } from "./observed-story.ts";
import { createOperator, type Operator, type Watching } from "./operator.ts";
import { BOUNDARY, FLIPS, NAMES, readBasisPoints, type Actors } from "./proof-story.ts";
import { findUnproved } from "./proved.ts";
import { hasValidator } from "./validator.ts";

const SLOTS_PER_EPOCH = 96;
const STORY_MILLISECONDS = 480_000;
/** Longest distance of two polls: anything earlier was seen by now, if ever. */
const SEEN_SLOTS = 48;

describe.skipIf(!hasValidator)("the transactions behind the changes of a real validator", () => {
  let story: ObservedStory;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const endpointsOf = (url: string) => ({
      "one witness": url,
      "two witnesses": `${url},${url.replace("127.0.0.1", "localhost")}`,
    });
    story = await observeStory({ slotsPerEpoch: SLOTS_PER_EPOCH, endpointsOf, closing });
  }, STORY_MILLISECONDS);

  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  const deedsOf = (name: string) => story.doer.deeds.filter(({ account }) => account === name);
  const settingsOf = (name: string) => deedsOf(name).filter(({ rates }) => rates.length > 0);

  function findSignature(name: string, epoch: number, ...rates: number[]): string | undefined {
    const epochOf = (slot: number) => Math.floor(slot / SLOTS_PER_EPOCH);
    return deedsOf(name).find(
      (deed) => epochOf(deed.slot) === epoch && String(deed.rates) === String(rates),
    )?.signature;
  }

  async function readEvents(site: Operator, name: keyof Actors): Promise<CommissionEvent[]> {
    const { data } = await readDocument(site, "validatorEvents", {
      votePubkey: story.actors[name].vote,
    });
    return data;
  }

  it("are at least twenty that set an inflation commission, and what the last ones set stands", async () => {
    expect(NAMES.flatMap(settingsOf).length).toBeGreaterThanOrEqual(20);
    for (const { name, vote } of Object.values(story.actors))
      expect(await readBasisPoints(story.validator, vote)).toBe(
        settingsOf(name).at(-1)?.rates.at(-1),
      );
  });

  describe.each([
    ["one witness", "signature, one witness"],
    ["two witnesses", "signature"],
  ] as const)("observed by %s", (which, verified) => {
    let site: Watching;
    let sweptLedger: Ledger;
    let ledger: Ledger;
    const [swept, events] = [
      new Map<string, CommissionEvent[]>(),
      new Map<string, CommissionEvent[]>(),
    ];

    beforeAll(async () => {
      site = story.sites[which]!;
      sweptLedger = await site.fold();
      for (const name of NAMES) swept.set(name, await readEvents(site, name));
      const report = await site.searchHistory();
      expect(report).toMatchObject({ rejected: [], transactions: { failed: 0, stopped: null } });
      for (const name of NAMES) events.set(name, await readEvents(site, name));
      ledger = await site.fold();
    });

    const truthOf = (name: keyof Actors) => ({
      ...{ deeds: deedsOf(name), before: story.actors[name].before },
      ...{ verified, slotsPerEpoch: SLOTS_PER_EPOCH },
    });
    const withSignature = (name: string, signature: string | undefined) =>
      events.get(name)?.filter(({ transaction }) => transaction?.signature === signature) ?? [];

    it("are read without a failure", () => {
      expect(site.errors).toEqual([]);
    });

    it.each(NAMES)("are what the events of %s tell, and those tell of nothing else", (name) => {
      onTestFailed(() => site.keep());
      const told = events.get(name) ?? [];
      expect(told.length).toBeGreaterThanOrEqual(3);
      expect(findUnproved(told, truthOf(name)), `by the journal in ${site.directory}`).toEqual([]);
    });

    it("of hot, whose authority also signs its votes, are found where the sweep went, and nowhere else", () => {
      const record = sweptLedger.validators.find(({ vote }) => vote === story.actors.hot.vote)!;
      const covered = record.authorities.flatMap((authority) => authority.covered);
      const told = swept.get("hot") ?? [];
      expect(told.length).toBeGreaterThanOrEqual(1);
      const elsewhere = told.filter(
        ({ transaction }) =>
          transaction !== null &&
          !covered.some(([after, upTo]) => after < transaction.slot && transaction.slot <= upTo),
      );
      expect(elsewhere).toEqual([]);
    });

    it.each(NAMES.filter((name) => name !== "hot"))(
      "of %s are found by the sweep, as far as it went, without a search of the history",
      (name) => {
        onTestFailed(() => site.keep());
        const record = sweptLedger.validators.find(({ vote }) => vote === story.actors[name].vote)!;
        const covered = record.authorities.map((authority) => authority.covered);
        const begin = covered[0]?.[0]?.[0] ?? 0;
        const upTo = Math.min(...covered.map((spans) => spans.at(-1)?.[1] ?? 0));
        expect(upTo).toBeGreaterThanOrEqual(2 * SLOTS_PER_EPOCH);
        // If the search did not reach the first reading, the first change's old rate is unknown.
        const isWhole = begin <= (record.rates.runs[0]?.from.slot ?? 0);
        const after = isWhole
          ? begin
          : (settingsOf(name).find(({ slot }) => slot > begin)?.slot ?? begin);
        const told = swept.get(name)?.filter(({ slot }) => slot <= upTo) ?? [];
        expect(told.length).toBeGreaterThanOrEqual(1);
        const within = { after, upTo: upTo - SEEN_SLOTS };
        expect(
          findUnproved(told, { ...truthOf(name), within }),
          `by the journal in ${site.directory}`,
        ).toEqual([]);
      },
    );

    it("tell both sides of a flip that no observation saw", () => {
      const unseen = FLIPS.filter(({ name, epoch, through, to }) => {
        const sides = [through, to].flatMap((rate) =>
          withSignature(name, findSignature(name, epoch, rate)),
        );
        return sides.length === 2 && sides.every(({ previousSlot }) => previousSlot === null);
      });
      expect(unseen.length, "flips that were not seen").toBeGreaterThanOrEqual(1);
    });

    it("tell of a flip over the end of an epoch, and from which epochs on its rates are paid", () => {
      const { name, epoch, through, from } = BOUNDARY;
      const [raised] = withSignature(name, findSignature(name, epoch, through));
      const [restored] = withSignature(name, findSignature(name, epoch + 1, from));
      expect(raised).toMatchObject({
        ...{ epoch, toCommission: 100, supersededBy: null },
        ...since(epoch + 2),
      });
      expect(restored).toMatchObject({
        ...{ epoch: epoch + 1, fromCommission: 100 },
        ...since(epoch + 3),
      });
      const ofRaised = story.paid.get(name)?.find((one) => one.epoch === epoch + 2);
      expect(isPaidBy(ofRaised!, through)).toBe(true);
    });

    it("make no event where they leave the rate that they found", () => {
      const signature = findSignature("hot", 2, 10_000, 900);
      expect(signature).toBeDefined();
      expect(withSignature("hot", signature)).toEqual([]);
    });

    it("are nowhere if they failed", async () => {
      expect(story.doer.failed).toHaveLength(2);
      const published = [...(await readSite(site)).values()].join("\n");
      const known = JSON.stringify(
        ledger.validators.map(({ rateProofs, accountChanges }) => [rateProofs, accountChanges]),
      );
      const isAnywhere = (signature: string) =>
        published.includes(signature) || known.includes(signature);
      expect(story.doer.failed.filter(isAnywhere)).toEqual([]);
      expect(settingsOf("own").every(({ signature }) => isAnywhere(signature))).toBe(true);
    });

    it("tell of authorities, and of what else they change of an account", () => {
      for (const name of NAMES) {
        const { vote, authority } = story.actors[name];
        const record = ledger.validators.find((one) => one.vote === vote)!;
        const wanted = deedsOf(name)
          // What set an account up before it was observed was signed by its former authority.
          .filter(({ other, slot }) => other !== null && slot >= SLOTS_PER_EPOCH)
          .map(({ other, signature, slot, blockTime, signer }) => ({
            ...{ ...other, signature, slot, blockTime, signer, verified },
            epoch: Math.floor(slot / SLOTS_PER_EPOCH),
          }));
        expect(record.accountChanges).toEqual(wanted);
        expect(record.authorities.at(-1)?.key).toBe(authority.address);
      }
      expect(
        ledger.validators
          .flatMap(({ accountChanges }) => accountChanges.map(({ of }) => of))
          .sort(),
      ).toEqual(["blockRevenueCollector", "blockRevenueCommission", "withdrawAuthority"]);
    });

    it.each(["own", "hot", "flipping", "handed"] as const)(
      "tell what was paid: %s",
      async (name) => {
        const { data: points } = await readDocument(site, "commissionHistory", {
          votePubkey: story.actors[name].vote,
        });
        const inOrder = (events.get(name) ?? []).map((event) => ({
          ...event,
          slot: event.transaction?.slot ?? event.slot,
        }));
        const comparisons = compare(name, {
          paid: story.paid.get(name) ?? [],
          points,
          events: inOrder,
        });
        expect(comparisons.filter(({ applied }) => applied !== null).length).toBeGreaterThanOrEqual(
          2,
        );
        expect(findWrong(comparisons), toTable(comparisons)).toEqual([]);
      },
    );

    it("are published as a rebuild would publish them", async () => {
      expect(await site.verify()).toEqual([]);
    });
  });

  it("are told to who comes later as well, as far as they were signed by who holds the accounts", async () => {
    const latecomer = await createOperator(story.validator.url);
    closing.push(() => latecomer.remove());
    await latecomer.snapshot();
    const report = await latecomer.searchHistory();
    expect(report).toMatchObject({ rejected: [], transactions: { failed: 0, stopped: null } });
    for (const name of NAMES) {
      // Nobody tells what the first one changed.
      const [first, ...deeds] = settingsOf(name).filter(
        ({ signer }) => signer === story.actors[name].authority.address,
      );
      const events = await readEvents(latecomer, name);
      expect(events.length).toBeGreaterThanOrEqual(1);
      const truth = { deeds, before: first?.rates.at(-1) ?? 0, slotsPerEpoch: SLOTS_PER_EPOCH };
      expect(findUnproved(events, { ...truth, verified: "signature, one witness" })).toEqual([]);
    }
    expect(await latecomer.verify()).toEqual([]);
  });
});

function since(epoch: number) {
  return { effectiveEpoch: epoch, effectiveEpochLatest: epoch };
}
