import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { card, describeSite, findVotePubkeys } from "./_setup.ts";

function isOnScreen(of: Locator): Promise<boolean> {
  return of.evaluate((element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return height > 0 && top >= 0 && bottom <= innerHeight;
  });
}

describeSite("Alerts", (open, visit) => {
  it("give one feed for all validators of a link, which names them, with the steps of each way", async () => {
    const { visit, world } = await open();
    const votes = (await findVotePubkeys(world)).slice(0, 3);
    const page = await visit(`/alerts?votes=${votes.join()}`);
    const mine = card(page, "Your validators");
    const path = `/feeds/mainnet.atom?votes=${votes.join()}`;
    const feed = mine.getByRole("link", { name: world.origin + path });
    expect(await feed.getAttribute("href")).toBe(path);
    const answer = await fetch(world.origin + path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "application/atom+xml; charset=utf-8",
    ]);
    expect(await mine.getByRole("list").first().getByRole("link").count()).toBe(votes.length);
    const telegram = mine.getByText(`/subscribe ${world.origin}${path}`);
    expect(await telegram.isVisible()).toBe(true);
    expect(await mine.getByRole("link", { name: "Open Blogtrottr" }).isVisible()).toBe(true);
    const begin = mine.getByRole("link", { name: "Open the bot in Telegram" });
    expect(await begin.getAttribute("href")).toBe("https://t.me/el_monitorro_bot");
    for (const [way, step] of [
      ["Discord or Slack", "Invite MonitoRSS"],
      ["RSS", "Open the feed"],
    ] as const) {
      const text = mine.getByRole("link", { name: step, includeHidden: true });
      expect(await text.isVisible()).toBe(false);
      await mine.getByText(way, { exact: true }).click();
      await expect.poll(() => text.isVisible()).toBe(true);
    }
  });

  it("keep a long command of a phone whole, and the button that copies it in view", async () => {
    const { visit, world } = await open();
    const votes = (await findVotePubkeys(world)).slice(0, 20);
    expect(votes.length).toBeGreaterThan(9);
    const page = await visit(`/alerts?votes=${votes.join()}`, { width: 360 });
    const mine = card(page, "Your validators");
    for (const [command, what] of [
      ["/subscribe ", "the message for Telegram"],
      ["r2e add ", "the command for mail"],
    ] as const) {
      const text = (await mine.getByText(command).last().boundingBox())!;
      const copy = (await mine.getByRole("button", { name: what }).boundingBox())!;
      expect(text.x + text.width).toBeLessThanOrEqual(360);
      const bottom = Math.max(text.y + text.height, copy.y + copy.height);
      expect(bottom - Math.min(text.y, copy.y)).toBeLessThan(200);
    }
  });

  it("of one validator are its own feed, and lead from the watchlist", async () => {
    const page = await visit("/watchlist?votes=VOTE");
    await page.getByRole("link", { name: "Get alerts" }).click();
    const feed = card(page, "Your validators").getByRole("link", { name: /\.atom$/ });
    await feed.waitFor();
    expect(await feed.getAttribute("href")).toMatch(
      /^\/feeds\/mainnet\/validators\/[1-9A-HJ-NP-Za-km-z]{32,44}\.atom$/,
    );
  });

  it.each([1280, 360])("of a profile show their steps in one click, %i px wide", async (width) => {
    const page = await visit("/validators/VOTE", { width });
    await page.getByRole("main").getByRole("link", { name: "Get alerts" }).click();
    const begin = page.getByRole("link", { name: "Open the bot in Telegram" });
    await expect.poll(() => isOnScreen(begin)).toBe(true);
  });

  it("say how to choose whom to follow, and have the feeds of everybody", async () => {
    const page = await visit("/alerts?network=testnet");
    expect(await card(page, "Your validators").innerText()).toContain("press the star");
    const rugs = card(page, "Every rug").getByRole("link", { name: /rug\.atom$/ });
    expect(await rugs.getAttribute("href")).toBe("/feeds/testnet/rug.atom");
    const telegram = (name: string) =>
      card(page, name).getByRole("link", { name: "Open the bot in Telegram", includeHidden: true });
    expect(await telegram("Every rug").isVisible()).toBe(true);
    expect(await telegram("Every change").isVisible()).toBe(false);
    await page.getByText("How to follow it").click();
    await expect.poll(() => telegram("Every change").isVisible()).toBe(true);
  });
});
