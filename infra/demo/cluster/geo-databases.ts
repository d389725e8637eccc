import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ipaddr from "ipaddr.js";
import { writeMmdb, type MmdbValue } from "./mmdb-writer.ts";
import { SITES, toIpv4Network, toIpv6Network, type Site } from "./sites.ts";

/** The databases never change: an older date would be as good. Seconds since 1970. */
const BUILT_AT_SECONDS = 1_780_000_000;

/**
 * Writes the two databases that locate the simulated nodes, with the field names of GeoLite2.
 * @param directory is made when it is not there
 * @returns the paths of the files
 */
export async function writeGeoDatabases(directory: string): Promise<{ city: string; asn: string }> {
  await mkdir(directory, { recursive: true });
  const city = join(directory, "simulated-city.mmdb");
  const asn = join(directory, "simulated-asn.mmdb");
  await writeWhole(city, toDatabase("GeoLite2-City", toCityValue));
  await writeWhole(asn, toDatabase("GeoLite2-ASN", toAsnValue));
  return { city, asn };
}

function toDatabase(databaseType: string, toValue: (site: Site) => MmdbValue | null): Buffer {
  const networks = SITES.flatMap((site, index) => {
    const value = toValue(site);
    if (value === null) return [];
    return [toIpv4Network(index), toIpv6Network(index)].map((network) => ({ ...toBits(network), value }));
  });
  return writeMmdb({
    databaseType,
    description: "Places of a simulated cluster",
    buildEpochSeconds: BUILT_AT_SECONDS,
    networks,
  });
}

function toCityValue({ country, city }: Site): MmdbValue | null {
  if (country === null) return null;
  const located = { country: { iso_code: country.code, names: { en: country.name } } };
  return city === null ? located : { ...located, city: { names: { en: city } } };
}

function toAsnValue({ asn, organization }: Site): MmdbValue {
  return { autonomous_system_number: asn, autonomous_system_organization: organization };
}

/** A network as 128 bits: IPv4 lies in the first 32 bits' worth of the tree's lowest part. */
function toBits(network: string): { address: Uint8Array; bits: number } {
  const [address, bits] = ipaddr.parseCIDR(network);
  const bytes = address.toByteArray();
  const padding = 16 - bytes.length;
  return { address: Uint8Array.from([...new Array<number>(padding).fill(0), ...bytes]), bits: bits + padding * 8 };
}

/** Whoever reads the file at the same time sees the old one or the new one, never a part. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const temporary = `${path}.writing`;
  await writeFile(temporary, bytes);
  await rename(temporary, path);
}
