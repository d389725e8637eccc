import { expect, it } from "vitest";
import { errorExamples } from "../../generator/contract/openapi-errors.ts";
import { ERROR_CODES, type ErrorCode } from "../../generator/contract/errors.ts";
import { describeProxy, readError } from "./_setup.ts";

const STRANGER = "1".repeat(32);

const REQUESTS: [ErrorCode, path: string, method?: string][] = [
  ["invalid_network", "/api/v1/epoch?network=devnet"],
  ["invalid_pubkey", "/api/v1/validators/abc"],
  ["invalid_parameter", "/api/v1/validators?limit=101"],
  ["validator_not_found", `/api/v1/validators/${STRANGER}`],
  ["location_not_found", `/api/v1/validators/${STRANGER}/location`],
  ["not_found", "/api/v1/nothing"],
  ["method_not_allowed", "/api/v1/epoch", "POST"],
];

describeProxy("the examples of the API's description", (open) => {
  it.each(REQUESTS)("say of %s what an answer says", async (code, path, method = "GET") => {
    const { request } = await open();
    const message = await readError(await request(path, { method }), ERROR_CODES[code], code);
    expect(errorExamples()[code]).toEqual({ value: { error: { code, message } } });
  });
});
