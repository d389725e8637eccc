import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { locateNodes, openLocations } from "../../generator/observe/locations.ts";
import { HAS_RECORDED, key, RECORDED } from "./fixtures.ts";

const geo = (name: string) => fileURLToPath(new URL(`geo/${name}`, RECORDED));

describe("location databases", () => {
  it.each([
    ["a missing city database", { cityFile: "/nowhere/city.mmdb", asnFile: null }, "/nowhere/city.mmdb"],
    ["a file that is none", { cityFile: null, asnFile: fileURLToPath(import.meta.url) }, "locations.test.ts"],
  ])("fail at once for %s, by name", async (_, files, name) => {
    await expect(openLocations(files)).rejects.toThrow(name);
  });

  it("find nothing where none is configured", async () => {
    const locations = await openLocations({ cityFile: null, asnFile: null });
    expect(locations.find("81.2.69.142")).toBeNull();
  });

  it.skipIf(!HAS_RECORDED).each([
    ["81.2.69.142", { city: "London", country: "United Kingdom", countryCode: "GB", asn: null, asnOrganization: null }],
    [
      "2.125.160.216",
      { city: "Boxford", country: "United Kingdom", countryCode: "GB", asn: null, asnOrganization: null },
    ],
    ["1.128.0.5", { city: null, country: null, countryCode: null, asn: 1221, asnOrganization: "Telstra Pty Ltd" }],
    ["12.81.96.1", { city: null, country: null, countryCode: null, asn: 7018, asnOrganization: null }],
  ])("know %s", async (ip, place) => {
    const locations = await openLocations({
      cityFile: geo("GeoLite2-City-Test.mmdb"),
      asnFile: geo("GeoLite2-ASN-Test.mmdb"),
    });
    expect(locations.find(ip)).toEqual(place);
  });

  it
    .skipIf(!HAS_RECORDED)
    .each(["10.1.2.3", "127.0.0.1", "203.0.113.7", "fe80::1", "0.0.0.0", "9.255.255.1", "no address"])(
    "do not place %s",
    async (ip) => {
      const locations = await openLocations({
        cityFile: geo("GeoLite2-City-Test.mmdb"),
        asnFile: geo("GeoLite2-ASN-Test.mmdb"),
      });
      expect(locations.find(ip)).toBeNull();
    },
  );

  it.skipIf(!HAS_RECORDED)("that are damaged fail by name, at opening or at the first address", async () => {
    const name = "GeoIP2-City-Test-Invalid-Node-Count.mmdb";
    const look = async () => {
      const locations = await openLocations({ cityFile: geo(name), asnFile: null });
      for (let first = 1; first < 224; first++) locations.find(`${first}.2.3.4`);
    };
    await expect(look()).rejects.toMatchObject({
      name: "LocationError",
      message: expect.stringContaining(name) as string,
    });
  });

  it("give rows only for nodes they can place", () => {
    const place = { city: "London", country: "United Kingdom", countryCode: "GB", asn: 1, asnOrganization: "x" };
    const locations = { find: (ip: string) => (ip === "81.2.69.142" ? place : null) };
    const nodes = [
      { identity: key(1), ip: "81.2.69.142" },
      { identity: key(2), ip: "10.0.0.1" },
      { identity: key(3), ip: null },
    ];
    expect(locateNodes(locations, nodes)).toEqual([{ identity: key(1), ...place }]);
  });
});
