import type { Ledger } from "./ledger.ts";
import type { ListedFields, Moment, ValidatorRecord } from "./records.ts";
import type { Touched } from "./touched.ts";

/** What every fold of an entry gets. Folds change `ledger` and `touched` in place. */
export interface Step {
  ledger: Ledger;
  touched: Touched;
  moment: Moment;
  /** Moments by slot, all with this step's time, so that a thousand validators share them. */
  moments: Map<number, Moment>;
}

/** null: the ledger does not know the vote account. */
export function findValidator(
  ledger: Ledger,
  vote: string,
): { validatorIndex: number; validator: ValidatorRecord } | null {
  const validatorIndex = ledger.validatorIndexes.get(vote);
  const validator = validatorIndex === undefined ? undefined : ledger.validators[validatorIndex];
  return validatorIndex === undefined || validator === undefined
    ? null
    : { validatorIndex, validator };
}

/** A row of an entry with the validator that it is about. */
export interface Found<Row> {
  row: Row;
  /** Index of the row in the entry. */
  rowIndex: number;
  validatorIndex: number;
  validator: ValidatorRecord;
}

/**
 * Pairs rows with the validators that the ledger knows. Ten folds use the thousand pairs. Checks
 * that changed nothing share their rows, which are paired once, until a validator is new.
 */
export function findRows<Row extends { vote: string }>(
  ledger: Ledger,
  rows: readonly Row[],
): readonly Found<Row>[] {
  const known = paired.get(rows);
  if (known?.ledger === ledger && known.validators === ledger.validators.length)
    return known.found as Found<Row>[];
  const found: Found<Row>[] = [];
  for (const [rowIndex, row] of rows.entries()) {
    const validatorIndex = ledger.validatorIndexes.get(row.vote);
    const validator = validatorIndex === undefined ? undefined : ledger.validators[validatorIndex];
    if (validatorIndex !== undefined && validator !== undefined)
      found.push({ row, rowIndex, validatorIndex, validator });
  }
  paired.set(rows, { ledger, validators: ledger.validators.length, found });
  return found;
}

const paired = new WeakMap<
  readonly object[],
  { ledger: Ledger; validators: number; found: Found<unknown>[] }
>();

/** Sets listed fields. Only a real difference moves `updatedAt` and touches the profile. */
export function assignListed(
  step: Step,
  validatorIndex: number,
  fields: Partial<ListedFields>,
): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  if (isSameListing(validator, fields)) return;
  Object.assign(validator, fields);
  validator.updatedAt = step.moment.time;
  step.touched.profiles.add(validatorIndex);
}

function isSameListing(listed: ListedFields, fields: Partial<ListedFields>): boolean {
  for (const name in fields)
    if (listed[name as keyof ListedFields] !== fields[name as keyof ListedFields]) return false;
  return true;
}
