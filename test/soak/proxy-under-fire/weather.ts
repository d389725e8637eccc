import type { Random } from "../random.ts";
import { MOODS, type Mood, type StoreServer } from "./store-server.ts";

const OUTAGES = MOODS.filter((mood) => mood !== "up");
/** Bounds of how long the store is up, and of how long an outage lasts; in seconds. */
const UP_SECONDS = { min: 30, max: 45 };
const OUTAGE_SECONDS = { min: 5, max: 25 };

/** The order of the store's moods, and since when it has the one it has. */
export interface Weather {
  /** Since when the store is up, in milliseconds since the epoch; null: it is not. */
  upSince: () => number | null;
  /** Moods so far. */
  history: Mood[];
  stop(): void;
}

/** Changes the store's mood from up to an outage and back, each kind of outage once before any comes again. */
export function startWeather(store: StoreServer, { random, now }: { random: Random; now: () => number }): Weather {
  let upSince: number | null = now();
  let left: Mood[] = [];
  let timer: NodeJS.Timeout;
  const history: Mood[] = [];

  function change(mood: Mood): void {
    store.mood = mood;
    upSince = mood === "up" ? now() : null;
    history.push(mood);
    const { min, max } = mood === "up" ? UP_SECONDS : OUTAGE_SECONDS;
    timer = setTimeout(() => change(mood === "up" ? draw() : "up"), (min + random.below(max - min + 1)) * 1_000);
  }

  function draw(): Mood {
    if (left.length === 0) left = [...OUTAGES];
    return left.splice(random.below(left.length), 1)[0] ?? "hangs";
  }

  change("up");
  return { upSince: () => upSince, history, stop: () => clearTimeout(timer) };
}
