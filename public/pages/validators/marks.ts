import type { CommissionEvent, Severity } from "../../../generator/contract/event.ts";

/** What a validator changed of late. */
export interface Marks {
  /** Changes of inflation and MEV commission together. */
  changes: number;
  newest: CommissionEvent;
  /** Of all the changes. */
  worst: Severity;
  /** How often a commission turned round: a rise after a fall, or a fall after a rise, of the same commission. */
  turns: number;
}

/** Up, down and up again: a commission that turned so often is moved to and fro. Once may be a mistake put right. */
export const SERIAL_TURNS = 2;

const WORST_FIRST = ["RUG", "CAUTION", "INFO"] as const satisfies readonly Severity[];

/**
 * Marks of every validator that a list of events names. An event whose steps are events of their own is not one of them.
 *
 * @param events newest first, as documents have them
 */
export function toMarks(events: readonly CommissionEvent[]): Map<string, Marks> {
  const marks = new Map<string, Marks>();
  const counted = events.filter(({ replacedBy }) => replacedBy === null);
  for (const [votePubkey, of] of Map.groupBy(counted, (event) => event.votePubkey)) {
    const [newest] = of;
    if (newest === undefined) continue;
    const worst = WORST_FIRST.find((severity) => of.some((event) => event.severity === severity)) ?? "INFO";
    marks.set(votePubkey, { changes: of.length, newest, worst, turns: countTurns(of) });
  }
  return marks;
}

/** MEV that is switched on or off has no delta and is no turn. Backwards in time there are as many turns as forwards. */
function countTurns(events: readonly CommissionEvent[]): number {
  const last = new Map<CommissionEvent["source"], number>();
  let turns = 0;
  for (const { source, delta } of events) {
    const direction = Math.sign(delta ?? 0);
    if (direction === 0) continue;
    if (direction === -(last.get(source) ?? 0)) turns += 1;
    last.set(source, direction);
  }
  return turns;
}
