import { expect, it } from "vitest";
import { readDocument } from "../../service/documents.ts";
import { MINUTE } from "../../service/harness.ts";
import {
  readEvents,
  describeEvent,
  describePlanned,
  toPercent,
} from "../../service/planned-events.ts";
import { pairUp } from "./commissions.ts";
import { OUTAGE, type PlayedStory } from "./play.ts";
import { FIRST_EPOCH } from "../../cluster/options.ts";

/** Only snapshots read MEV commissions. */
const SNAPSHOT_MILLISECONDS = 10 * MINUTE;

export function describeMev(story: () => PlayedStory): void {
  it("MEV changes are an event each, dated by the first snapshot that could see it, and one to disabled by the end of its epoch", async () => {
    const { stage } = story();
    const told = (await readEvents(stage, "MEV")).map(describeEvent).sort();
    const planned = stage.cluster
      .plannedChanges(FIRST_EPOCH + 4)
      .filter(({ source }) => source === "MEV");
    const seen = planned.filter(
      ({ toBasisPoints, epoch }) => toBasisPoints !== null || epoch < FIRST_EPOCH + 4,
    );
    expect(told).toEqual(seen.map(describePlanned).sort());
    expect(new Set(seen.map(({ kind }) => kind)).size).toBe(3);
    const pairs = await pairUp(story(), "MEV");
    for (const { change, event } of pairs) {
      const delay = Date.parse(event.createdAt ?? "") - change.atMilliseconds;
      expect(delay, describePlanned(change)).toBeGreaterThanOrEqual(0);
      expect(delay, describePlanned(change)).toBeLessThanOrEqual(SNAPSHOT_MILLISECONDS);
      expect(event.effectiveEpoch).toBe(change.epoch);
      const closesAt = stage.cluster.calendar.timeOf(event.epoch + 1 - FIRST_EPOCH, 0);
      if (event.toDisabled)
        expect(Date.parse(event.createdAt ?? "")).toBeGreaterThanOrEqual(closesAt);
    }
    expect(pairs.filter(({ event }) => event.toDisabled).length).toBeGreaterThan(1);
    expect(pairs.filter(({ event }) => event.fromDisabled).length).toBeGreaterThan(0);
  });

  it("MEV is read from the chain while the vendor fails: degraded for its reason, and yet fresh", () => {
    const { stage, looks } = story();
    const snapshots = looks.filter(({ report }) => report.command === "snapshot");
    const isOut = ({ time }: { time: number }) => {
      const { epoch } = stage.cluster.at(time).moment;
      return epoch >= OUTAGE[0] && epoch <= OUTAGE[1];
    };
    expect(snapshots.filter(isOut).length).toBeGreaterThan(20);
    for (const look of snapshots) {
      expect(look.mev.state).toBe(isOut(look) ? "degraded" : "ok");
      if (isOut(look)) expect(look.mev.reason).toContain("HTTP status 500");
      expect(look.mev.lastSuccessAt).toBe(new Date(look.time).toISOString());
    }
  });

  it("MEV changes cost the part of the tips that the cluster counted for their epoch, of the running one less", async () => {
    const { stage } = story();
    const members = new Map(stage.cluster.members.map((member) => [member.vote.address, member]));
    let settled = 0;
    for (const { change, event } of await pairUp(story(), "MEV")) {
      const { fromBasisPoints: from, toBasisPoints: to, epoch } = change;
      if (from === null || to === null) {
        expect(event.mevCost).toBeNull();
        continue;
      }
      const all = stage.cluster.mev.rewardsOf(members.get(change.vote)!, epoch - FIRST_EPOCH);
      const { lamportsPerEpoch, basis } = event.mevCost!;
      const tips = BigInt(basis.tips.lamports);
      const difference = Number(BigInt(lamportsPerEpoch) * 10_000n - tips * BigInt(to - from));
      expect(Math.abs(difference)).toBeLessThanOrEqual(5_000);
      if (basis.isSettled) settled += 1;
      if (epoch < FIRST_EPOCH + 3) expect([basis.isSettled, tips]).toEqual([true, all]);
      else expect([basis.isSettled && tips !== all, tips <= all]).toEqual([false, true]);
    }
    expect(settled).toBeGreaterThan(3);
  });

  it("MEV commissions are in the history what they were in each epoch", async () => {
    const { stage } = story();
    for (const member of stage.cluster.members.filter(({ life }) => life.role === "normal")) {
      const { data } = await readDocument(stage, "commissionHistory", {
        votePubkey: member.vote.address,
      });
      for (const { epoch, mevCommission } of data.filter((point) => point.epoch < FIRST_EPOCH + 4))
        expect(mevCommission).toBe(
          toPercent(stage.cluster.mev.basisPointsOf(member, epoch - FIRST_EPOCH)),
        );
    }
  });
}
