import { readFile } from "node:fs/promises";
import ipaddr from "ipaddr.js";
import { Reader, type Response } from "mmdb-lib";
import { z } from "zod";
import type { SnapshotEntry } from "../ledger/entry.ts";
import { toRawText } from "./raw-text.ts";

export type LocationRow = Extract<SnapshotEntry["locations"], { state: "ok" }>["value"][number];
export type Place = Omit<LocationRow, "identity">;

export interface Locations {
  /**
   * Where an address is; null: not known, or not an address of the public internet.
   * @throws {LocationError} when a database is damaged
   */
  find(ip: string): Place | null;
}

/** A database that cannot be read; the message names the file. */
export class LocationError extends Error {
  override readonly name = "LocationError";

  constructor(file: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The location database ${file} cannot be read: ${reason}`, { cause });
  }
}

const text = z.string().transform(toRawText).nullable().catch(null);
const name = z
  .object({ names: z.object({ en: text }) })
  .transform(({ names }) => names.en)
  .nullable()
  .catch(null);

const citySchema = z.object({
  city: name,
  country: z
    .object({ iso_code: text, names: z.object({ en: text }).catch({ en: null }) })
    .nullable()
    .catch(null),
});
const asnSchema = z.object({
  autonomous_system_number: z.int().min(0).nullable().catch(null),
  autonomous_system_organization: text,
});

/**
 * Reads databases in MaxMind's format into memory: one of cities, one of autonomous systems; null: not used.
 * @throws {LocationError} when a file cannot be read or is none
 */
export async function openLocations(files: { cityFile: string | null; asnFile: string | null }): Promise<Locations> {
  const cities = files.cityFile === null ? null : await openDatabase(files.cityFile, citySchema);
  const systems = files.asnFile === null ? null : await openDatabase(files.asnFile, asnSchema);

  return {
    find(ip) {
      if (!isPublic(ip)) return null;
      const city = cities?.(ip) ?? null;
      const system = systems?.(ip) ?? null;
      const place: Place = {
        country: city?.country?.names.en ?? null,
        countryCode: city?.country?.iso_code ?? null,
        city: city?.city ?? null,
        asn: system?.autonomous_system_number ?? null,
        asnOrganization: system?.autonomous_system_organization ?? null,
      };
      return Object.values(place).some((value) => value !== null) ? place : null;
    },
  };
}

/** Places of the nodes whose address is known; a node that cannot be placed has no row. @throws {LocationError} */
export function locateNodes(locations: Locations, nodes: { identity: string; ip: string | null }[]): LocationRow[] {
  return nodes.flatMap(({ identity, ip }) => {
    const place = ip === null ? null : locations.find(ip);
    return place === null ? [] : [{ identity, ...place }];
  });
}

async function openDatabase<T>(file: string, schema: z.ZodType<T>): Promise<(ip: string) => T | null> {
  const reader = await openReader(file);
  return (ip) => {
    try {
      const parsed = schema.safeParse(reader.get(ip));
      return parsed.success ? parsed.data : null;
    } catch (cause) {
      throw new LocationError(file, cause);
    }
  };
}

async function openReader(file: string): Promise<Reader<Response>> {
  try {
    return new Reader<Response>(await readFile(file));
  } catch (cause) {
    throw new LocationError(file, cause);
  }
}

/** Private, reserved and documentation addresses are nowhere, whatever a database says of them. */
function isPublic(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === "unicast";
}
