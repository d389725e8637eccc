import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, type TestContext } from "vitest";
import { hasNginx, newClient, startEdge, type Edge } from "./_edge.ts";

const LIST = "/api/v1/validators";
/** Below the minute that nginx waits by default, far above what a busy machine takes. */
const ANSWER_MILLISECONDS = 30_000;
/** https://docs.kernel.org/networking/proc_net_tcp.html */
const ESTABLISHED = "01";
const BODY_PIECE_MILLISECONDS = 500;

interface Attacked {
  edge: Edge;
  onTestFinished: TestContext["onTestFinished"];
}

async function attack(
  { edge, onTestFinished }: Attacked,
  count: number,
  bytes: string,
): Promise<Socket[]> {
  const { hostname, port } = new URL(edge.url);
  const from = newClient();
  const opened = Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: from });
    socket.write(bytes);
    // nginx may reset those it turns away.
    return socket.on("error", () => undefined);
  });
  onTestFinished(() => opened.forEach((socket) => socket.destroy()));
  const waiting = opened.slice(0, count / 2).filter((socket) => socket.connecting);
  await Promise.all(waiting.map((socket) => once(socket, "connect")));
  return opened;
}

async function askMeanwhile(edge: Edge): Promise<number> {
  const path = `${LIST}?limit=${Math.ceil(Math.random() * 100)}`;
  const answered = edge.ask(path).then(
    ({ status }) => status,
    () => 0,
  );
  return Promise.race([answered, wait(ANSWER_MILLISECONDS, -1)]);
}

/**
 * Connections the kernel holds open on nginx's side; a
 * client's port may have the same number at another address.
 */
async function countOpen(edge: Edge): Promise<number> {
  const port = Number(new URL(edge.url).port).toString(16).toUpperCase().padStart(4, "0");
  const lines = (await readFile("/proc/net/tcp", "utf8")).split("\n");
  return lines.filter((line) =>
    new RegExp(`^\\s*\\d+: 0100007F:${port} \\S+ ${ESTABLISHED} `).test(line),
  ).length;
}

/** Each test has its own nginx: they mostly wait, so they run at the same time. */
async function start({ onTestFinished }: TestContext): Promise<Attacked> {
  const edge = await startEdge();
  onTestFinished(() => edge.close());
  return { edge, onTestFinished };
}

async function expectToOutlive({ edge }: Attacked, openMost: number): Promise<void> {
  expect(await askMeanwhile(edge)).toBe(200);
  await expect.poll(() => countOpen(edge), { timeout: 40_000 }).toBeLessThanOrEqual(openMost);
  expect(await askMeanwhile(edge)).toBe(200);
}

describe.skipIf(!hasNginx).concurrent("while one source", () => {
  it("sends 3,000 heads by half, others are answered, and none of them is waited for long", async (context) => {
    const attacked = await start(context);
    await attack(attacked, 3_000, `GET ${LIST} HTTP/1.1\r\nHost: a\r\nX-Slow: `);
    await expectToOutlive(attacked, 0);
  });

  it.for<[string, string, string]>([
    ["of a length", "Content-Length: 900", "x"],
    ["in chunks", "Transfer-Encoding: chunked", "1\r\nx\r\n"],
  ])(
    "trickles 3,000 bodies %s, others are answered, and it keeps few connections",
    async ([, header, piece], context) => {
      const attacked = await start(context);
      const opened = await attack(
        attacked,
        3_000,
        `POST ${LIST} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`,
      );
      const timer = setInterval(() => {
        for (const socket of opened) if (socket.writable) socket.write(piece);
      }, BODY_PIECE_MILLISECONDS);
      attacked.onTestFinished(() => clearInterval(timer));
      await expectToOutlive(attacked, 100);
    },
  );

  it("reads nothing over 500 connections, others are answered, and it keeps few of them", async (context) => {
    const attacked = await start(context);
    await attack(attacked, 500, `GET ${LIST}?limit=100 HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20));
    await expectToOutlive(attacked, 100);
  });
});
