import { afterEach, describe, expect, it } from "vitest";
import { createWorld, listen } from "../_setup.ts";
import { makeMainnet } from "../fixtures.ts";
import { exchange } from "./_raw.ts";

const LIST = "/api/v1/validators";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A proxy behind a socket, which tells what was asked of the app. */
async function open(perMinute = 1_000) {
  const made = await createWorld(makeMainnet(), { perMinute, trusted: { by: "nothing" } });
  const asked: string[] = [];
  const fetchByApp = made.app.fetch.bind(made.app);
  made.app.fetch = (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return fetchByApp(request);
  };
  const { url, close } = await listen(made);
  closers.push(close);
  const ask = async (method: string, path: string, ...lines: string[]) => {
    const request = [`${method} ${path} HTTP/1.1`, "Host: a", ...lines].join("\r\n");
    const { answers } = await exchange(url, `${request}\r\n\r\n`, 1);
    return answers[0]!;
  };
  return { world: made.world, asked, url, ask };
}

describe("an answer that was given a moment ago", () => {
  it("is given again without the app, the same but for the limit and the Date", async () => {
    const { asked, ask } = await open();
    const [first, second] = [await ask("GET", LIST), await ask("GET", LIST)];
    const own = { "x-ratelimit-remaining": "998", "x-ratelimit-reset": "60", ratelimit: '"default";r=998;t=60' };
    expect(second).toEqual({ ...first, headers: { ...first.headers, ...own, date: second.headers["date"] } });
    expect((await ask("GET", LIST, `If-None-Match: ${first.headers["etag"]}`)).status).toBe(304);
    expect((await ask("GET", LIST, 'If-None-Match: "other"')).status).toBe(200);
    expect(asked).toEqual([`GET ${LIST}`]);
  });

  it("is asked of the app again when its reading is due, under another target, with If-Match, and for other methods", async () => {
    const { world, asked, ask } = await open();
    await ask("GET", LIST);
    const others = ["GET ?page=1", "OPTIONS ", "POST "].map((one) => one.split(" ") as [string, string]);
    for (const [method, query] of others) await ask(method, LIST + query);
    expect((await ask("GET", LIST, 'If-Match: "other"')).status).toBe(412);
    world.now += 14_999;
    await ask("GET", LIST);
    expect(asked).toHaveLength(5);
    world.now += 1;
    await ask("GET", LIST);
    expect(asked).toHaveLength(6);
  });

  it("is asked of the app again after the clock was set back", async () => {
    const { world, asked, ask } = await open();
    await ask("GET", LIST);
    world.now -= 3_600_000;
    await ask("GET", LIST);
    expect(asked).toHaveLength(2);
  });

  it("is never an old one, an error, the epoch, a search or a word on the proxy's health", async () => {
    const { world, asked, ask } = await open();
    for (const path of ["/nothing", "/api/v1/epoch", "/api/v1/search?q=nobody", "/healthz"])
      for (let time = 0; time < 2; time += 1) await ask("GET", path);
    expect(asked).toHaveLength(8);
    await ask("GET", LIST);
    world.storeDown = true;
    world.now += 3_600_000;
    await ask("GET", LIST);
    asked.length = 0;
    const answer = await ask("GET", LIST);
    expect(answer.headers).toMatchObject({ "x-data-stale": "true", age: "3600" });
    expect(asked).toHaveLength(1);
  });
});

describe("a client over its limit", () => {
  it.each([
    ["of the app", "/nothing"],
    ["given again", LIST],
    ["refused", "/with two hosts"],
  ])("gets a 429 that ends its connection, in place of an answer %s", async (_, path) => {
    const { url } = await open(2);
    const bytes = path.startsWith("/with")
      ? `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`
      : `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const before = `GET ${LIST} HTTP/1.1\r\nHost: a\r\n\r\n`;
    await exchange(url, before, 1);
    await exchange(url, before, 1);
    const { answers } = await exchange(url, bytes);
    expect(answers).toMatchObject([{ status: 429, headers: { connection: "close", "retry-after": "60" } }]);
  });
});
