import { describe, expect, it } from "vitest";
import { readDocument } from "../../service/documents.ts";
import { MINUTE, STARTS_AT, type Stage } from "../../service/harness.ts";
import type { Look, PlayedStory } from "./play.ts";

const HOUR = 60 * MINUTE;

function delinquentAt({ cluster }: Stage, time: number): Set<string> {
  const { validators } = cluster.at(time);
  return new Set(validators.filter(({ delinquent }) => delinquent).map(({ votePubkey }) => votePubkey));
}

function isIncident({ cluster }: Stage, time: number): boolean {
  const { ordinal, slotIndex } = cluster.at(time).moment;
  const window = cluster.outages.massDelinquencyOf(ordinal);
  return window !== null && slotIndex >= window.fromSlotIndex && slotIndex < window.toSlotIndex;
}

function calmOnes({ stage, looks }: PlayedStory): Look[] {
  return looks.filter(({ time }) => !isIncident(stage, time));
}

export function describeDelinquency(story: () => PlayedStory): void {
  describe("delinquency", () => {
    it("is shown as each check sees it", () => {
      const { stage } = story();
      for (const { time, listed, delinquent } of calmOnes(story())) {
        expect(new Set(delinquent.keys())).toEqual(delinquentAt(stage, time).intersection(listed));
      }
    });

    it("begins with the first check that saw it, and keeps that time to its end", () => {
      let runs = 0;
      const calm = calmOnes(story());
      for (const [index, { time, delinquent }] of calm.entries()) {
        const before = calm[index - 1];
        if (before === undefined) continue;
        for (const [vote, since] of delinquent) {
          // A returning validator has no check before.
          if (!before.listed.has(vote)) continue;
          const held = before.delinquent.get(vote);
          if (held === undefined) runs += 1;
          expect(since).toBe(held ?? new Date(time).toISOString());
        }
      }
      expect(runs).toBeGreaterThan(5);
    });

    it("of over a third of the stake at once begins nobody's run and ends none", () => {
      const { stage, looks } = story();
      const incidents = looks.filter(({ time }) => isIncident(stage, time));
      // One check each in the first epoch and in the third.
      expect(incidents.length).toBe(2);
      for (const incident of incidents) {
        const before = calmOnes(story()).findLast(({ time }) => time < incident.time);
        expect(delinquentAt(stage, incident.time).size).toBeGreaterThan(15);
        expect(incident.delinquent).toEqual(before?.delinquent);
      }
    });

    it("is counted once a minute, for full hours, and not in the minutes of an incident", async () => {
      const { stage, looks } = story();
      const lastHour = STARTS_AT + Math.floor(((looks.at(-1)?.time ?? 0) - STARTS_AT) / HOUR) * HOUR;
      const minutes = Map.groupBy(
        looks.filter(({ time }) => time < lastHour),
        ({ time }) => Math.floor(time / MINUTE),
      );
      const checks = [...minutes.values()]
        .flatMap(([first]) => first ?? [])
        .filter(({ time }) => !isIncident(stage, time));
      let delinquentChecks = 0;
      for (const { vote } of stage.cluster.members) {
        const present = checks.filter((look) => hasRow(stage, vote.address, look));
        if (present.length === 0) continue;
        const delinquent = present.filter(({ time }) => delinquentAt(stage, time).has(vote.address)).length;
        delinquentChecks += delinquent;
        const { data, meta } = await readDocument(stage, "uptime", { votePubkey: vote.address });
        const percent = Math.round(((present.length - delinquent) * 10_000) / present.length) / 100;
        expect(data).toEqual([
          { date: "2026-11-20", uptimeChecks: present.length, delinquentChecks: delinquent, uptimePercent: percent },
        ]);
        expect(meta).toMatchObject({ daysTracked: 1, uptimeChecks: present.length, delinquentChecks: delinquent });
      }
      expect(delinquentChecks).toBeGreaterThan(100);
    });
  });
}

function hasRow({ cluster }: Stage, vote: string, { time, listed }: Look): boolean {
  return listed.has(vote) && cluster.at(time).validators.some(({ votePubkey }) => votePubkey === vote);
}
