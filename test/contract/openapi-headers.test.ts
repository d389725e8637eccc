import { describe, expect, it } from "vitest";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { describeHeaders } from "../../generator/contract/openapi-headers.ts";
import { FRESH_MILLISECONDS } from "../../proxy/cache/cache.ts";

const HEADERS = describeHeaders();

/** "a minute", "5 minutes", "15 seconds" */
function toWords(seconds: number): RegExp {
  if (seconds === 60) return /for (?:a minute|one)\b/;
  return seconds % 60 === 0
    ? new RegExp(`for ${seconds / 60} minutes`)
    : new RegExp(`for ${seconds} seconds`);
}

describe("the description of a header", () => {
  it.each(Object.entries(CACHE_CLASSES))(
    "says how long caches keep an answer: %s",
    (cache, value) => {
      const seconds = [...value.matchAll(/max-?age=(\d+)/g)].map(([, text]) => Number(text));
      expect(seconds).toHaveLength(cache === "error" ? 0 : 2);
      const { description } = HEADERS[`Cache-Control.${cache}`]!;
      for (const each of seconds) expect(description).toMatch(toWords(each));
    },
  );

  it("says how fresh an answer is that has no Age", () => {
    expect(HEADERS["Age"]?.description).toContain(
      `The proxy omits it up to ${FRESH_MILLISECONDS / 1_000} seconds.`,
    );
  });
});
