import { expect, it } from "vitest";
import { readDocument } from "../../service/documents.ts";
import { MINUTE, STARTS_AT, type Stage } from "../../service/harness.ts";
import type { Look, PlayedStory } from "./play.ts";

const HOUR = 60 * MINUTE;

function delinquentAt({ cluster }: Stage, time: number): Set<string> {
  const { validators } = cluster.at(time);
  return new Set(
    validators.filter(({ delinquent }) => delinquent).map(({ votePubkey }) => votePubkey),
  );
}

function isIncident({ cluster }: Stage, time: number): boolean {
  const { ordinal, slotIndex } = cluster.at(time).moment;
  const window = cluster.outages.massDelinquencyOf(ordinal);
  return window !== null && slotIndex >= window.fromSlotIndex && slotIndex < window.toSlotIndex;
}

export function describeDelinquency(story: () => PlayedStory): void {
  it("delinquency is shown as each check sees it, from the first one on; an outage of the cluster changes nobody's", () => {
    const { stage, looks } = story();
    const runs = new Set<string>();
    for (const [index, { time, listed, delinquent }] of looks.entries()) {
      const before = looks[index - 1];
      if (isIncident(stage, time)) expect(delinquent).toEqual(before?.delinquent);
      else
        expect(new Set(delinquent.keys())).toEqual(delinquentAt(stage, time).intersection(listed));
      for (const [vote, since] of delinquent) {
        runs.add(`${vote} ${since}`);
        // A returning validator has no check before.
        if (before?.listed.has(vote))
          expect(since).toBe(before.delinquent.get(vote) ?? new Date(time).toISOString());
      }
    }
    expect(runs.size).toBeGreaterThan(5);
    // One check each in the first epoch and in the third.
    expect(looks.filter(({ time }) => isIncident(stage, time))).toHaveLength(2);
  });

  it("uptime is counted once a minute, for full hours, and not in the minutes of an outage", async () => {
    const { stage, looks } = story();
    const lastHour = STARTS_AT + Math.floor(((looks.at(-1)?.time ?? 0) - STARTS_AT) / HOUR) * HOUR;
    const minutes = Map.groupBy(
      looks.filter(({ time }) => time < lastHour),
      ({ time }) => Math.floor(time / MINUTE),
    );
    const checks = [...minutes.values()]
      .map(([first]) => first!)
      .filter(({ time }) => !isIncident(stage, time));
    let all = 0;
    for (const { vote } of stage.cluster.members) {
      const present = checks.filter((look) => hasRow(stage, vote.address, look));
      const [uptimeChecks, delinquentChecks] = [
        present.length,
        present.filter(({ time }) => delinquentAt(stage, time).has(vote.address)).length,
      ];
      if (uptimeChecks === 0) continue;
      all += delinquentChecks;
      const { data, meta } = await readDocument(stage, "uptime", { votePubkey: vote.address });
      const uptimePercent =
        Math.round(((uptimeChecks - delinquentChecks) * 10_000) / uptimeChecks) / 100;
      expect(data).toEqual([{ date: "2026-11-20", uptimeChecks, delinquentChecks, uptimePercent }]);
      expect(meta).toMatchObject({ daysTracked: 1, uptimeChecks, delinquentChecks });
    }
    expect(all).toBeGreaterThan(100);
  });
}

function hasRow({ cluster }: Stage, vote: string, { time, listed }: Look): boolean {
  return (
    listed.has(vote) && cluster.at(time).validators.some(({ votePubkey }) => votePubkey === vote)
  );
}
