import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { card, describeSite, NOT_PUBLISHED, settle } from "./_setup.ts";

/** Requests of the API, which count for the limit. */
function countCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(?:api|feeds|badges|exports|pages)\//.test(pathname)) calls.push(pathname + search);
  });
  return calls;
}

async function isIdle(page: Page): Promise<void> {
  await settle(page);
  await page.waitForLoadState("networkidle");
}

describeSite("a page", (open) => {
  it.each([
    { path: "/", most: 4 },
    { path: "/validators", most: 2 },
    { path: "/validators/VOTE", most: 5 },
    // All validators of the wallet, and what every page shares: the epoch, the newest changes.
    { path: "/wallet?wallet=WALLET", most: 3 },
  ])("asks the API $most times at most: $path", async ({ path, most }) => {
    const { visit, world } = await open();
    const page = await visit("/nothing/here", { tolerates: NOT_PUBLISHED });
    await isIdle(page);
    const calls = countCalls(page);
    const [vote = ""] = (await world.read<{ data: { votePubkey: string }[] }>("events")).data.map(
      ({ votePubkey }) => votePubkey,
    );
    await page.goto(path.replace("VOTE", vote).replace("WALLET", world.wallet));
    await isIdle(page);
    expect(calls).toSatisfy(({ length }: string[]) => length > 0 && length <= most);
  });

  it("reads what lies below the first screen when somebody comes near it", async () => {
    const page = await (await open()).visit("/validators/VOTE", { tolerates: NOT_PUBLISHED });
    const calls = countCalls(page);
    await card(page, "Uptime").scrollIntoViewIfNeeded();
    await expect.poll(() => calls.some((call) => call.includes("/uptime?"))).toBe(true);
    await card(page, "Uptime")
      .getByText(/delinquent in/)
      .first()
      .waitFor();
  });

  it("asks once for all validators of a wallet, where the page before it has read the rest", async () => {
    const { visit, world } = await open();
    const page = await visit("/", { tolerates: NOT_PUBLISHED });
    await isIdle(page);
    await page.getByRole("link", { name: "My stake", exact: true }).click();
    await settle(page);
    const calls = countCalls(page);
    await page.getByRole("textbox", { name: /Address of a wallet/ }).fill(world.wallet);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await card(page, "Your validators").getByRole("table").waitFor();
    await isIdle(page);
    expect(calls).toEqual([`/api/v1/wallets/${world.wallet}`]);
  });

  it("does not ask again for what the page before it has just read", async () => {
    const page = await (await open()).visit("/", { tolerates: NOT_PUBLISHED });
    await isIdle(page);
    await page.getByRole("link", { name: "Validators", exact: true }).click();
    await page.getByRole("table").getByRole("link").first().waitFor();
    await isIdle(page);
    await page.getByRole("table").getByRole("link").first().click();
    await page.getByRole("heading", { name: "Changes" }).waitFor();
    await isIdle(page);
    const asked = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => name),
    );
    const calls = asked.filter((url) => new URL(url).pathname.startsWith("/api/"));
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.filter((url, index) => calls.indexOf(url) !== index)).toEqual([]);
  });
});

describeSite("a reader at a human pace", (open) => {
  it("sees the front page, the list and six validators in a minute, and is never refused", async () => {
    // A refusal is an error in the console, which fails the test.
    const { visit, world } = await open({ perMinute: 60 });
    const page = await visit("/", { tolerates: NOT_PUBLISHED });
    const calls = countCalls(page);
    for (let index = 0; index < 6; index += 1) {
      await page.goto("/validators");
      await isIdle(page);
      await page.getByRole("table").getByRole("link").nth(index).click();
      await page.getByRole("heading", { name: "Changes" }).waitFor();
      await isIdle(page);
    }
    expect(calls.length).toBeGreaterThan(12);
    expect(world.log.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("who reaches the limit has the verdict, and is told when the rest loads", async () => {
    const { visit } = await open({ perMinute: 3 });
    const page = await visit("/validators/VOTE", { tolerates: /status of 4(?:04|29)/ });
    await expect
      .poll(() => page.getByRole("main").getByRole("alert").allInnerTexts())
      .toEqual([expect.stringMatching(/^Too many requests\. The rest loads in \d+ s\.$/)]);
    expect(await page.getByRole("region", { name: /^Verdict:/ }).count()).toBe(1);
  });
});
