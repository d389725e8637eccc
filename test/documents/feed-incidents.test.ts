import { expect, test } from "vitest";
import { selectForFeed } from "../../generator/documents/feed-entry.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { ledgerOf, MOMENT, voteOf, type EventFacts } from "./fixtures.ts";
import { read } from "./read.ts";
import { readFeeds, SITE } from "./read-feeds.ts";

const at = (minute: number) => new Date(Date.parse(MOMENT.time) + 60_000 * minute).toISOString();
const nameOf = (place: number) => `<b>${place}</b> & ]]>`;
/** Each a minute after the one before, to 10 %; the given ones to 100 %. */
const ledgerWith = (
  count: number,
  { rugs = [], names = nameOf }: { rugs?: number[]; names?: typeof nameOf } = {},
) => {
  const places = Array.from({ length: count }, (_, place) => place);
  const events = places.map((place): EventFacts => ({
    ...{ of: names(place), id: `e${place}`, from: 500, to: rugs.includes(place) ? 10_000 : 1000 },
    ...{ severity: rugs.includes(place) ? "RUG" : "INFO", slot: MOMENT.slot + 300 * place },
    ...{
      previousSeenAt: at(place / 2),
      createdAt: at(place / 2 + 1),
      confirmedAt: at(place / 2 + 2),
    },
  }));
  const alone: EventFacts = {
    of: names(0),
    id: "alone",
    severity: "INFO",
    from: 900,
    to: 500,
    slot: MOMENT.slot - 9,
  };
  return ledgerOf({
    validators: places.map((place) => ({ name: names(place) })),
    events: [...events, alone],
  });
};
const itemsOf = (content = "") => [...content.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text);

test("an incident is one entry, which keeps id, title and times while members arrive", () => {
  const [before, after] = [10, 12].map((count) => readFeeds(ledgerWith(count), "events"));
  for (const { fromAtom, fromJson } of [before!, after!]) {
    expect(fromJson.map(({ id }) => id)).toEqual([
      "urn:rugwatch:incident:e0",
      "urn:rugwatch:alone",
    ]);
    expect(fromAtom).toEqual(fromJson);
    expect(fromJson[0]).toMatchObject({
      title: "INFO: at least 10 validators raised their inflation commission within an hour",
      link: `${SITE}/?network=mainnet`,
      times: [at(5.5), at(5.5)],
      categories: ["INFO", "COMMISSION"],
    });
  }
  expect(before?.atom.updated).toBe(at(5.5));
  expect([before, after].map((feeds) => itemsOf(feeds?.fromJson[0]?.content).length)).toEqual([
    10, 12,
  ]);
  const content = after?.fromJson[0]?.content;
  expect(content).toContain(
    `<p>12 validators raised their inflation commission between ${at(0)} and ${at(6.5)}, in 12 changes.</p>`,
  );
  expect(itemsOf(content)[0]).toBe(
    `<a href="${SITE}/validators/${voteOf(nameOf(11))}?network=mainnet">INFO: &#60;b&#62;11&#60;/b&#62; &#38; ]]&#62; raised its inflation commission from 5 % to 10 %; costs delegators from epoch 1102</a>`,
  );
});

test("a feed of a severity has the entry if a member is of it, the worst named first", () => {
  const [rug, caution, info] = (["rug", "caution", "info"] as const).map(
    (feed) => readFeeds(ledgerWith(12, { rugs: [3] }), feed).fromJson,
  );
  expect(rug).toHaveLength(1);
  expect(rug?.[0]?.categories).toEqual(["RUG", "COMMISSION"]);
  expect(itemsOf(rug?.[0]?.content)[0]).toContain("RUG: &#60;b&#62;3&#60;");
  expect(caution).toEqual([]);
  expect(info?.[0]).toEqual(rug?.[0]);
});

test("an entry names fifty members, and says how many more there are", () => {
  const [entry] = readFeeds(ledgerWith(60), "events").fromJson;
  expect(itemsOf(entry?.content)).toHaveLength(50);
  expect(entry?.content).toContain("10 more are in the list of events.");
});

test("feeds of a validator and webhooks tell each change", () => {
  const ledger = ledgerWith(12);
  expect(selectForFeed(read(ledger, "events", {}).data)).toHaveLength(13);
  const own = createRenderer(ledger).render({
    kind: "validatorJsonFeed",
    names: { votePubkey: voteOf(nameOf(4)) },
  });
  expect(JSON.parse(new TextDecoder().decode(own))).toMatchObject({
    items: [{ id: "urn:rugwatch:e4" }],
  });
});
