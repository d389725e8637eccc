import { describe, expect, it } from "vitest";
import { readDocument } from "../../service/documents.ts";
import { FIRST_EPOCH, MINUTE } from "../../service/harness.ts";
import { OUTAGE, type PlayedStory } from "./play.ts";
import { readEvents, tellEvent, tellPlanned, toPercent } from "../../service/planned-events.ts";
import { pairUp } from "./commissions.ts";

/** Only snapshots read MEV commissions. */
const SNAPSHOT_MILLISECONDS = 10 * MINUTE;

export function describeMev(story: () => PlayedStory): void {
  describe("MEV commissions", () => {
    it("that change are an event each, once, of the right severity, and nothing else is one", async () => {
      const { stage } = story();
      const told = (await readEvents(stage, "MEV")).map(tellEvent).sort();
      const planned = stage.cluster.plannedChanges(FIRST_EPOCH + 4).filter(({ source }) => source === "MEV");
      const seen = planned.filter(({ toBasisPoints, epoch }) => toBasisPoints !== null || epoch < FIRST_EPOCH + 4);
      expect(told).toEqual(seen.map(tellPlanned).sort());
      expect(new Set(told).size).toBe(told.length);
      expect(new Set(seen.map(({ kind }) => kind)).size).toBe(3);
    });

    it("that change are dated by the first snapshot that could see it, and count for their own epoch", async () => {
      for (const { change, event } of await pairUp(story(), "MEV")) {
        const delay = Date.parse(event.createdAt ?? "") - change.atMilliseconds;
        expect(delay, tellPlanned(change)).toBeGreaterThanOrEqual(0);
        expect(delay, tellPlanned(change)).toBeLessThanOrEqual(SNAPSHOT_MILLISECONDS);
        expect(event.effectiveEpoch).toBe(change.epoch);
      }
    });

    it("that are switched off are told once, for the closed epoch, and switched on again afterwards", async () => {
      const pairs = await pairUp(story(), "MEV");
      const off = pairs.filter(({ event }) => event.toDisabled);
      const on = pairs.filter(({ event }) => event.fromDisabled);
      expect(off.length).toBeGreaterThan(1);
      expect(on.length).toBeGreaterThan(0);
      for (const { event } of [...off, ...on]) expect(event.delta).toBeNull();
      const { stage } = story();
      for (const { event } of off) {
        const closesAt = stage.cluster.calendar.timeOf(event.epoch + 1 - FIRST_EPOCH, 0);
        expect(Date.parse(event.createdAt ?? "")).toBeGreaterThanOrEqual(closesAt);
        const { data } = await readDocument(stage, "commissionHistory", { votePubkey: event.votePubkey });
        expect(data.find(({ epoch }) => epoch === event.epoch)?.mevCommission).toBeNull();
        expect(data.find(({ epoch }) => epoch === event.epoch - 1)?.mevCommission ?? event.fromCommission).toBe(
          event.fromCommission,
        );
      }
    });

    it("are read from the chain while the vendor fails: degraded for its reason, and yet fresh", () => {
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

    it("cost the part of the tips that the cluster counted for their epoch, of the running one less", async () => {
      const { stage } = story();
      const members = new Map(stage.cluster.members.map((member) => [member.vote.address, member]));
      const settled: number[] = [];
      for (const { change, event } of await pairUp(story(), "MEV")) {
        const { fromBasisPoints: from, toBasisPoints: to, epoch } = change;
        if (from === null || to === null) {
          expect(event.mevCost).toBeNull();
          continue;
        }
        const all = stage.cluster.mev.rewardsOf(members.get(change.vote)!, epoch - FIRST_EPOCH);
        const { lamportsPerEpoch, basis } = event.mevCost!;
        const tips = BigInt(basis.tips.lamports);
        expect(Math.abs(Number(BigInt(lamportsPerEpoch) * 10_000n - tips * BigInt(to - from)))).toBeLessThanOrEqual(
          5_000,
        );
        if (basis.isSettled) settled.push(epoch);
        if (epoch < FIRST_EPOCH + 3) expect([basis.isSettled, tips]).toEqual([true, all]);
        else expect([basis.isSettled && tips !== all, tips <= all]).toEqual([false, true]);
      }
      expect(settled.length).toBeGreaterThan(3);
    });

    it("are in the history what they were in each epoch", async () => {
      const { stage } = story();
      const closed = FIRST_EPOCH + 4;
      for (const member of stage.cluster.members.filter(({ life }) => life.role === "normal")) {
        const { data } = await readDocument(stage, "commissionHistory", { votePubkey: member.vote.address });
        for (const { epoch, mevCommission } of data.filter((point) => point.epoch < closed))
          expect(mevCommission).toBe(toPercent(stage.cluster.mev.basisPointsOf(member, epoch - FIRST_EPOCH)));
      }
    });
  });
}
