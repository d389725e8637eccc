import { toName } from "../contract/strangers-text.ts";
import type { SnapshotEntry } from "../entries/entry.ts";
import type { ValidatorRecord } from "./records.ts";
import { remember } from "./remember.ts";
import { assignListed, type Step } from "./step.ts";

type LocationRow = Extract<SnapshotEntry["locations"], { state: "ok" }>["value"][number];

const MOVES_KEPT = 50;

const nameOf = remember(toName);

/** ISO 3166-1 alpha-2, without the code for an unknown country. */
const COUNTRY_CODE = /^(?!ZZ)[A-Z]{2}$/;

const PLACE_PARTS = ["country", "countryCode", "city", "dataCenter"] as const satisfies (keyof Location)[];
const ALL_PARTS = [...PLACE_PARTS, "asn", "asnOrganization"] as const satisfies (keyof Location)[];

/** Providers that announce more than one autonomous system, or are known by another name than the one registered. */
const PROVIDERS = new Map<number, string>([
  [24940, "Hetzner"],
  [213230, "Hetzner"],
  [212317, "Hetzner"],
  [16276, "OVH"],
  [35540, "OVH"],
  [16509, "Amazon Web Services"],
  [14618, "Amazon Web Services"],
  [15169, "Google Cloud"],
  [396982, "Google Cloud"],
  [8075, "Microsoft Azure"],
  [20326, "TeraSwitch"],
  [397391, "TeraSwitch"],
  [396356, "Latitude.sh"],
  [262287, "Latitude.sh"],
  [60781, "LeaseWeb"],
  [28753, "LeaseWeb"],
  [30633, "LeaseWeb"],
  [54825, "Equinix Metal"],
  [14061, "DigitalOcean"],
  [20473, "Vultr"],
  [63949, "Akamai (Linode)"],
  [31898, "Oracle Cloud"],
  [45102, "Alibaba Cloud"],
  [51167, "Contabo"],
  [12876, "Scaleway"],
  [59642, "Cherry Servers"],
  [18450, "WebNX"],
  [19318, "Interserver"],
  [36352, "HostPapa"],
  [8100, "QuadraNet"],
]);

/** Where the nodes of the identities are. A failed look-up and absence from gossip change nothing; the first place is no move. */
export function foldLocations(step: Step, rows: readonly LocationRow[]): void {
  const byIdentity = new Map(rows.map((row) => [row.identity, row]));
  for (const [ordinal, validator] of step.ledger.validators.entries()) {
    const row = validator.identity === null ? undefined : byIdentity.get(validator.identity);
    if (row === undefined) continue;
    const from = validator.location;
    const to = merge(from, clean(row));
    if (to === null || isSame(from, to, ALL_PARTS)) continue;
    setLocation(step, ordinal, validator, to);
    if (from === null || !isMove(from, to)) continue;
    validator.moves = [...validator.moves, { at: step.moment.time, from, to }].slice(-MOVES_KEPT);
  }
}

/** The list of validators shows the place alone: another network of the same provider does not move `updatedAt`. */
function setLocation(step: Step, ordinal: number, validator: ValidatorRecord, to: Location): void {
  if (isSame(validator.location, to, PLACE_PARTS)) validator.location = to;
  else assignListed(step, ordinal, { location: to });
  step.touched.locations.add(ordinal);
}

function isSame(from: Location | null, to: Location, parts: readonly (keyof Location)[]): boolean {
  return from !== null && parts.every((part) => from[part] === to[part]);
}

/** Databases are files from elsewhere: their words are cleaned like any stranger's. */
function clean({ country, countryCode, city, asn, asnOrganization }: LocationRow): Omit<LocationRow, "identity"> {
  return {
    country: nameOf(country),
    countryCode: countryCode !== null && COUNTRY_CODE.test(countryCode) ? countryCode : null,
    city: nameOf(city),
    asn,
    asnOrganization: nameOf(asnOrganization),
  };
}

/** The city and the network are looked up apart: what one look-up did not find keeps its last value. */
function merge(held: Location | null, row: Omit<LocationRow, "identity">): Location | null {
  const hasPlace = row.countryCode !== null || row.country !== null || row.city !== null;
  const hasNetwork = row.asn !== null;
  if (!hasPlace && !hasNetwork) return held;
  const place = hasPlace ? row : held;
  const network = hasNetwork ? row : held;
  return {
    country: place?.country ?? null,
    countryCode: place?.countryCode ?? null,
    city: place?.city ?? null,
    asn: network?.asn ?? null,
    asnOrganization: network?.asnOrganization ?? null,
    dataCenter: network === null ? null : dataCenterOf(network),
  };
}

/** The provider of an autonomous system: from the table, else the organisation it is registered to. */
export function dataCenterOf(network: { asn: number | null; asnOrganization: string | null }): string | null {
  return (network.asn === null ? undefined : PROVIDERS.get(network.asn)) ?? network.asnOrganization;
}

/** A part that was not known before is found, not moved. */
function isMove(from: Location, to: Location): boolean {
  const differs = (part: "dataCenter" | "city" | "countryCode") =>
    from[part] !== null && to[part] !== null && from[part] !== to[part];
  return differs("dataCenter") || differs("city") || differs("countryCode");
}

export interface Location {
  country: string | null;
  countryCode: string | null;
  city: string | null;
  asn: number | null;
  asnOrganization: string | null;
  /** The provider, see locations.ts. */
  dataCenter: string | null;
}

export interface LocationMove {
  at: string;
  from: Location;
  to: Location;
}
