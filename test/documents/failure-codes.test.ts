import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toFailureCodes } from "../../generator/documents/failure-codes.ts";

const ASKED = "https://one.example#0 getVoteAccounts";

describe("why a source is not ok", () => {
  it.each([
    [
      `${ASKED}: HTTP status 503: error -32005: Buy at https://evil.example`,
      "http_503, rpc_-32005",
    ],
    [`${ASKED}: error -32005: Node is behind by 200 slots`, "behind, rpc_-32005"],
    [`${ASKED}: no answer in time (UND_ERR_BODY_TIMEOUT)`, "timeout, no_connection"],
    [`${ASKED}: ECONNREFUSED`, "no_connection"],
    [`${ASKED}: expected JSON, got 9 characters: "<html>hi"`, "unreadable"],
    [`${ASKED}: unexpected shape of the result: validators are thieves`, "unreadable"],
    [`${ASKED}: genesis hash is A, not B`, "other_cluster"],
    [`${ASKED}: not asked: the endpoint wants a pause of another 9 s`, "resting"],
    [
      `2 of 3 witnesses silent, so that no change can be confirmed: ${ASKED}: HTTP status 404; ${ASKED}: HTTP status 429`,
      "witnesses_silent, http_404, http_429",
    ],
    [
      `no majority of the witnesses agrees on inflation; ${ASKED}: HTTP status 503`,
      "no_majority, http_503",
    ],
    [`one of two witnesses alone answers inflation; ${ASKED}: no answer in time`, "timeout"],
    ["the witnesses agree on inflation, but its validator set has no stake", "failed"],
    ["3 rows of the list of vote accounts could not be read", "rows_unreadable"],
    ["not read yet", "not_read_yet"],
    ["Rugwatch lies", "failed"],
  ])("%s is told as %s", (reason, codes) => {
    expect(toFailureCodes(reason)).toBe(codes);
  });

  it("is told by at most eight codes and numbers, whatever an endpoint wrote", () => {
    const parts = fc.constantFrom(
      "HTTP status ",
      "error ",
      "1",
      "-32005: ",
      "not asked: ",
      "behind ",
    );
    const texts = fc.array(fc.oneof(parts, fc.string()), { maxLength: 60 });
    fc.assert(
      fc.property(texts, (written) => {
        const codes = toFailureCodes(written.join("")).split(", ");
        expect(codes.length).toBeLessThanOrEqual(8);
        for (const code of codes)
          expect(code).toMatch(/^(?:[a-z_]{4,16}|http_\d{3}|rpc_-?\d{1,9})$/);
      }),
    );
  });
});
