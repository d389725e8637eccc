import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClientKeys } from "../../../proxy/limits/client-address.ts";
import { parseTrustedProxies } from "../../../proxy/limits/client-address.ts";

type Headers = Readonly<Record<string, string>>;

function toClientKey(trust: string, peer: string | undefined, headers: Headers = {}): string {
  const trusted = parseTrustedProxies(trust);
  if (trusted === null) throw new Error(`no such setting: ${trust}`);
  return createClientKeys(trusted)({ peer, getHeader: (name) => headers[name] ?? null });
}

const FORGED = "192.0.2.66";
const CLIENT = "203.0.113.7";
const EDGE = "198.51.100.1";
const LOCAL = "10.0.0.1";

describe("the client a request is counted for", () => {
  it.each([
    { trust: "none", peer: CLIENT, forwardedFor: undefined, client: CLIENT },
    { trust: "none", peer: CLIENT, forwardedFor: FORGED, client: CLIENT },
    { trust: "1", peer: EDGE, forwardedFor: CLIENT, client: CLIENT },
    { trust: "1", peer: EDGE, forwardedFor: `${FORGED}, ${CLIENT}`, client: CLIENT },
    { trust: "1", peer: EDGE, forwardedFor: undefined, client: EDGE },
    { trust: "1", peer: EDGE, forwardedFor: "", client: EDGE },
    { trust: "2", peer: LOCAL, forwardedFor: `${FORGED}, ${CLIENT}, ${EDGE}`, client: CLIENT },
    { trust: "2", peer: LOCAL, forwardedFor: `${FORGED},${CLIENT},${EDGE}`, client: CLIENT },
    { trust: "3", peer: LOCAL, forwardedFor: CLIENT, client: CLIENT },
    { trust: "1", peer: EDGE, forwardedFor: `${CLIENT}:4711`, client: CLIENT },
    { trust: "1", peer: EDGE, forwardedFor: "[2001:db8::7]:4711", client: "2001:db8:0:0" },
    { trust: "1", peer: EDGE, forwardedFor: "[2001:db8::7]", client: "2001:db8:0:0" },
    { trust: "1", peer: EDGE, forwardedFor: "unknown", client: EDGE },
    { trust: "1", peer: EDGE, forwardedFor: "0x7f.1", client: EDGE },
    { trust: "1", peer: EDGE, forwardedFor: "_hidden", client: EDGE },
    { trust: "1", peer: EDGE, forwardedFor: `${CLIENT},`, client: EDGE },
    { trust: "2", peer: LOCAL, forwardedFor: `${CLIENT}, nonsense, ${EDGE}`, client: EDGE },
    { trust: "10.0.0.0/8", peer: LOCAL, forwardedFor: `${FORGED}, ${CLIENT}`, client: CLIENT },
    { trust: "10.0.0.0/8", peer: CLIENT, forwardedFor: FORGED, client: CLIENT },
    {
      trust: `10.0.0.0/8,${EDGE}`,
      peer: LOCAL,
      forwardedFor: `${FORGED}, ${CLIENT}, ${EDGE}, 10.9.9.9`,
      client: CLIENT,
    },
    { trust: "10.0.0.0/8", peer: LOCAL, forwardedFor: "10.0.0.2, 10.0.0.3", client: "10.0.0.2" },
    { trust: "10.0.0.0/8", peer: "::ffff:10.0.0.1", forwardedFor: CLIENT, client: CLIENT },
    { trust: "::1, 127.0.0.0/8", peer: "::1", forwardedFor: CLIENT, client: CLIENT },
    { trust: "2001:db8::/32", peer: LOCAL, forwardedFor: CLIENT, client: LOCAL },
    { trust: "none", peer: undefined, forwardedFor: FORGED, client: "unknown" },
    { trust: "1", peer: "not an address", forwardedFor: CLIENT, client: "unknown" },
  ])("is $client, from $peer, which says «$forwardedFor», trusting $trust", ({ trust, peer, forwardedFor, client }) => {
    const headers: Headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
    expect(toClientKey(trust, peer, headers)).toBe(client);
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
    const origin = { peer: LOCAL, getHeader: () => CLIENT };
    expect([toKey(origin), toKey(origin), toKey({ peer: CLIENT, getHeader: () => FORGED })]).toEqual([
      CLIENT,
      CLIENT,
      CLIENT,
    ]);
  });

  it("is found however many entries a stranger wrote before those of the proxies", () => {
    const forged = `${FORGED}, `.repeat(10_000);
    expect(toClientKey("1", EDGE, { "x-forwarded-for": `${forged}${CLIENT}` })).toBe(CLIENT);
    const chain = "10.0.0.3, ".repeat(10_000);
    expect(toClientKey("10.0.0.0/8", LOCAL, { "x-forwarded-for": `${chain}10.0.0.2` })).toBe("10.0.0.3");
  });

  it("cannot be chosen by what a stranger writes before the entry of the proxy", () => {
    const junk = fc.oneof(
      fc.string(),
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom(",", " ", "[::1]:1", "127.0.0.1", "10.0.0.1"),
    );
    fc.assert(
      fc.property(fc.array(junk), fc.constantFrom("1", "10.0.0.0/8"), (forged, trust) => {
        const headers = { "x-forwarded-for": [...forged, CLIENT].join(", "), "cf-connecting-ip": forged.join() };
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
    const header = trust.startsWith("cloudflare") ? "cf-connecting-ip" : "cloudfront-viewer-address";
    // Whoever writes X-Forwarded-For is not asked, and neither is the other CDN's header.
    const headers = {
      "x-forwarded-for": FORGED,
      "cf-connecting-ip": FORGED,
      "cloudfront-viewer-address": FORGED,
      [header]: value,
    };
    expect(toClientKey(trust, peer, headers)).toBe(client);
  });

  it("is the CDN itself where its header is missing", () => expect(toClientKey(CLOUDFLARE, LOCAL)).toBe(LOCAL));

  it.each(["none", "1", "10.0.0.0/8"])("is not looked for in a CDN's header while the setting is %s", (trust) => {
    const headers = { "cf-connecting-ip": FORGED, "cloudfront-viewer-address": `${FORGED}:1` };
    expect(toClientKey(trust, LOCAL, headers)).toBe(LOCAL);
  });
});

describe("the setting of trusted proxies", () => {
  it.each([
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
    "::/129",
    "10.0.0/8",
    "10.0.0.1,",
    "10.0.0.1/",
    "localhost",
    "cloudflare",
    "cloudflare:",
    "cloudflare:1",
    "cloudflare:none",
    "cloudfront:cloudflare:10.0.0.1",
    "Cloudflare:10.0.0.1",
    "fastly:10.0.0.1",
    "10.0.0.1,cloudflare:10.0.0.2",
  ])("is none of these: %j", (text) => expect(parseTrustedProxies(text)).toBeNull());

  it("takes none, hops, addresses and ranges, and a CDN before these", () => {
    expect(parseTrustedProxies("none")).toEqual({ by: "nothing" });
    expect(parseTrustedProxies("10")).toEqual({ by: "hops", hops: 10 });
    const ranges = [
      [{}, 8],
      [{}, 128],
    ];
    expect(parseTrustedProxies("10.0.0.0/8, ::1")).toMatchObject({ by: "ranges", ranges });
    expect(parseTrustedProxies("cloudfront:10.0.0.0/8, ::1")).toMatchObject({
      by: "header",
      header: "cloudfront-viewer-address",
      ranges,
    });
  });
});
