import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClientKeys, parseTrustedProxies } from "../../../proxy/limits/client-address.ts";

function toClientKey(
  trust: string,
  peer: string | undefined,
  headers: Record<string, string> = {},
): string {
  return createClientKeys(parseTrustedProxies(trust)!)(peer, new Headers(headers));
}

const FORGED = "192.0.2.66";
const CLIENT = "203.0.113.7";
const EDGE = "198.51.100.1";
const LOCAL = "10.0.0.1";

describe("the client a request is counted for", () => {
  it.each([
    ["none", CLIENT, undefined, CLIENT],
    ["none", CLIENT, FORGED, CLIENT],
    ["1", EDGE, CLIENT, CLIENT],
    ["1", EDGE, `${FORGED}, ${CLIENT}`, CLIENT],
    ["1", EDGE, undefined, EDGE],
    ["1", EDGE, "", EDGE],
    ["2", LOCAL, `${FORGED}, ${CLIENT}, ${EDGE}`, CLIENT],
    ["2", LOCAL, `${FORGED},${CLIENT},${EDGE}`, CLIENT],
    ["3", LOCAL, CLIENT, CLIENT],
    ["1", EDGE, `${CLIENT}:4711`, CLIENT],
    ["1", EDGE, "[2001:db8::7]:4711", "2001:db8:0:0"],
    ["1", EDGE, "[2001:db8::7]", "2001:db8:0:0"],
    ["1", EDGE, "unknown", EDGE],
    ["1", EDGE, "0x7f.1", EDGE],
    ["1", EDGE, "_hidden", EDGE],
    ["1", EDGE, `${CLIENT},`, EDGE],
    ["2", LOCAL, `${CLIENT}, nonsense, ${EDGE}`, EDGE],
    ["10.0.0.0/8", LOCAL, `${FORGED}, ${CLIENT}`, CLIENT],
    ["10.0.0.0/8", CLIENT, FORGED, CLIENT],
    [`10.0.0.0/8,${EDGE}`, LOCAL, `${FORGED}, ${CLIENT}, ${EDGE}, 10.9.9.9`, CLIENT],
    ["10.0.0.0/8", LOCAL, "10.0.0.2, 10.0.0.3", "10.0.0.2"],
    ["10.0.0.0/8", "::ffff:10.0.0.1", CLIENT, CLIENT],
    ["::1, 127.0.0.0/8", "::1", CLIENT, CLIENT],
    ["2001:db8::/32", LOCAL, CLIENT, LOCAL],
    ["none", undefined, FORGED, "unknown"],
    ["1", "not an address", CLIENT, "unknown"],
    // However many entries a stranger wrote before those of the proxies.
    ["1", EDGE, `${`${FORGED}, `.repeat(10_000)}${CLIENT}`, CLIENT],
    ["10.0.0.0/8", LOCAL, `${"10.0.0.3, ".repeat(10_000)}10.0.0.2`, "10.0.0.3"],
  ])("trusting %s, from %s, which says «%s», is %s", (trust, peer, forwardedFor, client) => {
    expect(
      toClientKey(
        trust,
        peer,
        forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor },
      ),
    ).toBe(client);
  });

  it.each([
    [CLIENT, CLIENT],
    ["::ffff:203.0.113.7", CLIENT],
    ["::ffff:cb00:7107", CLIENT],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8:1:2::", "2001:db8:1:2"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["2002:cb00:7107::1", "2002:cb00:7107:0"],
    ["64:ff9b::203.0.113.7", "64:ff9b:0:0"],
    ["::1", "0:0:0:0"],
    ["1.2.3", "unknown"],
    ["1.2.3.4.5", "unknown"],
    ["01.2.3.4", "unknown"],
    ["1.2.3.256", "unknown"],
    ["1:2:3:4:5:6:7:8:9", "unknown"],
    ["", "unknown"],
    ["1".repeat(10_000), "unknown"],
  ])("written %s counts as %s", (address, key) => expect(toClientKey("none", address)).toBe(key));

  it("is the same one the second time it is seen", () => {
    const toKey = createClientKeys(parseTrustedProxies("10.0.0.0/8")!);
    const headers = new Headers({ "x-forwarded-for": CLIENT });
    const keys = [
      toKey(LOCAL, headers),
      toKey(LOCAL, headers),
      toKey(CLIENT, new Headers({ "x-forwarded-for": FORGED })),
    ];
    expect(keys).toEqual([CLIENT, CLIENT, CLIENT]);
  });

  it("cannot be chosen by what a stranger writes before the entry of the proxy", () => {
    const fixed = fc.constantFrom(",", " ", "[::1]:1", "127.0.0.1", "10.0.0.1");
    const junk = fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fixed));
    fc.assert(
      fc.property(junk, fc.constantFrom("1", "10.0.0.0/8"), (forged, trust) => {
        const headers = {
          "x-forwarded-for": [...forged, CLIENT].join(", "),
          "cf-connecting-ip": forged.join(),
        };
        expect(toClientKey(trust, LOCAL, headers)).toBe(CLIENT);
      }),
    );
  });
});

