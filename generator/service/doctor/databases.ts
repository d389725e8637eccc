import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Reader, type Response } from "mmdb-lib";
import { messageOf } from "../../contract/error-message.ts";
import { openLocations } from "../../observe/locations.ts";
import { toFinding, toSpan, type CheckContext, type Finding } from "./check.ts";

/** The free databases come out each month. */
const OLD_MILLISECONDS = 60 * 24 * 3_600_000;

const KINDS = [
  ["GEO_CITY_MMDB", "cityFile", "countries and cities"],
  ["GEO_ASN_MMDB", "asnFile", "data centers and autonomous systems"],
] as const;

const GET_ONE = "A free database will do: generator/README.md, under Locations, names some.";

/** Opens each location database as a snapshot would. */
export async function checkDatabases({ settings, clock }: CheckContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [variable, setting, what] of KINDS) {
    const files = settings.geo[setting]?.split(",") ?? [];
    if (files.length === 0)
      findings.push(toFinding("warning", variable, `not set: ${what} stay unknown`, GET_ONE));
    // In turn: each takes 70 MB of memory.
    for (const file of files) {
      try {
        await openLocations({ cityFile: null, asnFile: null, [setting]: file.trim() });
        const { metadata } = new Reader<Response>(await readFile(file.trim()));
        const age = clock.now() - metadata.buildEpoch.getTime();
        const found = `${basename(file)}, ${metadata.databaseType} built ${toSpan(age)} ago`;
        const level = age > OLD_MILLISECONDS ? "warning" : "ok";
        findings.push(toFinding(level, variable, found, "Addresses move: fetch this month's."));
      } catch (error) {
        const advice = `Every command fails with it: fix the file, or unset ${variable}. ${GET_ONE}`;
        findings.push(toFinding("problem", variable, messageOf(error), advice));
      }
    }
  }
  return findings;
}
