import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ipaddr from "ipaddr.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { locateNodes, openLocations } from "../../generator/observe/locations.ts";
import { writeMmdb, type MmdbValue } from "../cluster/chain/geo-databases.ts";
import { makeDirectory } from "../store/directory.ts";
import { key } from "./fixtures.ts";

let made: Awaited<ReturnType<typeof makeDirectory>>;
beforeAll(async () => void (made = await makeDirectory()));
afterAll(() => made.remove());

type Networks = Record<string, MmdbValue>;

const NESTED: Networks = {
  "::5102:4500/120": {
    city: { names: { en: "London" } },
    country: { iso_code: "GB", names: { en: "United Kingdom" } },
  },
  "2a01:4f8::/32": { country: { iso_code: "DE", names: { en: "Germany" } } },
};
const FLAT: Networks = {
  "::5102:4500/120": {
    city: "London",
    country_code: "GB",
    state1: "England",
    postcode: "",
    latitude: 51,
  },
  "2a01:4f8::/32": { city: "", country_code: "DE" },
};
const SYSTEMS: Networks = {
  "::5102:4500/120": {
    autonomous_system_number: 64_500,
    autonomous_system_organization: "Example Backbone",
  },
};

function toDatabase(networks: Networks): Buffer {
  const rows = Object.entries(networks).map(([network, value]) => {
    const [address, bits] = ipaddr.parseCIDR(network);
    return { address: Uint8Array.from(address.toByteArray()), bits, value };
  });
  return writeMmdb({
    databaseType: "Test",
    description: "test",
    buildEpochSeconds: 1,
    networks: rows,
  });
}

/** As IPv4: only the first 32 bits of a network count. */
function toIpv4Database(networks: Networks): Buffer {
  const bytes = toDatabase(networks);
  bytes[bytes.indexOf("ip_version") + "ip_version".length + 1] = 4;
  return bytes;
}

async function save(name: string, bytes: Uint8Array): Promise<string> {
  const file = join(made.directory, name);
  await writeFile(file, bytes);
  return file;
}

const openCities = async (name: string, bytes: Uint8Array) =>
  openLocations({ cityFile: await save(name, bytes), asnFile: null });
const open = async ({ city, asn }: { city?: Networks; asn?: Networks }) =>
  openLocations({
    cityFile: city ? await save("city.mmdb", toDatabase(city)) : null,
    asnFile: asn ? await save("asn.mmdb", toDatabase(asn)) : null,
  });

const nowhere = { city: null, country: null, countryCode: null, asn: null, asnOrganization: null };
const london = { ...nowhere, city: "London", country: "United Kingdom", countryCode: "GB" };

describe("a location database", () => {
  it("that is not configured finds nothing", async () => {
    const locations = await openLocations({ cityFile: null, asnFile: null });
    expect(locations.find("81.2.69.142")).toBeNull();
  });

  it.each([
    ["nested, as MaxMind does", NESTED],
    ["flat, as others do", FLAT],
  ])("with places %s, is read in both families", async (_, city) => {
    const locations = await open({ city, asn: SYSTEMS });
    const inLondon = { ...london, asn: 64_500, asnOrganization: "Example Backbone" };
    expect(locations.find("81.2.69.142")).toEqual(inLondon);
    expect(locations.find("::ffff:81.2.69.142")).toEqual(inLondon);
    expect(locations.find("2a01:4f8::1")).toEqual({
      ...nowhere,
      country: "Germany",
      countryCode: "DE",
    });
    expect(locations.find("8.8.8.8")).toBeNull();
  });

  it("may be two files, one for each family", async () => {
    const ipv4 = await save(
      "ipv4.mmdb",
      toIpv4Database({ "5102:4500::/24": { city: "London", country_code: "GB" } }),
    );
    const ipv6 = await save(
      "ipv6.mmdb",
      toDatabase({ "2a01:4f8::/32": { city: "Nuremberg", country_code: "DE" } }),
    );
    const locations = await openLocations({ cityFile: `${ipv4}, ${ipv6}`, asnFile: null });
    expect(locations.find("81.2.69.142")).toEqual(london);
    expect(locations.find("2a01:4f8::1")).toMatchObject({ city: "Nuremberg", country: "Germany" });
  });

  it("of IPv4 alone says nothing of IPv6, whose first bits may look like one of its networks", async () => {
    const locations = await openCities(
      "ipv4.mmdb",
      toIpv4Database({ "2a01:4f8::/32": { city: "Paris", country_code: "FR" } }),
    );
    expect(locations.find("42.1.4.248")).toMatchObject({ city: "Paris" });
    expect(locations.find("2a01:4f8::1")).toBeNull();
  });

  const FR = { countryCode: "FR", country: "France" };
  it.each<[string, MmdbValue, object | null]>([
    ["a number as a city", { city: 5, country_code: "FR" }, { ...FR, city: null }],
    [
      "names that are text",
      { city: { names: "Paris" }, country: "France", country_code: "FR" },
      { ...FR, city: null },
    ],
    [
      "a code that is none",
      { city: "Paris", country_code: "q" },
      { countryCode: "q", country: null, city: "Paris" },
    ],
    [
      "a code that nobody has",
      { city: "Paris", country_code: "QQ" },
      { countryCode: "QQ", country: null },
    ],
    [
      "the code of nowhere",
      { city: "Paris", country_code: "ZZ" },
      { countryCode: "ZZ", country: null },
    ],
    ["a long name", { city: "x".repeat(600), country_code: "FR" }, { city: "x".repeat(512) }],
    ["nothing", { city: "", country_code: "" }, null],
    ["a text", "a text", null],
    ["a list", ["a list"], null],
  ])("that holds %s of an address gives what can be read of it", async (_, record, place) => {
    const locations = await open({ city: { ...FLAT, "2600::/16": record } });
    const found = locations.find("2600::1");
    if (place === null) expect(found).toBeNull();
    else expect(found).toMatchObject(place);
  });

  it.each([
    ...[
      "10.1.2.3",
      "172.16.0.1",
      "192.168.1.1",
      "100.64.0.1",
      "127.0.0.1",
      "169.254.1.1",
      "0.0.0.0",
      "0.1.2.3",
    ],
    ...[
      "192.0.2.1",
      "198.51.100.1",
      "203.0.113.7",
      "198.18.0.1",
      "224.0.0.1",
      "240.0.0.1",
      "255.255.255.255",
    ],
    ...[
      "::",
      "::1",
      "fe80::1",
      "fc00::1",
      "ff02::1",
      "2001:db8::1",
      "100::1",
      "2002:5102:458e::1",
      "64:ff9b::5102:458e",
    ],
    ...["::ffff:10.1.2.3", "no address", ""],
  ])("places no node at %j, whatever it holds of it", async (ip) => {
    const everywhere = { city: "London", country_code: "GB" };
    const locations = await open({ city: { "::/1": everywhere, "8000::/1": everywhere } });
    expect(locations.find("9.255.255.1")).toEqual(london);
    expect(locations.find(ip)).toBeNull();
  });
});

