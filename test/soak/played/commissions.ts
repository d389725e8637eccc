import { expect, it } from "vitest";
import { SEVERITIES, type Source } from "../../../generator/contract/event.ts";
import type { PlannedChange } from "../../cluster/chain/planned-changes.ts";
import { readDocument } from "../../service/documents.ts";
import { MINUTE } from "../../service/harness.ts";
import {
  readEvents,
  describeEvent,
  describePlanned,
  toPercent,
} from "../../service/planned-events.ts";
import { lieOf, type PlayedStory } from "./play.ts";
import { FIRST_EPOCH, SLOTS_PER_EPOCH } from "../../cluster/options.ts";

export async function pairUp({ stage, planned }: PlayedStory, source: Source) {
  const events = await readEvents(stage, source);
  return planned
    .filter((change) => change.source === source)
    .map((change) => {
      const event = events.find(
        (candidate) => describeEvent(candidate) === describePlanned(change),
      );
      if (event === undefined) throw new Error(`no event tells of ${describePlanned(change)}`);
      return { change, event };
    });
}

export function describeCommissions(story: () => PlayedStory): void {
  it("inflation changes are an event each, once, of the right severity, and nothing else is one", async () => {
    const { stage, planned } = story();
    // Changes in the last minutes of the story may be missed.
    const all = stage.cluster.plannedChanges(FIRST_EPOCH + 4).map(describePlanned);
    const late = new Set(all).difference(new Set(planned.map(describePlanned)));
    const told = (await readEvents(stage, "COMMISSION"))
      .map(describeEvent)
      .filter((event) => !late.has(event));
    const expected = planned.filter(({ source }) => source === "COMMISSION");
    expect(told.sort()).toEqual(expected.map(describePlanned).sort());
    for (const severity of SEVERITIES)
      expect(expected.filter(({ kind }) => kind === severity).length).toBeGreaterThan(3);
    // Some flip for the boundary, epoch after epoch.
    const flippers = stage.cluster.members.filter(
      ({ commission }) => commission.role === "flipper",
    );
    expect(flippers.length).toBeGreaterThan(0);
    for (const { vote } of flippers)
      expect(expected.filter((change) => change.vote === vote.address).length).toBeGreaterThan(6);
  });

  it("inflation changes are dated by the first check that could see it, and paid from two epochs after the old rate", async () => {
    for (const { change, event } of await pairUp(story(), "COMMISSION")) {
      const delay = Date.parse(event.createdAt ?? "") - change.atMilliseconds;
      expect(delay, describePlanned(change)).toBeGreaterThanOrEqual(0);
      // One of three endpoints shows only percents; the next shows what it cannot.
      expect(delay, describePlanned(change)).toBeLessThanOrEqual(
        isShownInPercents(change) ? MINUTE : 2 * MINUTE,
      );
      expect(Date.parse(event.previousSeenAt ?? "")).toBeLessThan(change.atMilliseconds);
      expect(event.previousSlot).toBeLessThan(event.slot);
      expect(event.effectiveEpoch).toBe(
        Math.floor((event.previousSlot ?? 0) / SLOTS_PER_EPOCH) + 2,
      );
    }
  });

  it("rates that one endpoint makes up are outvoted at once, and are shown by no document", async () => {
    const { stage, looks } = story();
    const lies = looks.filter(({ time }) => lieOf(stage, time) !== null);
    expect(lies.length).toBeGreaterThan(8);
    const { data: status } = await readDocument(stage, "status", {});
    expect(status.dropped).toBe(0);
    expect(status.pending).toEqual([]);
    for (const { time } of lies) {
      const votePubkey = lieOf(stage, time)?.member.vote.address ?? "";
      const { data } = await readDocument(stage, "commissionHistory", { votePubkey });
      expect(data.filter(({ commission }) => (commission ?? 100) > 90)).toEqual([]);
    }
  });

  it("inflation commissions are in the history what they were at the end of each epoch", async () => {
    const { stage } = story();
    const { calendar, commissions, members } = stage.cluster;
    for (const member of members.filter(({ commission }) => commission.role !== "steady")) {
      const { data } = await readDocument(stage, "commissionHistory", {
        votePubkey: member.vote.address,
      });
      for (const { epoch, commission: shown } of data.slice(0, -1)) {
        const last = calendar.momentOfSlot(calendar.firstSlotOf(epoch + 1) - 1);
        expect(shown).toBe(toPercent(commissions.basisPointsAt(member, last)));
      }
    }
  });
}

function isShownInPercents({ fromBasisPoints, toBasisPoints }: PlannedChange): boolean {
  const [from, to] = [(fromBasisPoints ?? 0) / 100, Math.floor((toBasisPoints ?? 0) / 100)];
  return to < Math.floor(from) || to > Math.ceil(from);
}
