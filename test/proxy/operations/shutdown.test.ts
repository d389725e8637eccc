import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CLOSE_MILLISECONDS, shutDown } from "../../../proxy/server.ts";
import { openHeldStore, startProcess, toUrl } from "./_process.ts";

const REQUEST = "GET /api/v1/validators HTTP/1.1\r\nHost: x\r\n\r\n";
const HEALTH = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** Sends a request and reads what is answered first. */
async function ask(socket: Socket, request: string): Promise<string> {
  socket.write(request);
  const [bytes] = (await once(socket, "data")) as [Buffer];
  return bytes.toString();
}

describe("a proxy that is told to stop", () => {
  it("lets the answer under way go out, closes what is idle or unused, takes nothing new, and exits with 0", async () => {
    const store = await openHeldStore();
    const proxy = startProcess({ RUGWATCH_PUBLIC: store.url });
    const url = toUrl(await proxy.until(/^listening on /));
    const [busy, idle, unused] = [await open(url), await open(url), await open(url)];
    expect(await ask(idle, HEALTH)).toMatch(/^HTTP\/1\.1 200 [^]*connection: keep-alive/i);
    busy.write(REQUEST);
    const asked = await store.nextRequest();

    const closed = [once(idle, "close"), once(unused, "close")];
    process.kill(proxy.pid, "SIGTERM");
    await Promise.all(closed);
    await expect(open(url)).rejects.toThrow("ECONNREFUSED");
    asked.writeHead(404).end();
    const answer = await text(busy);
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close/i);
    expect(answer).toContain('{"data":[],');
    expect(await proxy.exited).toBe(0);
    expect(proxy.lines.join("\n")).toContain("SIGTERM: closing");
  });

  it("takes a second SIGTERM for the first: whoever ends a group of processes tells it, and so does npm in the group", async () => {
    const store = await openHeldStore();
    const proxy = startProcess({ RUGWATCH_PUBLIC: store.url });
    const busy = await open(toUrl(await proxy.until(/^listening on /)));
    busy.write(REQUEST);
    const asked = await store.nextRequest();
    process.kill(proxy.pid, "SIGTERM");
    await proxy.until(/^SIGTERM: closing$/);
    process.kill(proxy.pid, "SIGTERM");
    await proxy.until(/^SIGTERM: closing already$/);
    asked.writeHead(404).end();
    expect(await text(busy)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await proxy.exited).toBe(0);
  });

  it("ends at once with Ctrl-C when it has been told already", async () => {
    const store = await openHeldStore();
    const proxy = startProcess({ RUGWATCH_PUBLIC: store.url });
    const busy = await open(toUrl(await proxy.until(/^listening on /)));
    const closed = once(busy, "close");
    busy.on("error", () => undefined).write(REQUEST);
    await store.nextRequest();
    process.kill(proxy.pid, "SIGTERM");
    await proxy.until(/^SIGTERM: closing$/);
    process.kill(proxy.pid, "SIGINT");
    expect(await proxy.exited).toBe(1);
    await closed;
  });

  it("says for a while that it is time to go elsewhere, if asked to, and goes on answering", async () => {
    const proxy = startProcess({ DRAIN_SECONDS: "300" });
    const url = toUrl(await proxy.until(/^listening on /));
    const idle = await open(url);
    await ask(idle, HEALTH);
    process.kill(proxy.pid, "SIGTERM");
    await proxy.until(/^SIGTERM: closing$/);
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain("This process is shutting down");
    const answered = await fetch(`${url}/api/v1/validators`);
    expect([answered.status, answered.headers.get("connection")]).toEqual([200, "close"]);
    expect(await ask(idle, HEALTH)).toMatch(/^HTTP\/1\.1 200 [^]*connection: close/i);
    process.kill(proxy.pid, "SIGINT");
    expect(await proxy.exited).toBe(1);
  });
});

describe("the time to stop", () => {
  afterEach(() => void vi.useRealTimers());

  async function openEndless() {
    const server = createServer((_, response) => void response.write("and so on"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const socket = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await ask(socket, HEALTH);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    return { server, closed: once(socket, "close") };
  }

  it("of an answer that never ends is five seconds", async () => {
    const { server, closed } = await openEndless();
    let isOver = false;
    const over = shutDown(server, 0).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(CLOSE_MILLISECONDS - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all([over, closed]);
  });

  it("begins after the drain, until which connections are taken", async () => {
    const { server, closed } = await openEndless();
    const over = shutDown(server, 30_000);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(server.listening).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.listening).toBe(false);
    await vi.advanceTimersByTimeAsync(CLOSE_MILLISECONDS);
    await Promise.all([over, closed]);
  });
});
