import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { checkDatabases } from "../../../generator/service/doctor/databases.ts";
import { writeGeoDatabases } from "../../../infra/demo/cluster/chain/geo-databases.ts";
import { makeDirectory } from "../../store/directory.ts";
import { clockAt, makeContext, told } from "./node.ts";

const DAY = 86_400_000;
/** The day after the demo's databases were built. */
const NOW = 1_780_000_000_000 + DAY;

let directory: string;
let remove: () => Promise<void>;
let files: { city: string; asn: string };
beforeAll(async () => {
  ({ directory, remove } = await makeDirectory());
  files = await writeGeoDatabases(directory);
  await writeFile(join(directory, "broken.mmdb"), "no database");
  return () => remove();
});

const examine = async (cityFile: string | null, asnFile: string | null, now = NOW) =>
  (await checkDatabases(makeContext({ clock: clockAt(() => now) }, { geo: { cityFile, asnFile } }))).map(told);

it("databases are told with type and age, and are a warning after 60 days", async () => {
  expect(await examine(files.city, files.asn)).toEqual([
    "ok GEO_CITY_MMDB: simulated-city.mmdb, GeoLite2-City built 24 h ago",
    "ok GEO_ASN_MMDB: simulated-asn.mmdb, GeoLite2-ASN built 24 h ago",
  ]);
  expect((await examine(files.city, null, NOW + 59 * DAY))[0]).toMatch(/^ok /);
  expect((await examine(files.city, null, NOW + 60 * DAY))[0]).toMatch(/^warning .* → .*fetch this month's/);
});

it("each file that is broken, missing or of the other kind is a problem: every command fails with it", async () => {
  expect(await examine(`${files.city}, ${directory}/broken.mmdb`, join(directory, "nowhere.mmdb"))).toEqual([
    expect.stringMatching(/^ok GEO_CITY_MMDB: /),
    expect.stringMatching(/^problem GEO_CITY_MMDB: .*broken\.mmdb.* → .*unset GEO_CITY_MMDB/),
    expect.stringMatching(/^problem GEO_ASN_MMDB: .*nowhere\.mmdb.*ENOENT/),
  ]);
  expect((await examine(files.asn, null))[0]).toMatch(/^problem GEO_CITY_MMDB: .*holds no places/);
});

it("databases are a warning when unset, with the way to get one", async () => {
  expect(await examine(null, null)).toEqual([
    expect.stringMatching(/^warning GEO_CITY_MMDB: not set.* → .*generator\/README\.md/),
    expect.stringMatching(/^warning GEO_ASN_MMDB: not set/),
  ]);
});
