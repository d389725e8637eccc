import { afterEach, describe, expect, it, vi } from "vitest";
import { parseRetryAfter } from "../../generator/rpc/http.ts";

const DATE = "Fri, 20 Nov 2026 12:00:00 GMT";
const LONGEST = 600_000;

afterEach(() => vi.unstubAllEnvs());

describe("Retry-After", () => {
  it.each<[string, number]>([
    ["0", 0],
    ["3", 3_000],
    [" 3 ", 3_000],
    ["1.5", 1_500],
    ["600", LONGEST],
    ["601", LONGEST],
    ["99999999999999999999999", LONGEST],
  ])("of %j seconds is %i ms, and never over ten minutes", (header, milliseconds) => {
    expect(parseRetryAfter(header, null)).toBe(milliseconds);
  });

  it.each<[string, string, number]>([
    ["a date", "Fri, 20 Nov 2026 12:00:05 GMT", 5_000],
    ["a date in the form of RFC 850", "Friday, 20-Nov-26 12:00:05 GMT", 5_000],
    ["a date in the form of C's asctime", "Fri Nov 20 12:00:05 2026", 5_000],
    ["a date of tomorrow", "Sat, 21 Nov 2026 12:00:00 GMT", LONGEST],
    ["a date that is over", "Fri, 20 Nov 2026 11:00:00 GMT", 0],
  ])("as %s counts from the answer's own date, wherever we are", (_, header, milliseconds) => {
    vi.stubEnv("TZ", "Asia/Tokyo");
    expect(parseRetryAfter(header, DATE)).toBe(milliseconds);
  });

  it.each([null, "", "yesterday", "-5", "5"])(
    "as a date says nothing beside the answer's date %j",
    (date) => {
      expect(parseRetryAfter("Fri, 20 Nov 2026 12:00:05 GMT", date)).toBeNull();
    },
  );

  it.each([
    null,
    "",
    "soon",
    "-5",
    "+5",
    "1e9",
    "0x10",
    "5 seconds",
    "5, 10",
    "NaN",
    "Infinity",
    "Fri, soon",
  ])("%j says nothing", (header) => {
    expect(parseRetryAfter(header, DATE)).toBeNull();
  });
});
