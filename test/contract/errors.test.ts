import { describe, expect, it } from "vitest";
import { ERROR_CODES, errorSchema } from "../../generator/contract/errors.ts";

describe("error codes", () => {
  it("have these statuses, and there are no others", () => {
    expect(ERROR_CODES).toEqual({
      bad_request: 400,
      invalid_network: 400,
      invalid_pubkey: 400,
      invalid_parameter: 400,
      validator_not_found: 404,
      location_not_found: 404,
      not_found: 404,
      method_not_allowed: 405,
      request_timeout: 408,
      precondition_failed: 412,
      uri_too_long: 414,
      rate_limited: 429,
      headers_too_large: 431,
      internal_error: 500,
      upstream_unavailable: 503,
    });
  });

  it.each(Object.keys(ERROR_CODES))("%s makes a valid error body", (code) => {
    expect(errorSchema.parse({ error: { code, message: "why" } })).toEqual({ error: { code, message: "why" } });
  });

  it.each([
    ["a code that does not exist", { error: { code: "teapot", message: "why" } }],
    ["no message", { error: { code: "not_found" } }],
    ["no envelope", { code: "not_found", message: "why" }],
  ])("refuse a body with %s", (_, body) => {
    expect(errorSchema.safeParse(body).success).toBe(false);
  });
});
