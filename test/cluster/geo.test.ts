import { readFile } from "node:fs/promises";
import ipaddr from "ipaddr.js";
import { Reader, type AsnResponse, type CityResponse } from "mmdb-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeGeoDatabases } from "./chain/geo-databases.ts";
import { SITES, toIpv4, toIpv6, UNKNOWN_SITE } from "./chain/nodes.ts";
import { makeDirectory } from "../store/directory.ts";
import { makeCluster, timeAt } from "./_cluster.ts";

let city: Reader<CityResponse>;
let asn: Reader<AsnResponse>;
let place: Awaited<ReturnType<typeof makeDirectory>>;

beforeAll(async () => {
  place = await makeDirectory();
  const paths = await writeGeoDatabases(`${place.directory}/new`);
  city = new Reader<CityResponse>(await readFile(paths.city));
  asn = new Reader<AsnResponse>(await readFile(paths.asn));
});
afterAll(() => place.remove());

describe("the geo databases", () => {
  it("locate the first and the last address of every site, in both families", () => {
    for (const [index, { country, city: town, ...site }] of SITES.entries())
      for (const ip of [
        toIpv4(index, 0),
        toIpv4(index, 65_535),
        toIpv6(index, 0),
        toIpv6(index, 65_534),
      ]) {
        const found = city.get(ip);
        const names = [found?.country?.iso_code, found?.country?.names.en, found?.city?.names.en];
        expect(names).toEqual([country?.code, country?.name, town ?? undefined]);
        const { asn: number, organization } = site;
        const system = {
          autonomous_system_number: number,
          autonomous_system_organization: organization,
        };
        expect(asn.get(ip)).toMatchObject(system);
      }
  });

  it.each([toIpv4(UNKNOWN_SITE, 5), "10.0.0.1", "8.8.8.8", "2001:db8::1"])(
    "know nothing of %s",
    (ip) => {
      expect([city.get(ip), asn.get(ip)]).toEqual([null, null]);
    },
  );

  it("locate most nodes of the story, which stand at public addresses", () => {
    const { nodes } = makeCluster({ validators: 200, stakeAccounts: 1200 }).at(timeAt(0.5));
    const located = nodes.filter(({ ip }) => city.get(ip)?.city !== undefined);
    expect(located.length / nodes.length).toBeGreaterThan(0.7);
    expect(located.length).toBeLessThan(nodes.length);
    for (const { ip } of located) expect(ipaddr.parse(ip).range()).toBe("unicast");
  });
});
