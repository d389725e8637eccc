import type { LieKind } from "./lies.ts";
import { play } from "./play.ts";
import { drawScenario } from "./scenario.ts";
import { tellStory } from "./tell.ts";
import { judge } from "./verdict.ts";

interface StoryPlan {
  panel?: number | undefined;
  minutesMost: number;
}

export interface Total {
  lies: Map<LieKind, number>;
  trueEvents: number;
  disputes: number;
  latestPublication: number;
  longestFreeze: number;
}

export function createTotal(): Total {
  return { lies: new Map(), trueEvents: 0, disputes: 0, latestPublication: 0, longestFreeze: 0 };
}

/** The story of its faults; "": none. */
export async function playSeed(seed: number, plan: StoryPlan, total: Total): Promise<string> {
  const scenario = drawScenario(seed, plan);
  const { record, told } = await play(scenario);
  const verdict = judge(scenario, record, { applied: true });
  for (const [kind, count] of told) total.lies.set(kind, (total.lies.get(kind) ?? 0) + count);
  total.trueEvents += verdict.trueEvents;
  total.disputes += record.disputes.size;
  if (scenario.promise === "everything")
    for (const part of ["latestPublication", "longestFreeze"] as const)
      total[part] = Math.max(total[part], verdict[part]);
  return verdict.faults.length === 0 ? "" : tellStory(scenario, record, verdict);
}

export function tellTotal({ lies, trueEvents, disputes, latestPublication, longestFreeze }: Total): string {
  const kinds = [...lies].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${kind} ${count}`);
  const toMinutes = (milliseconds: number) => `${(milliseconds / 60_000).toFixed(1)} minutes`;
  return [
    `lies: ${kinds.join(", ")}`,
    `${trueEvents} true events; ${disputes} changes disputed for a while`,
    `latest publication ${toMinutes(latestPublication)}, longest freeze ${toMinutes(longestFreeze)}`,
  ].join("\n");
}
