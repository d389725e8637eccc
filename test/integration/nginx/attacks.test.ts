import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasNginx, newClient, startEdge, type Edge } from "./_edge.ts";

const LIST = "/api/v1/validators";
/** Less than any of nginx' timeouts before they were shortened, more than a busy machine takes. */
const ANSWER_MILLISECONDS = 5_000;
/** https://docs.kernel.org/networking/proc_net_tcp.html */
const ESTABLISHED = "01";
const BODY_PIECE_MILLISECONDS = 500;

let edge: Edge;
let sockets: Socket[] = [];
const timers: NodeJS.Timeout[] = [];

beforeEach(async () => {
  edge = await startEdge();
});
afterEach(async () => {
  timers.splice(0).forEach(clearInterval);
  sockets.splice(0).forEach((socket) => socket.destroy());
  await edge.close();
});

/** So many connections of one client, each of which says this and then no more; resolves when most of them are open. */
async function attack(count: number, bytes: string): Promise<Socket[]> {
  const { hostname, port } = new URL(edge.url);
  const from = newClient();
  const opened = Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: from });
    socket.write(bytes);
    // Whom nginx turns away, it may reset.
    return socket.on("error", () => undefined);
  });
  sockets = opened;
  const waiting = opened.slice(0, count / 2).filter((socket) => socket.connecting);
  await Promise.all(waiting.map((socket) => once(socket, "connect")));
  return opened;
}

/** What another client gets meanwhile, of which nothing is cached. */
async function askMeanwhile(): Promise<number> {
  const path = `${LIST}?limit=${Math.ceil(Math.random() * 100)}`;
  const answer = await Promise.race([
    edge.ask(path).then(
      ({ status }) => status,
      () => 0,
    ),
    new Promise<number>((resolve) => setTimeout(() => resolve(-1), ANSWER_MILLISECONDS)),
  ]);
  return answer;
}

/** Connections that the kernel holds open at nginx' side: a client's own port may have the same number, at another address. */
async function countOpen(): Promise<number> {
  const port = Number(new URL(edge.url).port).toString(16).toUpperCase().padStart(4, "0");
  const lines = (await readFile("/proc/net/tcp", "utf8")).split("\n");
  return lines.filter((line) => new RegExp(`^\\s*\\d+: 0100007F:${port} \\S+ ${ESTABLISHED} `).test(line)).length;
}

describe.skipIf(!hasNginx)("while one source", () => {
  it("sends 3,000 heads by half, others are answered, and none of them is waited for long", async () => {
    await attack(3_000, `GET ${LIST} HTTP/1.1\r\nHost: a\r\nX-Slow: `);
    expect(await askMeanwhile()).toBe(200);
    await expect.poll(() => countOpen(), { timeout: 20_000 }).toBe(0);
    expect(await askMeanwhile()).toBe(200);
  });

  it.each([
    ["of a length", "Content-Length: 900", "x"],
    ["in chunks", "Transfer-Encoding: chunked", "1\r\nx\r\n"],
  ])("trickles 3,000 bodies %s, others are answered, and it keeps few connections", async (_, header, piece) => {
    const opened = await attack(3_000, `POST ${LIST} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
    timers.push(
      setInterval(() => {
        for (const socket of opened) if (socket.writable) socket.write(piece);
      }, BODY_PIECE_MILLISECONDS),
    );
    expect(await askMeanwhile()).toBe(200);
    await expect.poll(() => countOpen(), { timeout: 20_000 }).toBeLessThanOrEqual(100);
    expect(await askMeanwhile()).toBe(200);
  });

  it("reads nothing over 500 connections, others are answered, and it keeps few of them", async () => {
    await attack(500, `GET ${LIST}?limit=100 HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20));
    expect(await askMeanwhile()).toBe(200);
    await expect.poll(() => countOpen(), { timeout: 30_000 }).toBeLessThanOrEqual(100);
    expect(await askMeanwhile()).toBe(200);
  });
});
