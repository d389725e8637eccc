import { expect, it } from "vitest";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import {
  EPOCH,
  ledgerOf,
  MOMENT,
  recordCommissions,
  validator,
  voteOf,
  type EventFacts,
} from "./fixtures.ts";

const SITE = "https://rugwatch.example";
const HOSTILE = `"><script>alert(1)</script><b onload='x'> & \u05d0`;
const VOTE = voteOf(HOSTILE);

function build(events: EventFacts[] = [{ of: HOSTILE }]): Ledger {
  const ledger = ledgerOf({ validators: [{ name: HOSTILE, mev: 800 }, { name: "quiet" }], events });
  recordCommissions(ledger, HOSTILE, {
    [EPOCH - 1]: { inflation: 500 },
    [EPOCH]: { inflation: 500 },
  });
  return ledger;
}

function render(ledger: Ledger, kind: "page" | "sitemap", votePubkey = VOTE): string | null {
  const { render: toBytes } = createRenderer(ledger, { siteUrl: SITE });
  const bytes = toBytes(kind === "page" ? { kind, names: { votePubkey } } : { kind, names: {} });
  return bytes && new TextDecoder().decode(bytes);
}

const metaOf = (page: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(page)?.[1];

it("tells who it is, its commissions and its newest changes without a script", () => {
  const page = render(build(), "page")!;
  const text = page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(text).toContain(
    `Vote account ${VOTE} on mainnet. Verdict: bad · rug ahead, from epoch ${EPOCH + 2}.`,
  );
  expect(text).toContain("Announced commission 5 %");
  expect(text).toContain("Paid commission ");
  expect(text).toContain("MEV commission 8 %");
  expect(text).toContain(
    "raised its inflation commission from 5 % to 100 %; costs delegators from epoch",
  );
  expect(metaOf(page, "og:url")).toBe(`${SITE}/validators/${VOTE}`);
  expect(page).toContain(`<link rel="canonical" href="${SITE}/validators/${VOTE}">`);
  expect(metaOf(page, "og:image")).toBe(`${SITE}/badges/mainnet/${VOTE}.png`);
  expect(metaOf(page, "og:image:width")).toBe("800");
  expect(metaOf(page, "og:title")).toMatch(
    new RegExp(`: bad · rug ahead, from epoch ${EPOCH + 2}$`),
  );
  expect(metaOf(page, "description")!.length).toBeLessThan(400);
});

it.each([
  [500, "5 %"],
  [10_000, "5 %, then 100 %"],
])("with %d basis points announced, a preview says that epochs pay %s", (now, paid) => {
  const ledger = ledgerOf({ validators: [{ name: HOSTILE, commissionBasisPoints: now }] });
  const before = [4, 3, 2, 1].map((ago) => [EPOCH - ago, { inflation: 500 }]);
  recordCommissions(ledger, HOSTILE, {
    ...(Object.fromEntries(before) as Record<number, { inflation: number }>),
    [EPOCH]: { inflation: now },
  });
  const description = metaOf(render(ledger, "page")!, "og:description");
  expect(description).toContain(`; paid commission: ${paid}. Every`);
});

it("names another network than the default one in its address", () => {
  const ledger = { ...build(), network: "testnet" as const };
  const address = `${SITE}/validators/${VOTE}?network=testnet`;
  expect(render(ledger, "page")).toContain(`<link rel="canonical" href="${address}">`);
  expect(render(ledger, "sitemap")).toContain(`<loc>${address}</loc>`);
});

it("shows the texts of strangers and never runs them", () => {
  const page = render(build(), "page")!;
  expect(page.match(/<script\b[^>]*>/g)).toEqual([
    '<script src="/theme.js">',
    '<script type="module" src="/app.js">',
  ]);
  expect(page).not.toMatch(/<b[ >]|style=|onload='/);
  expect(page).toContain("<h1>&#34;&#62;&#60;script&#62;alert(1)");
});

it("lists ten changes at most, and says which are told by a public history only", () => {
  const events = Array.from({ length: 12 }, (_, ago): EventFacts => ({
    of: HOSTILE,
    slot: MOMENT.slot - ago,
    id: `${ago}`,
  }));
  Object.assign(events[3]!, { confirmed: false, createdAt: null });
  const page = render(build(events), "page")!;
  expect(page.match(/<li>/g)).toHaveLength(10);
  expect(page.match(/from a public history only/g)).toHaveLength(1);
});

it("keeps its bytes while only stakes and ranks change", () => {
  const later = build();
  later.validators[0] = validator({
    ...later.validators[0]!,
    name: HOSTILE,
    activeStake: 7n,
    rank: 3,
    delinquent: true,
  });
  expect(render(later, "page")).toBe(render(build(), "page"));
  expect(render(later, "sitemap")).toBe(render(build(), "sitemap"));
});

/**
 * The `lastmod` of each address of the sitemap, by
 * the newest observation's time; null: it has none.
 */
function datesOf(ledger: Ledger, observedAt: string): (string | null)[] {
  ledger.acceptance.newest = { ...ledger.acceptance.newest!, time: observedAt };
  const urls = render(ledger, "sitemap")!.match(/<url>.*<\/url>/g) ?? [];
  return urls.map((url) => /<lastmod>(.*)<\/lastmod>/.exec(url)?.[1] ?? null);
}

it("the sitemap has the listed validators by key", () => {
  const ledger = build([]);
  const addresses = () => render(ledger, "sitemap")!.match(/<url>.*<\/url>/g);
  const votes = [VOTE, voteOf("quiet")].sort();
  expect(addresses()).toEqual(
    votes.map((vote) => `<url><loc>${SITE}/validators/${vote}</loc></url>`),
  );
  ledger.validators[1]!.listed = false;
  expect(addresses()).toHaveLength(1);
});

it.each([
  ["2026-11-19T23:59:59.999Z", null],
  ["2026-11-20T10:00:00.000Z", "2026-11-19T23:59:59.999Z"],
  ["2026-11-20T23:59:59.999Z", "2026-11-19T23:59:59.999Z"],
  ["2026-11-21T00:00:00.000Z", MOMENT.time],
])(
  "observed up to %s, the sitemap tells of events up to the full UTC day before",
  (observedAt, lastmod) => {
    const events = [
      {},
      { createdAt: "2026-11-19T23:59:59.999Z", slot: MOMENT.slot - 1 },
      { confirmed: false, createdAt: null },
    ];
    const ledger = build(events.map((facts) => ({ of: HOSTILE, ...facts })));
    expect(datesOf(ledger, observedAt).filter((date) => date !== null)).toEqual(
      lastmod === null ? [] : [lastmod],
    );
  },
);
