import type { Cluster } from "../cluster.ts";
import { isWithin, toWindow, type Length, type Moment } from "../calendar.ts";
import { createRandom } from "../random.ts";

/*
 * Under load a node answers for an account what it held when it last flushed
 * it, or nothing, under the right slot. Lists of vote accounts come from the
 * bank and stay right. Here all nodes are loaded at once, twice an epoch.
 */

const LOAD_FRACTIONS = [0.3417, 0.575];
const LOAD_LENGTH: Length = { epochs: 0, leastMilliseconds: 50_000 };
const OUTDATED_FRACTION = 0.3;
const MISSING_FRACTION = 0.3;
/** A node flushes about every 50 s. */
const OUTDATED_SLOTS = 250;

/** The moment of which a node shows an account; null: it shows none. */
export function readMomentAt(
  { calendar, options }: Cluster,
  address: string,
  moment: Moment,
): Moment | null {
  if (
    !LOAD_FRACTIONS.some((fraction) => isWithin(toWindow(calendar, fraction, LOAD_LENGTH), moment))
  )
    return moment;
  const random = createRandom(`load ${options.seed}`);
  const drawn = random.fraction(address, moment.slot);
  if (drawn < MISSING_FRACTION) return null;
  if (drawn > MISSING_FRACTION + OUTDATED_FRACTION) return moment;
  return calendar.momentOfSlot(
    moment.slot - random.whole(OUTDATED_SLOTS, `slots ${address}`, moment.slot),
  );
}
