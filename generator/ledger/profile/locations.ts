import { toName } from "../../contract/strangers-text.ts";
import type { AgreedSnapshot } from "../../agree/agree.ts";
import type { Location, ValidatorRecord } from "../records.ts";
import { dataCenterOf } from "./data-centers.ts";
import { memoize, memoizeObject } from "../memoize.ts";
import { assignListed, type Step } from "../step.ts";

type LocationRow = Extract<AgreedSnapshot["locations"], { state: "ok" }>["value"][number];

const MOVES_KEPT = 50;

const nameOf = memoize(toName);
const locationsByIdentity = memoizeObject(cleanRows);

/** ZZ is the code for unknown. */
const COUNTRY_CODE = /^(?!ZZ)[A-Z]{2}$/;

const PLACE_PARTS = [
  "country",
  "countryCode",
  "city",
  "dataCenter",
] as const satisfies (keyof Location)[];
const ALL_PARTS = [...PLACE_PARTS, "asn", "asnOrganization"] as const satisfies (keyof Location)[];

/** Updates locations. A failed look-up or absence from gossip changes nothing. */
export function foldLocations(step: Step, rows: readonly LocationRow[]): void {
  const byIdentity = locationsByIdentity(rows);
  for (const [validatorIndex, validator] of step.ledger.validators.entries()) {
    const row = validator.identity === null ? undefined : byIdentity.get(validator.identity);
    if (row === undefined) continue;
    const from = validator.location;
    const to = merge(from, row);
    if (to === null || isSameLocation(from, to, ALL_PARTS)) continue;
    setLocation(step, validatorIndex, validator, to);
    if (from === null || !isMove(from, to)) continue;
    validator.moves = [...validator.moves, { at: step.moment.time, from, to }].slice(-MOVES_KEPT);
  }
}

/**
 * Lists show only the place, so another network of the same provider leaves `updatedAt` as it is.
 */
function setLocation(
  step: Step,
  validatorIndex: number,
  validator: ValidatorRecord,
  to: Location,
): void {
  if (isSameLocation(validator.location, to, PLACE_PARTS)) validator.location = to;
  else assignListed(step, validatorIndex, { location: to });
  step.touched.profiles.add(validatorIndex);
}

function isSameLocation(
  from: Location | null,
  to: Location,
  parts: readonly (keyof Location)[],
): boolean {
  return from !== null && parts.every((part) => from[part] === to[part]);
}

function cleanRows(rows: readonly LocationRow[]): Map<string, Location> {
  return new Map(rows.map((row) => [row.identity, clean(row)]));
}

function clean({ country, countryCode, city, asn, asnOrganization }: LocationRow): Location {
  const network = { asn, asnOrganization: nameOf(asnOrganization) };
  return {
    country: nameOf(country),
    countryCode: countryCode !== null && COUNTRY_CODE.test(countryCode) ? countryCode : null,
    city: nameOf(city),
    ...network,
    dataCenter: dataCenterOf(network),
  };
}

/** City and network are separate look-ups: a failed one keeps its last value. */
function merge(known: Location | null, row: Location): Location | null {
  const hasPlace = row.countryCode !== null || row.country !== null || row.city !== null;
  const hasNetwork = row.asn !== null;
  if (!hasPlace && !hasNetwork) return known;
  const place = hasPlace ? row : known;
  const network = hasNetwork ? row : known;
  return {
    country: place?.country ?? null,
    countryCode: place?.countryCode ?? null,
    city: place?.city ?? null,
    asn: network?.asn ?? null,
    asnOrganization: network?.asnOrganization ?? null,
    dataCenter: network?.dataCenter ?? null,
  };
}

function isMove(from: Location, to: Location): boolean {
  const differs = (part: "dataCenter" | "city" | "countryCode") =>
    from[part] !== null && to[part] !== null && from[part] !== to[part];
  return differs("dataCenter") || differs("city") || differs("countryCode");
}
