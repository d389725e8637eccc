import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import {
  createRequestObserver,
  toRouteName,
  UNKNOWN_ROUTE,
  type AnsweredRequest,
} from "../../../proxy/monitoring/requests.ts";

describe("the name of a route", () => {
  it.each(Object.values(OPERATIONS).map(({ path }) => path))(
    "of %s is the template, whatever stands in it",
    (path) => {
      const target = path.replaceAll(/\{\w+\}/g, "%00<script>");
      expect(toRouteName(target)).toBe(path);
      expect(toRouteName(`${target}?network=testnet&q=${path}`)).toBe(path);
    },
  );

  it.each([
    "/",
    "",
    "*",
    "/api/v1/validators/",
    "/api/v1/Validators",
    "/api/v1/validators/a/b",
    "//healthz",
    "/__proto__",
  ])("of %j is the same as of all that is not there", (target) =>
    expect(toRouteName(target)).toBe(UNKNOWN_ROUTE),
  );
});

it("requests that wait for the answers before them are gone with their connection, each once", async () => {
  let come = 0;
  const answered: AnsweredRequest[] = [];
  const observe = createRequestObserver(
    () => 0,
    (request) => void answered.push(request),
  );
  const server = createServer((request, response) => {
    come += 1;
    observe(request, response);
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3));
  await expect.poll(() => come).toBe(3);
  client.resetAndDestroy();
  await expect.poll(() => answered.length).toBe(3);
  expect(answered.map(({ route, status }) => [route, status])).toEqual(
    Array(3).fill(["/healthz", 0]),
  );
});
