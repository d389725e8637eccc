import { z } from "zod";

const OF_NEWER = "a newer version wrote it";

/** All that is looked at of an object before it is known to be of a format at hand. */
const formatSchema = z.looseObject({ format: z.unknown() });

/**
 * Refuses an object whose `format` is none of those that this generator knows, ascending. Gives its format.
 *
 * @param value JSON from outside: anything.
 * @throws {Error} that says so, and apart from all other faults when a newer generator wrote it: see {@link isOfNewer}.
 */
export function assertFormat(value: unknown, known: readonly number[]): number {
  const { format } = formatSchema.parse(value);
  const found = known.find((one) => one === format);
  if (found !== undefined) return found;
  const newest = known.at(-1) ?? 0;
  const fault = `it has the format ${JSON.stringify(format)}, known is ${newest}`;
  throw new Error(typeof format === "number" && format > newest ? `${fault}: ${OF_NEWER}` : fault);
}

/**
 * Whether an object could not be read because a newer generator wrote it. Such a one is not damaged: who cannot read it must
 * not publish what it would make of the rest.
 *
 * @param reason why it could not be read.
 */
export function isOfNewer(reason: string): boolean {
  return reason.endsWith(OF_NEWER);
}
