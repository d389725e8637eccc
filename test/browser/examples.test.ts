import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterEach, expect, inject, it, onTestFinished } from "vitest";
import { describeSite, findVotePubkeys } from "./_setup.ts";

const EXAMPLE = join(import.meta.dirname, "../../public/examples/verdict.html");

/** Serves the example as another site would. */
async function serveExample(): Promise<string> {
  const html = await readFile(EXAMPLE);
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describeSite("the example for a page of one's own", (open) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function visit(api: string, vote: string) {
    const browser = await chromium.connect(inject("ready")?.browserUrl ?? "");
    closers.push(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${await serveExample()}/?${new URLSearchParams({ api, vote }).toString()}`);
    return page;
  }

  async function openWithVote() {
    const { world } = await open();
    const [vote] = await findVotePubkeys(world);
    return { world, vote };
  }

  it("shows verdict, reasons and badge of a validator", async () => {
    const { world, vote } = await openWithVote();
    const page = await visit(world.origin, vote);
    const { data } = await world.read<{
      data: { name: string; verdict: { level: string; reasons: { text: string }[] } };
    }>(`validators/${vote}`);
    await expect
      .poll(() => page.getByRole("status").innerText())
      .toBe(`Verdict: ${data.verdict.level}`);
    expect(await page.getByRole("heading").innerText()).toBe(data.name);
    expect(await page.getByRole("listitem").allInnerTexts()).toEqual(
      data.verdict.reasons.map(({ text }) => text),
    );
    const badge = page.getByRole("img");
    await expect
      .poll(() => badge.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(50);
  });

  it("says what is wrong of a validator that nobody knows", async () => {
    const { world } = await openWithVote();
    const page = await visit(world.origin, "1".repeat(32));
    await expect
      .poll(() => page.getByRole("status").innerText())
      .toMatch(/^Rugwatch does not answer: .*1{32}/);
  });
});