describe("the client behind a CDN", () => {
  const CLOUDFLARE = "cloudflare:10.0.0.0/8,2001:db8:f::/48";
  const CLOUDFRONT = "cloudfront:10.0.0.0/8";

  it.each([
    [CLOUDFLARE, LOCAL, CLIENT, CLIENT],
    [CLOUDFLARE, "2001:db8:f::1", "2001:db8:1:2::9", "2001:db8:1:2"],
    [CLOUDFLARE, EDGE, FORGED, EDGE],
    [CLOUDFLARE, LOCAL, `${FORGED}, ${CLIENT}`, LOCAL],
    [CLOUDFLARE, LOCAL, "", LOCAL],
    [CLOUDFLARE, LOCAL, "nonsense", LOCAL],
    [CLOUDFLARE, undefined, CLIENT, "unknown"],
    [CLOUDFRONT, LOCAL, `${CLIENT}:46532`, CLIENT],
    [CLOUDFRONT, LOCAL, "2001:db8:1:2:3:4:5:6:46532", "2001:db8:1:2"],
    [CLOUDFRONT, LOCAL, "2001:db8:1:2::1:443", "2001:db8:1:2"],
    [CLOUDFRONT, LOCAL, `${FORGED}:1, ${CLIENT}:2`, LOCAL],
    [CLOUDFRONT, EDGE, `${FORGED}:46532`, EDGE],
  ])("trusting %s, from %s, whose header says «%s», is %s", (trust, peer, value, client) => {
    // Whoever writes X-Forwarded-For is not asked, and neither is the other CDN's header.
    const foreign = {
      "x-forwarded-for": FORGED,
      "cf-connecting-ip": FORGED,
      "cloudfront-viewer-address": FORGED,
    };
    const header = trust.startsWith("cloudflare")
      ? "cf-connecting-ip"
      : "cloudfront-viewer-address";
    expect(toClientKey(trust, peer, { ...foreign, [header]: value })).toBe(client);
  });

  it("is the CDN itself where its header is missing", () =>
    expect(toClientKey(CLOUDFLARE, LOCAL)).toBe(LOCAL));

  it.each(["none", "1", "10.0.0.0/8"])(
    "is not looked for in a CDN's header while the setting is %s",
    (trust) => {
      const headers = { "cf-connecting-ip": FORGED, "cloudfront-viewer-address": `${FORGED}:1` };
      expect(toClientKey(trust, LOCAL, headers)).toBe(LOCAL);
    },
  );
});

describe("the setting of trusted proxies", () => {
  it.each([
    ...[
      "",
      "0",
      "11",
      "-1",
      "1.5",
      "yes",
      "true",
      "*",
      "10.0.0.0/33",
      "10.0.0.0/00",
      "10.0.0.0/08",
      "fe80::1%eth0",
    ],
    ...[
      "::/129",
      "10.0.0/8",
      "10.0.0.1,",
      "10.0.0.1/",
      "localhost",
      "cloudflare",
      "cloudflare:",
      "cloudflare:1",
    ],
    ...[
      "cloudflare:none",
      "cloudfront:cloudflare:10.0.0.1",
      "Cloudflare:10.0.0.1",
      "fastly:10.0.0.1",
    ],
    "10.0.0.1,cloudflare:10.0.0.2",
  ])("is none of these: %j", (text) => expect(parseTrustedProxies(text)).toBeNull());

  const ranges = [
    [{}, 8],
    [{}, 128],
  ];
  it.each([
    ["none", { by: "nothing" }],
    ["10", { by: "hops", hops: 10 }],
    ["10.0.0.0/8, ::1", { by: "ranges", ranges }],
    ["cloudfront:10.0.0.0/8, ::1", { by: "header", header: "cloudfront-viewer-address", ranges }],
  ])("takes %s", (text, trusted) => expect(parseTrustedProxies(text)).toMatchObject(trusted));
});
