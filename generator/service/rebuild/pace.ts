import type { Network } from "../../contract/networks.ts";
import type { Clock } from "../clock.ts";

/** The progress may take so much of the work's time: a twentieth. */
const WORK_PER_SAVING = 20;

/** How far a rebuild has come. */
export interface RebuildProgress {
  network: Network;
  /** Entries behind it, those that an earlier process folded included. */
  folded: number;
  total: number;
  /** By this process, since it began. */
  entriesPerSecond: number;
  millisecondsLeft: number;
}

/** Measures how fast entries are folded, and says when the progress is to be saved. */
export function createPace({ timer }: Pick<Clock, "timer">, { leastMilliseconds }: { leastMilliseconds: number }) {
  const beganAt = timer();
  let savedAt = beganAt;
  let savingMilliseconds = 0;
  let entries = 0;

  return {
    step: () => void (entries += 1),
    isSavingDue: () => timer() - savedAt >= Math.max(leastMilliseconds, savingMilliseconds * WORK_PER_SAVING),
    async saving(work: () => Promise<void>): Promise<void> {
      const began = timer();
      await work();
      savedAt = timer();
      savingMilliseconds = savedAt - began;
    },
    /** @param place entries folded of how many. */
    tell(place: Pick<RebuildProgress, "network" | "folded" | "total">): RebuildProgress {
      const milliseconds = timer() - beganAt;
      const each = entries === 0 ? 0 : milliseconds / entries;
      const entriesPerSecond = each === 0 ? 0 : 1000 / each;
      return { ...place, entriesPerSecond, millisecondsLeft: (place.total - place.folded) * each };
    },
  };
}

/**
 * Says how far each network has come, when another tenth of it is done or another minute is over.
 *
 * @param timer milliseconds, of any beginning.
 */
export function createRebuildTelling({ timer, say }: { timer: () => number; say: (line: string) => void }) {
  const told = new Map<Network, { tenth: number; at: number }>();
  return (progress: RebuildProgress): void => {
    const { network, folded, total } = progress;
    const tenth = total === 0 ? 10 : Math.floor((folded * 10) / total);
    const before = told.get(network) ?? { tenth: 0, at: timer() };
    const isNews = tenth > before.tenth || timer() - before.at >= 60_000;
    told.set(network, isNews ? { tenth, at: timer() } : before);
    if (isNews) say(toText(progress));
  };
}

function toText({ network, folded, total, entriesPerSecond, millisecondsLeft }: RebuildProgress): string {
  const parts = [`${network}: ${folded} of ${total} entries folded`, `${entriesPerSecond.toFixed(0)} entries/s`];
  if (folded < total) parts.push(`about ${toDuration(millisecondsLeft)} left`);
  return parts.join(" · ");
}

function toDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
