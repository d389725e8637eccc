import { parseAtomFeed, parseJsonFeed } from "feedsmith";
import { expect, it } from "vitest";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { ledgerOf, voteOf, type EventFacts } from "./fixtures.ts";
import { documentOf } from "./read.ts";
import { SITE } from "./read-feeds.ts";

const HOSTILE = "<b>two</b> & ]]> \u05d0";
const validators = [{ name: "one" }, { name: HOSTILE }];
const KEY_OF = (name: string) => `feeds/mainnet/validators/${voteOf(name)}`;

const of = (events: EventFacts[]) => ledgerOf({ validators, events });

function feedsOf(
  ledger: Ledger,
  name: string,
  isPublished = false,
): [atom: string, json: string] | null {
  const { render } = createRenderer(ledger, { siteUrl: SITE });
  const names = { votePubkey: voteOf(name) };
  const [atom, json] = (["validatorAtomFeed", "validatorJsonFeed"] as const).map((kind) =>
    render({ kind, names }, (key) =>
      isPublished && key.startsWith(`${KEY_OF(name)}.`) ? { bytes: 1, sha256: "" } : null,
    ),
  );
  return atom && json ? [new TextDecoder().decode(atom), new TextDecoder().decode(json)] : null;
}

const idsOf = (feeds: [string, string] | null) =>
  feeds && [
    (parseAtomFeed(feeds[0]).entries ?? []).map(({ id }) => id),
    parseJsonFeed(feeds[1]).items?.map((item) => item.id) ?? [],
  ];

it("tells the validator's own confirmed events, newest first, and says whose it is", () => {
  const ledger = of([{ of: HOSTILE }, { of: "one" }, { of: HOSTILE, slot: 999_999_999 }]);
  const feeds = feedsOf(ledger, HOSTILE)!;
  const ids = documentOf(ledger, "validatorEvents", { votePubkey: voteOf(HOSTILE) })!.data.map(
    ({ id }) => `urn:rugwatch:${id}`,
  );
  expect(ids).toHaveLength(2);
  expect(idsOf(feeds)).toEqual([ids, ids]);
  const link = `${SITE}/validators/${voteOf(HOSTILE)}?network=mainnet`;
  expect(parseAtomFeed(feeds[0])).toMatchObject({
    id: `urn:rugwatch:feed:mainnet:validators:${voteOf(HOSTILE)}`,
    title: { value: `Rugwatch: commission changes of ${HOSTILE} on mainnet` },
    links: [
      { rel: "alternate", href: link },
      { rel: "self", href: `${SITE}/${KEY_OF(HOSTILE)}.atom` },
    ],
  });
  expect(parseJsonFeed(feeds[1])).toMatchObject({
    feed_url: `${SITE}/${KEY_OF(HOSTILE)}.json`,
    home_page_url: link,
  });
});

it.each<[string, EventFacts[]]>([
  ["nothing", [{ of: "one" }]],
  ["what only a public history tells", [{ of: HOSTILE, confirmed: false, createdAt: null }]],
  ["what was read so late that it has no time", [{ of: HOSTILE, createdAt: null }]],
])("is none where %s has happened", (_, events) => {
  expect(feedsOf(of(events), HOSTILE)).toBeNull();
  expect(feedsOf(of(events), "nobody knows")).toBeNull();
});

it("is empty, and not gone, where all that it told is no event any more", () => {
  const withdrawn = of([{ of: "one" }]);
  [withdrawn.withdrawn, withdrawn.events] = [withdrawn.events, []];
  expect(idsOf(feedsOf(withdrawn, "one"))).toEqual([[], []]);
  expect(idsOf(feedsOf(of([]), "one", true))).toEqual([[], []]);
  expect(feedsOf(of([]), "one")).toBeNull();
});
