import { expect, it } from "vitest";
import { createWorld, describeProxy, openSocket, start } from "../_setup.ts";
import { toPubkey } from "../fixtures.ts";
import { exchange, type RawAnswer } from "./_raw.ts";

const LIST = "/api/v1/validators";
const ID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const STRANGERS = "11111111-1111-4111-8111-111111111111";
/** Of raw bytes: what Node refuses by its parser, and what we refuse by its Host. */
const MALFORMED = ["NONSENSE\r\n\r\n", `GET ${LIST} HTTP/1.1\r\nHost: a, b\r\n\r\n`];

const readId = (response: Response) => response.headers.get("x-request-id");
const idOf = (answer: RawAnswer | undefined) => answer?.headers["x-request-id"];

describeProxy("the id of a request", (_, request) => {
  it.each([
    ["GET", LIST, 200],
    ["HEAD", LIST, 200],
    ["OPTIONS", LIST, 204],
    ["POST", LIST, 405],
    ["GET", `${LIST}?limit=0`, 400],
    ["GET", `${LIST}/${toPubkey(99)}`, 404],
    ["GET", `/validators/${toPubkey(1)}`, 200],
    ["GET", "/nothing", 404],
    ["GET", "/healthz", 200],
    ["GET", "/api/v1/epoch?network=testnet", 503],
  ])(
    "is on the answer to %s %s, new each time, and never the client's",
    async (method, path, status) => {
      const headers = { "x-request-id": STRANGERS };
      const answers = [await request(path, { method, headers }), await request(path, { method })];
      expect(answers.map((answer) => answer.status)).toEqual([status, status]);
      const [one, other] = answers.map(readId);
      expect(one).toMatch(ID);
      expect(other).toMatch(ID);
      expect(new Set([one, other, STRANGERS]).size).toBe(3);
    },
  );

  it("is on a 304, which scripts may read as on every answer", async () => {
    const first = await request(LIST);
    const again = await request(LIST, { headers: { "if-none-match": first.headers.get("etag")! } });
    expect([again.status, readId(again) === readId(first)]).toEqual([304, false]);
    expect(readId(again)).toMatch(ID);
    for (const { headers } of [first, again])
      expect(headers.get("access-control-expose-headers")).toContain("X-Request-Id");
  });
});

it("the log line of a bug has the id of its answer, in process and behind a socket", async () => {
  const { app, world, limiter } = await createWorld();
  const fail = () => Promise.reject(new Error("a bug"));
  limiter.consume = fail;
  const inProcess = await app.request(LIST);
  const socket = await openSocket();
  socket.limiter.consume = fail;
  const behind = await fetch(socket.url + LIST);
  for (const [response, { log }] of [
    [inProcess, world],
    [behind, socket.world],
  ] as const) {
    expect(response.status).toBe(500);
    expect(readId(response)).toMatch(ID);
    expect(log).toMatchObject([{ level: "error", fields: { requestId: readId(response) } }]);
  }
});

it("the log line of a request has the id of its answer, also of what is no request", async () => {
  const { server, world } = await start({ LOG_REQUESTS: "1" });
  const ids = [
    readId(await fetch(server.url + LIST)),
    readId(await fetch(`${server.url}/nothing`)),
  ];
  for (const bytes of MALFORMED) {
    const { answers } = await exchange(server.url, bytes);
    expect(answers.map(({ status }) => status)).toEqual([400]);
    ids.push(idOf(answers[0]) ?? null);
  }
  for (const id of ids) expect(id).toMatch(ID);
  const readLogged = () =>
    world.log.flatMap(({ message, fields }) =>
      message.startsWith("request") ? [fields?.["requestId"]] : [],
    );
  await expect.poll(readLogged).toEqual(ids);
});
