import { parseAtomFeed, parseJsonFeed } from "feedsmith";
import { expect, it } from "vitest";
import { createRenderer } from "../../generator/documents/render.ts";
import { touchedReferences } from "../../generator/documents/references.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import type { Touched } from "../../generator/ledger/touched.ts";
import { minutes } from "../story/clock.ts";
import { foldOnto, foldStory } from "../story/fold.ts";
import { snapshot } from "../story/observations.ts";
import { withA } from "../story/validators.ts";
import { ledgerOf, voteOf, type EventFacts } from "./fixtures.ts";
import { documentOf } from "./read.ts";
import { SITE } from "./read-feeds.ts";

const HOSTILE = "<b>two</b> & ]]> \u05d0";
const validators = [{ name: "one" }, { name: HOSTILE }];
const KEY_OF = (name: string) => `feeds/mainnet/validators/${voteOf(name)}`;

const of = (events: EventFacts[]) => ledgerOf({ validators, events });

function feedsOf(ledger: Ledger, name: string): [atom: string, json: string] | null {
  const { render } = createRenderer(ledger, { siteUrl: SITE });
  const names = { votePubkey: voteOf(name) };
  const [atom, json] = (["validatorAtomFeed", "validatorJsonFeed"] as const).map((kind) =>
    render({ kind, names }),
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
])("is there and empty where %s has happened", (_, events) => {
  expect(idsOf(feedsOf(of(events), HOSTILE))).toEqual([[], []]);
});

it("is none of a vote account that nobody saw", () => {
  expect(feedsOf(of([]), "nobody knows")).toBeNull();
});

it("is empty where all that it told is no event any more", () => {
  const withdrawn = of([{ of: "one" }]);
  [withdrawn.withdrawn, withdrawn.events] = [withdrawn.events, []];
  expect(idsOf(feedsOf(withdrawn, "one"))).toEqual([[], []]);
});

it("is written with the first snapshot, and not again while nothing happens", () => {
  const [first, ...later] = minutes(0, 5).map((minute) => snapshot(minute * 10, withA()));
  const written = (ledger: Ledger, touched: Touched) =>
    touchedReferences(ledger, touched).flatMap(({ kind, names }) =>
      kind === "validatorJsonFeed" ? [names.votePubkey] : [],
    );
  const listed = foldStory(first!);
  expect(written(listed.ledger, listed.touched)).toContain(voteOf("A"));
  const bytes = feedsOf(listed.ledger, "A");
  expect(idsOf(bytes)).toEqual([[], []]);
  const after = foldOnto(listed.ledger, ...later);
  expect(written(after.ledger, after.touched)).not.toContain(voteOf("A"));
  expect(feedsOf(after.ledger, "A")).toEqual(bytes);
});
