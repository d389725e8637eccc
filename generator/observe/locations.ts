import ipaddr from "ipaddr.js";
import { z } from "zod";
import type { SnapshotEntry } from "../entries/entry.ts";
import { openDatabase } from "./mmdb.ts";
import { toRawText } from "./section.ts";

/** A node's location, as a snapshot keeps it. */
export type LocationRow = Extract<SnapshotEntry["locations"], { state: "ok" }>["value"][number];

/** What the databases say about an address. */
export type Place = Omit<LocationRow, "identity">;

/** Opened location databases. */
export interface Locations {
  /**
   * null: unknown, or not a public address.
   * @throws {LocationError} when a database is damaged
   */
  find(ip: string): Place | null;
}

const text = z.string().min(1).transform(toRawText).nullable().catch(null);
const names = z.object({ en: text }).catch({ en: null });
const NO_COUNTRY = { iso_code: null, names: { en: null } };

/** MaxMind's databases nest (`country.iso_code`), others are flat (`country_code`). */
const placeSchema = z
  .object({
    city: z.union([z.object({ names }).transform((city) => city.names.en), text]).catch(null),
    country: z.object({ iso_code: text, names }).catch(NO_COUNTRY),
    country_code: text,
  })
  .transform(({ city, country, country_code }) => {
    const countryCode = country.iso_code ?? country_code;
    return { city, countryCode, country: country.names.en ?? nameCountry(countryCode) };
  });

const systemSchema = z
  .object({
    autonomous_system_number: z.int().min(1).max(4_294_967_295).nullable().catch(null),
    autonomous_system_organization: text,
  })
  .transform((system) => ({
    asn: system.autonomous_system_number,
    asnOrganization: system.autonomous_system_organization,
  }));

type City = z.infer<typeof placeSchema>;
type System = z.infer<typeof systemSchema>;

/**
 * Several files, separated by commas.
 * @throws {LocationError} when a file cannot be read, is damaged, or holds other data
 */
export async function openLocations(files: {
  cityFile: string | null;
  asnFile: string | null;
}): Promise<Locations> {
  const findPlace = await openDatabases<City>(files.cityFile, {
    variable: "GEO_CITY_MMDB",
    holds: "places",
    schema: placeSchema,
    isKnown: ({ city, country, countryCode }) => (city ?? country ?? countryCode) !== null,
  });
  const findSystem = await openDatabases<System>(files.asnFile, {
    variable: "GEO_ASN_MMDB",
    holds: "autonomous systems",
    schema: systemSchema,
    isKnown: ({ asn }) => asn !== null,
  });

  return {
    find(ip) {
      const address = toPublicAddress(ip);
      if (address === null) return null;
      const place = findPlace(address);
      const system = findSystem(address);
      if (place === null && system === null) return null;
      return {
        country: place?.country ?? null,
        countryCode: place?.countryCode ?? null,
        city: place?.city ?? null,
        asn: system?.asn ?? null,
        asnOrganization: system?.asnOrganization ?? null,
      };
    },
  };
}

/** @throws {LocationError} */
export function locateNodes(
  locations: Locations,
  nodes: { identity: string; ip: string | null }[],
): LocationRow[] {
  return nodes.flatMap(({ identity, ip }) => {
    const place = ip === null ? null : locations.find(ip);
    return place === null ? [] : [{ identity, ...place }];
  });
}

interface Kind<T> {
  variable: string;
  holds: string;
  schema: z.ZodType<T>;
  isKnown: (record: T) => boolean;
}

async function openDatabases<T>(
  files: string | null,
  { variable, holds, schema, isKnown }: Kind<T>,
): Promise<(ip: string) => T | null> {
  const parse = (record: unknown): T | null => {
    const parsed = schema.safeParse(record);
    return parsed.success && isKnown(parsed.data) ? parsed.data : null;
  };
  const isUseful = (record: unknown) => parse(record) !== null;
  const databases = await Promise.all(
    (files?.split(",") ?? []).map((file) =>
      openDatabase({ variable, file: file.trim(), holds, isUseful }),
    ),
  );
  return (ip) => {
    for (const database of databases) {
      const record = parse(database.find(ip));
      if (record !== null) return record;
    }
    return null;
  };
}

/** For databases with country codes only. */
function nameCountry(code: string | null): string | null {
  if (code === null || code === UNKNOWN_COUNTRY || !/^[A-Z]{2}$/.test(code)) return null;
  return COUNTRY_NAMES.of(code) ?? null;
}

const UNKNOWN_COUNTRY = "ZZ";
const COUNTRY_NAMES = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

/** null: private, reserved and documentation addresses. */
function toPublicAddress(ip: string): string | null {
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  return address.range() === "unicast" ? address.toString() : null;
}
