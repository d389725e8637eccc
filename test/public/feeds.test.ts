import { expect, it } from "vitest";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { FEED_VOTES_MAX, toFeedPath } from "../../public/format/feeds.ts";

it("follows one validator by its own feed, several by one, and nobody by none", () => {
  expect(toFeedPath("mainnet", [])).toBeNull();
  expect(toFeedPath("testnet", ["a"])).toBe("/feeds/testnet/validators/a.atom");
  expect(toFeedPath("testnet", ["a", "b"])).toBe("/feeds/testnet.atom?votes=a,b");
});

it("asks for no more validators than the API takes", () => {
  expect(FEED_VOTES_MAX).toBe(PARAMETERS.votes.listMax);
  const many = Array.from({ length: FEED_VOTES_MAX + 1 }, (_, at) => String(at));
  expect(toFeedPath("mainnet", many)?.split(",")).toHaveLength(FEED_VOTES_MAX);
});
