import type { LieKind } from "./lies.ts";
import { play } from "./play.ts";
import { drawScenario } from "./scenario.ts";
import { describeStory } from "./tell.ts";
import { judge } from "./verdict.ts";

interface StoryPlan {
  panel?: number | undefined;
  minutesMost: number;
}

export interface Total {
  lies: Map<LieKind, number>;
  /** Accounts shown as they were, or as if there were none. */
  outdated: number;
  trueEvents: number;
  trueMevEvents: number;
  disabled: number;
  disputes: number;
}

export function createTotal(): Total {
  return {
    lies: new Map(),
    outdated: 0,
    trueEvents: 0,
    trueMevEvents: 0,
    disabled: 0,
    disputes: 0,
  };
}

/** The story of its faults; "": none. */
export async function playSeed(seed: number, plan: StoryPlan, total: Total): Promise<string> {
  const scenario = drawScenario(seed, plan);
  const { record, told, outdated } = await play(scenario);
  const verdict = judge(scenario, record, { applied: true });
  for (const [kind, count] of told) total.lies.set(kind, (total.lies.get(kind) ?? 0) + count);
  total.outdated += outdated;
  total.trueEvents += verdict.trueEvents;
  total.trueMevEvents += verdict.trueMevEvents;
  total.disabled += verdict.disabled;
  total.disputes += record.disputes.size;
  return verdict.faults.length === 0 ? "" : describeStory(scenario, record, verdict);
}

export function tellTotal({
  lies,
  outdated,
  trueEvents,
  trueMevEvents,
  disabled,
  disputes,
}: Total): string {
  const kinds = [...lies].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${kind} ${count}`);
  return `lies: ${kinds.join(", ")}\n${outdated} accounts out of date or missing under load; ${trueEvents} true events; ${trueMevEvents} of MEV, ${disabled} of which switch it off; ${disputes} changes disputed for a while`;
}