describe("a location database that cannot be used", () => {
  it.each([
    ["is missing", "/nowhere/city.mmdb", /cannot be read: ENOENT/],
    ["is no database", fileURLToPath(import.meta.url), /is damaged, or not in MaxMind's format/],
  ])("fails at once when it %s, with setting and file", async (_, file, reason) => {
    for (const [setting, asked] of [
      ["GEO_CITY_MMDB", { cityFile: file, asnFile: null }],
      ["GEO_ASN_MMDB", { cityFile: null, asnFile: file }],
    ] as const) {
      await expect(openLocations(asked)).rejects.toThrow(
        `${setting}: the location database ${file}`,
      );
      await expect(openLocations(asked)).rejects.toThrow(reason);
    }
  });

  const whole = toDatabase(NESTED);
  it.each([0, 1, 100, Math.floor(whole.length / 2), whole.length - 10, whole.length - 1])(
    "fails at once when only %i bytes of it are there",
    async (bytes) => {
      const opening = openCities("cut.mmdb", whole.subarray(0, bytes));
      await expect(opening).rejects.toMatchObject({ name: "LocationError" });
    },
  );

  it("fails at once when a part of its middle is missing", async () => {
    const opening = openCities(
      "hole.mmdb",
      Buffer.concat([whole.subarray(0, 200), whole.subarray(300)]),
    );
    await expect(opening).rejects.toThrow("no records follow its search tree");
  });

  it.each([
    [
      "systems for places",
      { city: SYSTEMS },
      'GEO_CITY_MMDB.*city.mmdb holds no places: its type is "Test"',
    ],
    [
      "places for autonomous systems",
      { asn: NESTED },
      "GEO_ASN_MMDB.*asn.mmdb holds no autonomous systems",
    ],
    ["nothing", { city: {} }, "GEO_CITY_MMDB.*holds no places"],
  ])("fails at once when it holds %s", async (_, files, message) => {
    await expect(open(files)).rejects.toThrow(new RegExp(message));
  });

  it("beyond its first records fails at the address, and does not name where it lies", async () => {
    const many = Array.from({ length: 300 }, (_, index) => [
      `${(0x2600 + index).toString(16)}::/16`,
      { city: `city ${index}`, country_code: "FR" },
    ]);
    const bytes = toDatabase(Object.fromEntries(many) as Networks);
    bytes.fill(0, bytes.indexOf("city 299") - 1, bytes.indexOf("city 299") + 1);
    const locations = await openCities("worn.mmdb", bytes);
    expect(locations.find("2600::1")).toMatchObject({ city: "city 0" });
    const look = () => locations.find("272b::1");
    expect(look).toThrow("GEO_CITY_MMDB: worn.mmdb is damaged at 272b::1");
    expect(look).not.toThrow(made.directory);
  });
});

it("only nodes that can be placed have a row", () => {
  const place = { ...london, asn: 1, asnOrganization: "x" };
  const locations = { find: (ip: string) => (ip === "81.2.69.142" ? place : null) };
  const nodes = [
    { identity: key(1), ip: "81.2.69.142" },
    { identity: key(2), ip: "10.0.0.1" },
    { identity: key(3), ip: null },
  ];
  expect(locateNodes(locations, nodes)).toEqual([{ identity: key(1), ...place }]);
});
