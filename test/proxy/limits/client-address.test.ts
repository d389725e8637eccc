import { describe, expect, it } from "vitest";
import { toClientAddress, toClientKey } from "../../../proxy/limits/client-address.ts";
import { parseTrustedProxies } from "../../../proxy/limits/trusted-proxies.ts";

interface Case {
  trust: string;
  peer: string | undefined;
  forwardedFor: string | null;
  client: string;
}

const FORGED = "192.0.2.66";
const CLIENT = "203.0.113.7";
const EDGE = "198.51.100.1";
const LOCAL = "10.0.0.1";

const CASES: Case[] = [
  { trust: "none", peer: CLIENT, forwardedFor: null, client: CLIENT },
  { trust: "none", peer: CLIENT, forwardedFor: FORGED, client: CLIENT },
  { trust: "1", peer: EDGE, forwardedFor: CLIENT, client: CLIENT },
  { trust: "1", peer: EDGE, forwardedFor: `${FORGED}, ${CLIENT}`, client: CLIENT },
  { trust: "1", peer: EDGE, forwardedFor: null, client: EDGE },
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
  { trust: "2", peer: LOCAL, forwardedFor: `${CLIENT}, nonsense, ${EDGE}`, client: EDGE },
  { trust: "10.0.0.0/8", peer: LOCAL, forwardedFor: `${FORGED}, ${CLIENT}`, client: CLIENT },
  { trust: "10.0.0.0/8", peer: CLIENT, forwardedFor: FORGED, client: CLIENT },
  { trust: `10.0.0.0/8,${EDGE}`, peer: LOCAL, forwardedFor: `${FORGED}, ${CLIENT}, ${EDGE}, 10.9.9.9`, client: CLIENT },
  { trust: "10.0.0.0/8", peer: LOCAL, forwardedFor: "10.0.0.2, 10.0.0.3", client: "10.0.0.2" },
  { trust: "10.0.0.0/8", peer: "::ffff:10.0.0.1", forwardedFor: CLIENT, client: CLIENT },
  { trust: "::1, 127.0.0.0/8", peer: "::1", forwardedFor: CLIENT, client: CLIENT },
  { trust: "2001:db8::/32", peer: LOCAL, forwardedFor: CLIENT, client: LOCAL },
  { trust: "none", peer: "::ffff:203.0.113.7", forwardedFor: null, client: CLIENT },
  { trust: "none", peer: "2001:db8:1:2:3:4:5:6", forwardedFor: null, client: "2001:db8:1:2" },
  { trust: "none", peer: "fe80::1%eth0", forwardedFor: null, client: "fe80:0:0:0" },
  { trust: "none", peer: undefined, forwardedFor: FORGED, client: "unknown" },
  { trust: "1", peer: "not an address", forwardedFor: CLIENT, client: "unknown" },
];

describe("the client a request is counted for", () => {
  it.each(CASES)(
    "is $client, from $peer, which says «$forwardedFor», trusting $trust",
    ({ trust, peer, forwardedFor, client }) => {
      const address = toClientAddress({ peer, forwardedFor, trusted: parseTrustedProxies(trust)! });
      expect(toClientKey(address)).toBe(client);
    },
  );
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
    "::/129",
    "10.0.0/8",
    "10.0.0.1,",
    "10.0.0.1/",
    "localhost",
  ])("is none of these: %j", (text) => expect(parseTrustedProxies(text)).toBeNull());

  it("takes none, hops, addresses and ranges", () => {
    expect(parseTrustedProxies("none")).toEqual({ by: "nothing" });
    expect(parseTrustedProxies("10")).toEqual({ by: "hops", hops: 10 });
    expect(parseTrustedProxies("10.0.0.0/8, ::1")).toMatchObject({
      by: "ranges",
      ranges: [
        [{}, 8],
        [{}, 128],
      ],
    });
  });
});
