/**
 * A value of each validator, by its index, in each epoch or day. 1,000 × 1,000 u16 are 2 MB. Closed
 * epochs seldom change.
 */
export type Column<Values extends ColumnValues, Key = number> = Map<Key, Values>;

/** u16 for commissions, ranks and flags; u64 for lamports. */
export type ColumnValues = Uint16Array | BigUint64Array;

/** Marks a validator without a value in a u16 column; {@link getU16} gives null for it. */
export const NOT_RECORDED = 0xffff;

/** Stands for an MEV commission that is disabled. */
export const DISABLED = 0xfffe;

/** Marks a validator without a value in a stake column; 0 is a recorded stake. */
export const NO_STAKE_RECORDED = 0xffff_ffff_ffff_ffffn;

const LEAST_ROOM = 64;
const ROOM_STEP = 512;

/**
 * Sets a value from 0 to 65,535. A new column, or one grown for the index, is filled with
 * `empty`.
 */
export function setU16<Key>(
  column: Column<Uint16Array, Key>,
  key: Key,
  validatorIndex: number,
  value: number,
  empty: number,
): void {
  const stored = column.get(key);
  const values =
    validatorIndex < (stored?.length ?? 0) && stored
      ? stored
      : grown(stored, validatorIndex, empty);
  values[validatorIndex] = value;
  if (values !== stored) column.set(key, values);
}

/** Saturates at 65,535. */
export function addU16<Key>(
  column: Column<Uint16Array, Key>,
  key: Key,
  validatorIndex: number,
  amount: number,
): void {
  const sum = (column.get(key)?.[validatorIndex] ?? 0) + amount;
  setU16(column, key, validatorIndex, Math.min(sum, 0xffff), 0);
}

/** Sets a stake in lamports and grows the column if the validator is beyond its end. */
export function setStake(
  column: Column<BigUint64Array>,
  epoch: number,
  validatorIndex: number,
  lamports: bigint,
): void {
  const stored = column.get(epoch);
  if (stored !== undefined && validatorIndex < stored.length) {
    stored[validatorIndex] = lamports;
    return;
  }
  const values = new BigUint64Array(roomFor(validatorIndex)).fill(NO_STAKE_RECORDED);
  if (stored !== undefined) values.set(stored);
  values[validatorIndex] = lamports;
  column.set(epoch, values);
}

/** null: nothing was recorded. */
export function getU16<Key>(
  column: Column<Uint16Array, Key>,
  key: Key,
  validatorIndex: number,
): number | null {
  const value = column.get(key)?.[validatorIndex];
  return value === undefined || value === NOT_RECORDED ? null : value;
}

/** Lamports; null: nothing was recorded. */
export function getStake(
  column: Column<BigUint64Array>,
  epoch: number,
  validatorIndex: number,
): bigint | null {
  const value = column.get(epoch)?.[validatorIndex];
  return value === undefined || value === NO_STAKE_RECORDED ? null : value;
}

function grown(
  stored: Uint16Array | undefined,
  validatorIndex: number,
  empty: number,
): Uint16Array {
  const values = new Uint16Array(roomFor(validatorIndex)).fill(empty);
  if (stored !== undefined) values.set(stored);
  return values;
}

function roomFor(validatorIndex: number): number {
  return validatorIndex < LEAST_ROOM
    ? LEAST_ROOM
    : Math.ceil((validatorIndex + 1) / ROOM_STEP) * ROOM_STEP;
}
