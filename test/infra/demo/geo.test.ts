import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ipaddr from "ipaddr.js";
import { Reader, type AsnResponse, type CityResponse } from "mmdb-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeGeoDatabases, writeMmdb } from "../../../infra/demo/cluster/chain/geo-databases.ts";
import { SITES, toIpv4, toIpv6, UNKNOWN_SITE } from "../../../infra/demo/cluster/chain/nodes.ts";
import { makeCluster, timeAt } from "./story.ts";

let directory: string;
let city: Reader<CityResponse>;
let asn: Reader<AsnResponse>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "rugwatch-geo-"));
  const paths = await writeGeoDatabases(join(directory, "new"));
  city = new Reader<CityResponse>(await readFile(paths.city));
  asn = new Reader<AsnResponse>(await readFile(paths.asn));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

describe("the geo databases", () => {
  it("locate the first and the last address of every site, in both families", () => {
    SITES.forEach((site, index) => {
      for (const ip of [toIpv4(index, 0), toIpv4(index, 65_535), toIpv6(index, 0), toIpv6(index, 65_534)]) {
        const place = city.get(ip);
        expect(place?.country?.iso_code ?? null).toBe(site.country?.code ?? null);
        expect(place?.country?.names.en ?? null).toBe(site.country?.name ?? null);
        expect(place?.city?.names.en ?? null).toBe(site.city);
        expect(asn.get(ip)).toMatchObject({
          autonomous_system_number: site.asn,
          autonomous_system_organization: site.organization,
        });
      }
    });
  });

  it("know nothing of other addresses", () => {
    for (const ip of [toIpv4(UNKNOWN_SITE, 5), "10.0.0.1", "8.8.8.8", "2001:db8::1"]) {
      expect(city.get(ip)).toBeNull();
      expect(asn.get(ip)).toBeNull();
    }
  });

  it("locate most nodes of the story, which stand at public addresses", () => {
    const { nodes } = makeCluster({ validators: 200, stakeAccounts: 1200 }).at(timeAt(0.5));
    const located = nodes.filter(({ ip }) => city.get(ip)?.city !== undefined);
    expect(located.length / nodes.length).toBeGreaterThan(0.7);
    expect(located.length).toBeLessThan(nodes.length);
    for (const { ip } of located) expect(ipaddr.parse(ip).range()).toBe("unicast");
  });
});

describe("the writer", () => {
  it("writes long texts and many entries", () => {
    const value = {
      long: "x".repeat(70),
      longer: "y".repeat(300),
      ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`k${at}`, at])),
    };
    const address = new Uint8Array(16).fill(0x20, 0, 1);
    const file = writeMmdb({
      databaseType: "Test",
      description: "test",
      buildEpochSeconds: 1,
      networks: [{ address, bits: 8, value }],
    });
    expect(new Reader<CityResponse>(file).get("2000::1")).toEqual(value);
  });

  it("refuses networks that overlap", () => {
    const network = (bits: number) => ({ address: new Uint8Array(16), bits, value: "here" });
    const facts = { databaseType: "Test", description: "test", buildEpochSeconds: 1 };
    expect(() => writeMmdb({ ...facts, networks: [network(8), network(16)] })).toThrow(/overlap/);
    expect(() => writeMmdb({ ...facts, networks: [network(16), network(8)] })).toThrow(/overlap/);
  });
});
