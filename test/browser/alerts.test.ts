import { expect, it } from "vitest";
import { card, describeSite, findVotePubkeys } from "./_setup.ts";

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
    expect(await mine.getByRole("listitem").locator("a").count()).toBe(votes.length);
    for (const [way, step] of [
      ["Telegram", `/subscribe ${world.origin}${path}`],
      ["E-mail", "Blogtrottr"],
      ["Discord or Slack", "MonitoRSS"],
      ["RSS", "Thunderbird"],
    ] as const) {
      const text = mine.getByText(step).first();
      expect(await text.isVisible()).toBe(false);
      await mine.getByText(way, { exact: true }).click();
      await expect.poll(() => text.isVisible()).toBe(true);
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

  it("say how to choose whom to follow, and have the feeds of everybody", async () => {
    const page = await visit("/alerts?network=testnet");
    expect(await card(page, "Your validators").innerText()).toContain("press the star");
    const rugs = card(page, "Every rug").getByRole("link", { name: /rug\.atom$/ });
    expect(await rugs.getAttribute("href")).toBe("/feeds/testnet/rug.atom");
    await page.getByText("How to follow it").first().click();
    await expect.poll(() => card(page, "Every rug").getByText("Telegram").isVisible()).toBe(true);
  });
});
