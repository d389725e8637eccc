import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorSchema, ERROR_CODES } from "../../../generator/contract/errors.ts";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";
import { exchange, type RawAnswer } from "../../proxy/http/_raw.ts";
import { hasNginx, newClient, startEdge, type Answer, type Edge } from "./_edge.ts";

const HEAD = "HTTP/1.1\r\nHost: a\r\n";
/** No request of a whole window is refused: the end of one, and the beginning of the next. */
const GUARDED = 120;

describe.skipIf(!hasNginx)("what nginx refuses by itself", () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge();
  });
  afterAll(async () => edge.close());

  it.each([
    ["a request that is none", "NONSENSE\r\n\r\n", "bad_request"],
    ["a request without Host", "GET /api/v1/validators HTTP/1.1\r\n\r\n", "bad_request"],
    ["two Hosts", `GET /api/v1/validators ${HEAD}Host: b\r\n\r\n`, "bad_request"],
    ["a body too long", `POST /api/v1/validators ${HEAD}Content-Length: 1000000\r\n\r\n`, "bad_request"],
    ["a target too long", `GET /${"a".repeat(20_000)} ${HEAD}\r\n`, "uri_too_long"],
    ["a header too long", `GET / ${HEAD}X: ${"a".repeat(20_000)}\r\n\r\n`, "headers_too_large"],
    ["a body in a coding unknown", `POST /api/v1/validators ${HEAD}Transfer-Encoding: gzip\r\n\r\n`, "bad_request"],
    ["a method nobody takes", `TRACE /api/v1/validators ${HEAD}\r\n`, "method_not_allowed"],
    ["a page of its own", `GET /.errors/404 ${HEAD}Connection: close\r\n\r\n`, "not_found"],
  ] as const)("%s is told in the spec's JSON", async (_, bytes, code) => {
    const { answers } = await exchange(edge.url, bytes, 1);
    expectError(answers[0], code);
  });

  it("is told with the headers that the proxy's own errors have", async () => {
    const [ours, proxys] = await Promise.all(
      [edge.url, edge.proxyUrl].map(
        async (url) => (await exchange(url, `TRACE /api/v1/validators ${HEAD}\r\n`, 1)).answers[0],
      ),
    );
    const own = [
      "date",
      "server",
      "connection",
      "keep-alive",
      "x-ratelimit-remaining",
      "x-ratelimit-reset",
      "ratelimit",
    ];
    const others = ({ headers = {} }: Partial<RawAnswer> = {}) =>
      Object.entries(headers)
        .filter(([name]) => !own.includes(name) && !/^(?:x-)?ratelimit/.test(name))
        .toSorted();
    expect(others(ours)).toEqual(others(proxys));
  });

  it("is a client that asks more than two windows hold, hits or not, and nobody else", async () => {
    const from = newClient();
    const answers = [];
    for (let count = 0; count < GUARDED; count += 1) answers.push(await edge.ask("/api/v1/events", { from }));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: GUARDED }, () => 200));
    const { headers, body } = await untilRefused(() => edge.ask("/api/v1/events", { from }));
    expect(errorSchema.parse(JSON.parse(body.toString())).error.code).toBe("rate_limited");
    expect(headers).toMatchObject({ "retry-after": "60", "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0" });
    const odd = await untilRefused(() => edge.ask("/api/v1/events?epochs=1&epochs=2", { from }));
    expect([odd.status, odd.headers["content-type"]]).toEqual([429, CONTENT_TYPE]);
    expect((await edge.ask("/api/v1/events")).status).toBe(200);
  });

  it("is all that is not cached, while the proxy is away", async () => {
    const other = await startEdge();
    await other.closeProxy();
    const { status, headers, body } = await other.ask("/api/v1/validators");
    expect([status, headers["retry-after"], headers["cache-control"]]).toEqual([503, "5", "no-store"]);
    expect(errorSchema.parse(JSON.parse(body.toString())).error.code).toBe("upstream_unavailable");
    await other.close();
  });
});

describe.skipIf(!hasNginx)("the proxy's own limit", () => {
  it("counts whom nginx heard, whatever a client says of itself", async () => {
    const edge = await startEdge({ perMinute: 3 });
    const from = newClient();
    const statuses = [];
    for (let count = 0; count < 5; count += 1)
      statuses.push(
        (await edge.ask(`/api/v1/search?q=ab${count}`, { from, headers: { "x-forwarded-for": `1.2.3.${count}` } }))
          .status,
      );
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await edge.ask("/api/v1/search?q=ab9")).status).toBe(200);
    await edge.close();
  });
});

describe.skipIf(!hasNginx)("a connection", () => {
  it("may be used for many requests, and says nothing of what nginx this is", async () => {
    const edge = await startEdge();
    const { answers } = await exchange(edge.url, `GET /healthz ${HEAD}\r\n`.repeat(3), 3);
    expect(answers.map(({ status, headers }) => [status, headers["server"]])).toEqual(Array(3).fill([200, "nginx"]));
    await edge.close();
  });
});

/** The first answer with 429. Each second that the asking takes gives the client one request more. */
async function untilRefused(ask: () => Promise<Answer>): Promise<Answer> {
  for (let asked = 0; asked < 10 * GUARDED; asked += 1) {
    const answer = await ask();
    if (answer.status === 429) return answer;
  }
  throw new Error(`${10 * GUARDED} more requests, and none of them was refused`);
}

function expectError(answer: RawAnswer | undefined, code: keyof typeof ERROR_CODES): void {
  expect(answer?.status, answer?.body).toBe(ERROR_CODES[code]);
  expect(answer?.headers).toMatchObject({
    "content-type": CONTENT_TYPE,
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
    "x-ratelimit-limit": "60",
  });
  expect(errorSchema.parse(JSON.parse(answer?.body ?? "")).error.code).toBe(code);
}
