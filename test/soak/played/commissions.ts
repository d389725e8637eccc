import { describe, expect, it } from "vitest";
import { SEVERITIES, type Source } from "../../../generator/contract/event.ts";
import type { PlannedChange } from "../../../infra/demo/cluster/chain/planned-changes.ts";
import { readDocument } from "../../service/documents.ts";
import { FIRST_EPOCH, MINUTE, SLOTS_PER_EPOCH } from "../../service/harness.ts";
import { readEvents, tellEvent, tellPlanned, toPercent } from "../../service/planned-events.ts";
import { lieOf, type PlayedStory } from "./play.ts";

export async function pairUp({ stage, planned }: PlayedStory, source: Source) {
  const events = await readEvents(stage, source);
  return planned
    .filter((change) => change.source === source)
    .map((change) => {
      const event = events.find((candidate) => tellEvent(candidate) === tellPlanned(change));
      if (event === undefined) throw new Error(`no event tells of ${tellPlanned(change)}`);
      return { change, event };
    });
}

export function describeCommissions(story: () => PlayedStory): void {
  describe("inflation commissions", () => {
    it("that change are an event each, once, of the right severity, and nothing else is one", async () => {
      const { stage, planned } = story();
      const late = tellLateOnes(story());
      const told = (await readEvents(stage, "COMMISSION")).map(tellEvent).filter((event) => !late.has(event));
      const expected = planned.filter(({ source }) => source === "COMMISSION");
      expect(told.sort()).toEqual(expected.map(tellPlanned).sort());
      for (const severity of SEVERITIES)
        expect(expected.filter(({ kind }) => kind === severity).length).toBeGreaterThan(3);
    });

    it("that change are dated by the first check that could see it", async () => {
      for (const { change, event } of await pairUp(story(), "COMMISSION")) {
        const delay = Date.parse(event.createdAt ?? "") - change.atMilliseconds;
        expect(delay, tellPlanned(change)).toBeGreaterThanOrEqual(0);
        // One of three endpoints shows only percents; the next shows what it cannot.
        expect(delay, tellPlanned(change)).toBeLessThanOrEqual(isShownInPercents(change) ? MINUTE : 2 * MINUTE);
        expect(Date.parse(event.previousSeenAt ?? "")).toBeLessThan(change.atMilliseconds);
        expect(event.previousSlot).toBeLessThan(event.slot);
      }
    });

    it("pay their new rate from the second epoch after the last one that may still have had the old", async () => {
      const { cluster } = story().stage;
      const epochOf = (slot: number) => Math.floor(slot / SLOTS_PER_EPOCH);
      expect(cluster.calendar.firstSlotOf(FIRST_EPOCH)).toBe(FIRST_EPOCH * SLOTS_PER_EPOCH);
      const pairs = await pairUp(story(), "COMMISSION");
      for (const { event } of pairs) expect(event.effectiveEpoch).toBe(epochOf(event.previousSlot ?? 0) + 2);
      expect(pairs.filter(({ event }) => (event.effectiveEpoch ?? 0) < event.epoch + 1)).toEqual([]);
    });

    it("that flip for the boundary are seen on either side of it, epoch after epoch", async () => {
      const { stage } = story();
      const flippers = stage.cluster.members.filter(({ commission }) => commission.role === "flipper");
      expect(flippers.length).toBeGreaterThan(0);
      for (const { vote } of flippers) {
        const { data } = await readDocument(stage, "validatorEvents", { votePubkey: vote.address });
        expect(data.map(({ epoch, toCommission }) => `${epoch} ${toCommission}`).reverse()).toEqual([
          "1060 100",
          "1061 0",
          "1061 100",
          "1062 0",
          "1062 100",
          "1063 0",
          "1063 100",
          "1064 0",
        ]);
      }
    });

    it("that one endpoint makes up are dropped and counted when they are heard, and are shown by no document", async () => {
      const { stage, looks } = story();
      const lies = looks.filter(({ time }) => lieOf(stage, time) !== null);
      expect(lies.length).toBeGreaterThan(8);
      const [liar = ""] = stage.command.settings.rpcUrls.mainnet;
      const heard = lies.filter(
        // A snapshot reads all accounts.
        ({ readFrom, report }) => report.command === "snapshot" || readFrom === new URL(liar).origin,
      );
      expect(heard.length).toBeGreaterThan(2);
      const { data: status } = await readDocument(stage, "status", {});
      expect(status.dropped).toBe(heard.length);
      for (const { time } of lies) {
        const votePubkey = lieOf(stage, time)?.member.vote.address ?? "";
        const { data } = await readDocument(stage, "commissionHistory", { votePubkey });
        expect(data.filter(({ commission }) => (commission ?? 100) > 90)).toEqual([]);
      }
    });

    it("are exact to the basis point, and never above the whole", async () => {
      const { stage } = story();
      const { data } = await readDocument(stage, "validators", {});
      const shown = new Map(data.map(({ votePubkey, commission }) => [votePubkey, commission]));
      const truth = stage.cluster.at(story().looks.at(-1)?.time ?? 0).validators;
      const listed = truth.filter(({ votePubkey }) => shown.has(votePubkey));
      expect(listed.length).toBeGreaterThan(30);
      for (const { votePubkey, basisPoints } of listed) expect(shown.get(votePubkey)).toBe(toPercent(basisPoints));
      expect(listed.some(({ basisPoints }) => basisPoints % 100 !== 0)).toBe(true);
      expect(listed.some(({ basisPoints }) => basisPoints > 10_000)).toBe(true);
    });

    it("are in the history what they were at the end of each epoch", async () => {
      const { stage } = story();
      for (const member of stage.cluster.members.filter(({ commission }) => commission.role !== "steady")) {
        const { data } = await readDocument(stage, "commissionHistory", { votePubkey: member.vote.address });
        for (const { epoch, commission: shown } of data.slice(0, -1)) {
          const last = stage.cluster.calendar.momentOfSlot(stage.cluster.calendar.firstSlotOf(epoch + 1) - 1);
          expect(shown).toBe(toPercent(stage.cluster.commissions.basisPointsAt(member, last)));
        }
      }
    });
  });
}

function isShownInPercents({ fromBasisPoints, toBasisPoints }: PlannedChange): boolean {
  const [from, to] = [(fromBasisPoints ?? 0) / 100, Math.floor((toBasisPoints ?? 0) / 100)];
  return to < Math.floor(from) || to > Math.ceil(from);
}

/** Changes in the last minutes of the story may be missed. */
function tellLateOnes({ stage, planned }: PlayedStory): Set<string> {
  const all = stage.cluster.plannedChanges(FIRST_EPOCH + 4).map(tellPlanned);
  return new Set(all).difference(new Set(planned.map(tellPlanned)));
}
