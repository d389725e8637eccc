/** A value of each epoch; null: not known. */
export type EpochValues = readonly (number | null)[];

/** Half of what a step is wide, in epochs: the rest is the rise to the next one. */
const HALF_STEP = 0.49;
const PLACES = [-HALF_STEP, 0, HALF_STEP];

/**
 * Columns of a step chart: each epoch has three places, the ends of its step and its middle. Its value is the same in all three;
 * a mark stands in the middle alone. What is null leaves a gap of just that epoch.
 */
export function toStepColumns(
  epochs: readonly number[],
  { values, marks = [] }: { values: readonly EpochValues[]; marks?: readonly EpochValues[] },
): [places: number[], ...series: (number | null)[][]] {
  return [
    epochs.flatMap((epoch) => PLACES.map((place) => epoch + place)),
    ...values.map((of) => of.flatMap((value) => [value, value, value])),
    ...marks.map((of) => of.flatMap((value) => [null, value, null])),
  ];
}

/** Of an index into the columns: the middle of its epoch, where the marks are. */
export function toMiddle(index: number): number {
  return toRow(index) * PLACES.length + 1;
}

/** Of an index into the columns: which of the epochs it is, from 0. */
export function toRow(index: number): number {
  return Math.floor(index / PLACES.length);
}
