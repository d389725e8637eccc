import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Reader, type Response } from "mmdb-lib";
import { messageOf } from "../../contract/error-message.ts";
import { openLocations } from "../../observe/locations.ts";
import type { Settings } from "../../settings/settings.ts";
import { toFinding, toSpan, type Finding } from "./findings.ts";

/** The free databases come out each month. */
const OLD_MILLISECONDS = 60 * 24 * 3_600_000;

const KINDS = [
  ["GEO_CITY_MMDB", "cityFile", "countries and cities"],
  ["GEO_ASN_MMDB", "asnFile", "data centers and autonomous systems"],
] as const;

/**
 * Opens each location database as a snapshot would.
 * @param now milliseconds since 1970
 */
export async function examineDatabases(geo: Settings["geo"], now: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [variable, setting, what] of KINDS) {
    const advice = "A free database will do: generator/README.md, under Locations, tells which.";
    const files = geo[setting]?.split(",") ?? [];
    if (files.length === 0) findings.push(toFinding("warning", variable, `not set: ${what} stay unknown`, advice));
    // In turn: each takes 70 MB of memory.
    for (const file of files) {
      try {
        await openLocations({ cityFile: null, asnFile: null, [setting]: file.trim() });
        findings.push(judgeAge(variable, file, new Reader<Response>(await readFile(file.trim())), now));
      } catch (error) {
        const mend = `Every command fails with it: fix the file, or unset ${variable}. ${advice}`;
        findings.push(toFinding("problem", variable, messageOf(error), mend));
      }
    }
  }
  return findings;
}

function judgeAge(variable: string, file: string, { metadata }: Reader<Response>, now: number): Finding {
  const age = now - metadata.buildEpoch.getTime();
  const found = `${basename(file)}, ${metadata.databaseType} built ${toSpan(age)} ago`;
  return toFinding(age > OLD_MILLISECONDS ? "warning" : "ok", variable, found, "Addresses move: fetch this month's.");
}
