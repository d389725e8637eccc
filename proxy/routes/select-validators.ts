import { compareText } from "../../generator/contract/lists.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import type { Validator } from "../../generator/contract/validator.ts";
import { readOneOf, readPercent, readPubkeys, readSomeOf, type Query } from "./parameters.ts";

/** Which validators of the list are wanted, and in which order; null: no matter. */
export interface ValidatorsWanted {
  votePubkeys: readonly string[] | null;
  verdicts: readonly Validator["verdict"][] | null;
  delinquent: boolean | null;
  /** Percent, of the announced commission. */
  commissionMin: number | null;
  commissionMax: number | null;
  order: "stake" | "commission" | "appliedCommission" | "name";
  /** null: by the order. */
  dir: "asc" | "desc" | null;
}

/** Reads filters and order. @throws {ApiError} `invalid_pubkey`, `invalid_parameter` */
export function readValidatorsWanted(query: Query): ValidatorsWanted {
  const delinquent = readOneOf(query, PARAMETERS.delinquent);
  return {
    votePubkeys: readPubkeys(query, PARAMETERS.votePubkeys),
    verdicts: readSomeOf(query, PARAMETERS.verdict),
    delinquent: delinquent === undefined ? null : delinquent === "true",
    commissionMin: readPercent(query, PARAMETERS.commissionMin),
    commissionMax: readPercent(query, PARAMETERS.commissionMax),
    order: readOneOf(query, PARAMETERS.order) ?? "stake",
    dir: readOneOf(query, PARAMETERS.dir) ?? null,
  };
}

/**
 * Returns the wanted validators in the wanted order.
 * @param validators by rank
 */
export function selectValidators(
  validators: readonly Validator[],
  wanted: ValidatorsWanted,
): Validator[] {
  const votePubkeys = wanted.votePubkeys && new Set(wanted.votePubkeys);
  const { verdicts, delinquent, commissionMin, commissionMax } = wanted;
  const selected = validators.filter(
    ({ votePubkey, verdict, commission, ...validator }) =>
      (votePubkeys === null || votePubkeys.has(votePubkey)) &&
      (verdicts === null || verdicts.includes(verdict)) &&
      (delinquent === null || delinquent === validator.delinquent) &&
      (commissionMin === null || (commission !== null && commission >= commissionMin)) &&
      (commissionMax === null || (commission !== null && commission <= commissionMax)),
  );
  return sortValidators(selected, wanted);
}

function sortValidators(selected: Validator[], { order, dir }: ValidatorsWanted): Validator[] {
  if (order === "stake") return dir === "asc" ? selected.reverse() : selected;
  const sign = dir === "desc" ? -1 : 1;
  const known = selected.filter((validator) => validator[order] !== null);
  const unknown = selected.filter((validator) => validator[order] === null);
  // The sort is stable: ties stay by rank.
  return [...known.sort((one, other) => sign * COMPARE[order](one, other)), ...unknown];
}

const COMPARE = {
  commission: (one: Validator, other: Validator) => (one.commission ?? 0) - (other.commission ?? 0),
  appliedCommission: (one: Validator, other: Validator) =>
    (one.appliedCommission ?? 0) - (other.appliedCommission ?? 0),
  name: (one: Validator, other: Validator) =>
    compareText((one.name ?? "").toLowerCase(), (other.name ?? "").toLowerCase()),
};
