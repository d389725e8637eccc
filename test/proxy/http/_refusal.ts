import { expect } from "vitest";
import { errorSchema, type ErrorCode } from "../../../generator/contract/errors.ts";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";
import type { RawAnswer } from "./_raw.ts";

/** Checks that an answer is a whole refusal: status, envelope, all headers, the last on its connection. Gives its message. */
export function expectRefusal(answer: RawAnswer | undefined, status: number, code: ErrorCode): string {
  expect(answer).toMatchObject({
    status,
    headers: {
      connection: "close",
      date: expect.stringMatching(/ GMT$/) as string,
      "cache-control": "no-store",
      "content-type": CONTENT_TYPE,
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
      "x-ratelimit-limit": expect.stringMatching(/^\d+$/) as string,
      "x-ratelimit-remaining": expect.stringMatching(/^\d+$/) as string,
      "x-ratelimit-reset": expect.stringMatching(/^\d+$/) as string,
      "ratelimit-policy": expect.stringMatching(/^"default";q=\d+;w=60$/) as string,
      ratelimit: expect.stringMatching(/^"default";r=\d+;t=\d+$/) as string,
    },
  });
  const { error } = errorSchema.parse(JSON.parse(answer!.body));
  expect(error.code).toBe(code);
  expect(answer!.body).not.toMatch(/HPE_|llhttp|node|parse error/i);
  return error.message;
}
