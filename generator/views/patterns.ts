import { toPercent } from "../contract/numbers.ts";
import type { Pattern } from "../contract/pattern.ts";
import type { Severity } from "../contract/event.ts";
import type { EventRecord } from "../ledger/event-record.ts";

/*
 * A serial flip: the commission rises by at least 10 percentage points, falls by as much and rises
 * again, in at least 3 of 10 epochs. It ends after 10 epochs without such a rise. Two mainnet
 * validators did so in 159 of 168 epochs from 853 on: at zero early in each epoch, at 100 % across
 * its end.
 * Counting the swings of a zigzag finds a flip made of small steps or of ever-changing rates. An
 * event beyond the range of the pattern is not a repeat, so a small flip cannot hide a RUG.
 */

const SWING_BASIS_POINTS = 1000;
const LEAST_EPOCHS = 3;
const WITHIN_EPOCHS = 10;

const WEIGHTS = { INFO: 0, CAUTION: 1, RUG: 2 } as const satisfies Record<Severity, number>;

/** The pattern as of each event, by event id: the published past stays while a pattern goes on. */
export function findPatterns(events: readonly EventRecord[]): Map<string, Pattern> {
  const counted = events.filter(({ confirmed, replacedBy }) => confirmed && replacedBy === null);
  const bySubject = Map.groupBy(
    counted,
    ({ validatorIndex, source }) => `${validatorIndex} ${source}`,
  );
  return new Map([...bySubject.values()].flatMap((own) => findRepeats(own.sort(compareInTime))));
}

/** Whether a pattern goes on in an epoch: its last rise is at most ten epochs back. */
export function isActive({ lastEpoch }: Pattern, epoch: number): boolean {
  return epoch - lastEpoch <= WITHIN_EPOCHS;
}

function compareInTime(one: EventRecord, other: EventRecord): number {
  const slotOf = ({ transaction, slot }: EventRecord) => transaction?.slot ?? slot;
  return slotOf(one) - slotOf(other) || one.epoch - other.epoch || (one.id < other.id ? -1 : 1);
}

/** Basis points. */
interface Swing {
  isUp: boolean;
  /** Lowest before the last rise or since the last fall. */
  low: number;
  /** Highest since the last rise. */
  high: number;
}

/** Rises that are or may become a pattern. */
interface Run {
  /** The first of each epoch; `index` is that among the events. */
  rises: { epoch: number; index: number }[];
  /** null: no pattern yet. */
  reach: Reach | null;
}

interface Reach {
  basisPoints: number;
  weight: number;
}

function findRepeats(oldestFirst: readonly EventRecord[]): [id: string, pattern: Pattern][] {
  let swing: Swing | null = null;
  /** After MEV was disabled, the flip before stays until the next rise. */
  let flip: Pick<Swing, "low" | "high"> = { low: 0, high: 0 };
  let isCut = false;
  let run: Run = { rises: [], reach: null };
  return oldestFirst.flatMap((event, index): [string, Pattern][] => {
    const { id, from, to, epoch, source } = event;
    if (typeof from !== "number" || typeof to !== "number") {
      swing = null;
      isCut = true;
      return [];
    }
    const before: Swing = swing ?? { isUp: false, low: from, high: from };
    const now = (swing = toSwing(before, to));
    isCut &&= !now.isUp;
    if (!isCut) flip = now;
    if (isOver(run, epoch)) run = { rises: [], reach: null };
    const { reach } = run;
    const rises = now.isUp && !before.isUp ? withRise(run, { epoch, index }) : run.rises;
    const [first, newest] = [rises[0], rises.at(-1)];
    if (
      first === undefined ||
      newest === undefined ||
      (reach === null && rises.length < LEAST_EPOCHS)
    ) {
      run = { rises, reach: null };
      return [];
    }
    run = {
      rises,
      reach: toReach(reach === null ? oldestFirst.slice(first.index, index + 1) : [event], reach),
    };
    if (reach !== null && isFurther(event, reach)) return [];
    return [
      [
        id,
        {
          ...{ kind: "serial_flip", source, from: toPercent(flip.low), to: toPercent(flip.high) },
          ...{ epochs: rises.length, ofEpochs: newest.epoch - first.epoch + 1 },
          ...{ firstEpoch: first.epoch, lastEpoch: newest.epoch, changes: index - first.index + 1 },
        },
      ],
    ];
  });
}

function toSwing({ isUp, low, high }: Swing, to: number): Swing {
  const [lowest, highest] = [Math.min(low, to), Math.max(high, to)];
  if (isUp)
    return highest - to >= SWING_BASIS_POINTS
      ? { isUp: false, low: to, high }
      : { isUp, low, high: highest };
  return to - lowest >= SWING_BASIS_POINTS
    ? { isUp: true, low: lowest, high: to }
    : { isUp, low: lowest, high };
}

function isOver({ rises, reach }: Run, epoch: number): boolean {
  return reach !== null && epoch - (rises.at(-1)?.epoch ?? epoch) > WITHIN_EPOCHS;
}

/** Until there is a pattern, drops rises too far from the new one. */
function withRise({ rises, reach }: Run, rise: Run["rises"][number]): Run["rises"] {
  if (rises.at(-1)?.epoch === rise.epoch) return rises;
  const kept =
    reach === null ? rises.filter(({ epoch }) => rise.epoch - epoch < WITHIN_EPOCHS) : rises;
  return [...kept, rise];
}

function toReach(events: readonly EventRecord[], reach: Reach | null): Reach {
  return {
    basisPoints: Math.max(
      reach?.basisPoints ?? 0,
      ...events.map(({ to }) => (typeof to === "number" ? to : 0)),
    ),
    weight: Math.max(reach?.weight ?? 0, ...events.map(({ severity }) => WEIGHTS[severity])),
  };
}

function isFurther({ to, severity }: EventRecord, { basisPoints, weight }: Reach): boolean {
  return (
    WEIGHTS[severity] > weight || (typeof to === "number" && to >= basisPoints + SWING_BASIS_POINTS)
  );
}
