import { afterAll, beforeAll, describe, expect } from "vitest";
import type { z } from "zod";
import { errorSchema, type ErrorCode } from "../../generator/contract/errors.ts";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import type { LogEntry } from "../../proxy/operations/log.ts";
import { playNetworks, type PlayedNetworks } from "./_networks.ts";
import { PER_MINUTE, TRANSPORTS, type Ask } from "./_transports.ts";

/** The API over what was published of three simulated clusters. */
export interface Api extends Omit<PlayedNetworks, "close"> {
  request: Ask;
}

/**
 * Defines tests twice, in process and over a socket, over three networks that are played once for all of them. Any error
 * of the proxy that is a bug fails the tests.
 */
export function describeApi(define: (api: () => Api) => void): void {
  let played: PlayedNetworks;
  beforeAll(async () => {
    played = await playNetworks();
  });
  afterAll(() => played.close());

  describe.each(["in process", "over a socket"] as const)("the API, %s", (transport) => {
    const log: LogEntry[] = [];
    let api: Api;
    let close: () => Promise<void>;
    beforeAll(async () => {
      const opened = await TRANSPORTS[transport](played, (entry) => void log.push(entry));
      api = { ...played, request: opened.request };
      close = opened.close;
    });
    afterAll(async () => {
      await close();
      expect(log.filter(({ level }) => level !== "info")).toEqual([]);
    });
    define(() => api);
  });
}

/** The body of a successful answer, checked by its schema. */
export async function readAnswer<Schema extends z.ZodType>(response: Response, schema: Schema) {
  const body: unknown = await response.json();
  expect({ url: response.url, status: response.status, body }).toMatchObject({ status: 200 });
  expect(schema.safeParse(body)).toMatchObject({ success: true });
  expect(response.headers.get("content-type")).toBe(CONTENT_TYPE);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("x-ratelimit-limit")).toBe(String(PER_MINUTE));
  return body as z.infer<Schema>;
}

/** The code of an error, checked with its status and envelope. */
export async function readError(response: Response, status: number): Promise<ErrorCode> {
  const body: unknown = await response.json();
  expect({ url: response.url, status: response.status, body }).toMatchObject({ status });
  expect(response.headers.get("cache-control")).toBe("no-store");
  return errorSchema.parse(body).error.code;
}
