import { parseAtomFeed } from "feedsmith";
import { expect, it } from "vitest";
import { FEED_ENTRIES_MAX } from "../../../generator/contract/feed.ts";
import { toHtml } from "../../../generator/documents/feed-entry.ts";
import { describeProxy, readError } from "../_setup.ts";
import { MAINNET, publish, toPubkey } from "../fixtures.ts";

const [ONE, OTHER] = [toPubkey(1), toPubkey(2)];
const STRANGER = toPubkey(99);
const WATCH = "/feeds/mainnet.atom";
const HOSTILE = "</entry></feed><b>";

const toEntry = (id: string, minute: number, text = "") => {
  const at = new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();
  return [
    "<entry>",
    `<title type="html"><![CDATA[${toHtml(text)}]]></title><id>${id}</id>`,
    `<updated>${at}</updated>`,
    `<published>${at}</published>`,
    "</entry>",
  ].join("\n");
};

const toFeed = (votePubkey: string, entries: readonly string[]) =>
  publish(
    "validatorAtomFeed",
    { votePubkey },
    [
      '<?xml version="1.0" encoding="utf-8"?>',
      '<feed xmlns="http://www.w3.org/2005/Atom">',
      `<id>urn:rugwatch:feed:mainnet:validators:${votePubkey}</id>`,
      "<title>One</title>",
      "<updated>2026-11-20T12:30:00.000Z</updated>",
      `<link rel="self" href="https://site.example/feeds/mainnet/validators/${votePubkey}.atom"/>`,
      ...entries,
      "</feed>",
    ].join("\n"),
  );

const published = [
  ...MAINNET.filter(({ key }) => !key.startsWith("feeds/mainnet/validators/")),
  toFeed(ONE, [toEntry("a", 30, HOSTILE), toEntry("b", 10)]),
  toFeed(OTHER, [toEntry("c", 20)]),
];

describeProxy("the feed of several validators", (open, request) => {
  it("has the entries of each, newest first, and one address for equal sets", async () => {
    const { request } = await open({ published });
    const response = await request(`${WATCH}?votes=${OTHER},${ONE},${OTHER}`);
    const text = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/atom+xml; charset=utf-8",
    ]);
    expect(response.headers.get("cache-control")).toContain("max-age=15");
    const feed = parseAtomFeed(text);
    expect(feed.entries?.map(({ id }) => id)).toEqual(["a", "c", "b"]);
    expect(feed.entries?.[0]?.title?.value).toContain(toHtml(HOSTILE));
    const keys = [ONE, OTHER].toSorted().join(",");
    expect(feed).toMatchObject({
      id: `urn:rugwatch:feed:mainnet:votes:${keys}`,
      title: { value: "Rugwatch: commission changes of 2 validators on mainnet" },
      updated: "2026-11-20T12:30:00.000Z",
      links: [
        { rel: "alternate", href: `https://site.example/watchlist?network=mainnet&votes=${keys}` },
        { rel: "self", href: `https://site.example/feeds/mainnet.atom?votes=${keys}` },
      ],
    });
    const same = await request(`${WATCH}?votes=${ONE},${OTHER}`);
    expect(await same.text()).toBe(text);
    const known = { headers: { "if-none-match": same.headers.get("etag") ?? "" } };
    expect((await request(`${WATCH}?votes=${ONE},${OTHER}`, known)).status).toBe(304);
  });

  it("has the newest entries, as many as any feed may have", async () => {
    const many = Array.from({ length: FEED_ENTRIES_MAX }, (_, minute) =>
      toEntry(`${minute}`, minute),
    );
    const { request } = await open({
      published: [
        ...published,
        toFeed(ONE, many),
        toFeed(OTHER, [toEntry("c", 0), toEntry("d", 200)]),
      ],
    });
    const feed = parseAtomFeed(await (await request(`${WATCH}?votes=${ONE},${OTHER}`)).text());
    expect(feed.entries?.length).toBe(FEED_ENTRIES_MAX);
    expect(feed.entries?.[0]?.id).toBe("d");
    expect(feed.entries?.map(({ id }) => id)).not.toContain("c");
  });

  it("names whom nobody ever saw, and is none if nobody saw any of them", async () => {
    const { request } = await open({ published });
    const feed = parseAtomFeed(await (await request(`${WATCH}?votes=${ONE},${STRANGER}`)).text());
    expect(feed.subtitle?.value).toContain(`Never seen on mainnet: ${STRANGER}.`);
    expect(feed.entries?.length).toBe(2);
    const none = await request(`${WATCH}?votes=${STRANGER}`);
    expect(await readError(none, 404, "not_found")).toContain("any of these validators");
  });

  it.each([
    [
      "",
      "votes must be keys with commas between, each Base58 of exactly 32 bytes, 32 to 44 characters, and is missing.",
    ],
    [
      "?votes=me",
      'votes must be keys with commas between, each Base58 of exactly 32 bytes, 32 to 44 characters, not "me".',
    ],
    [
      `?votes=${ONE},`,
      'votes must be keys with commas between, each Base58 of exactly 32 bytes, 32 to 44 characters, not "".',
    ],
    [`?votes=${ONE}&votes=${OTHER}`, "votes is given more than once."],
    [
      `?votes=${Array.from({ length: 51 }, (_, at) => toPubkey(at + 1)).join(",")}`,
      "votes takes at most 50 keys, not 51.",
    ],
  ])("refuses what names no set (%#)", async (query, message) => {
    expect(await readError(await request(WATCH + query), 400, "invalid_pubkey")).toBe(message);
  });

  it("is refused for a network that there is not", async () => {
    const response = await request(`/feeds/devnet.atom?votes=${ONE}`);
    expect(await readError(response, 400, "invalid_network")).toContain("devnet");
  });
});
