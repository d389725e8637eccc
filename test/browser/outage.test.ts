import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { card, describeSite, NOT_PUBLISHED, settle } from "./_setup.ts";

const MINUTE = 60_000;

const changes = (page: Page) => card(page, "Newest changes");
const countRows = (page: Page) => changes(page).getByRole("table").getByRole("row").count();
const alerts = (page: Page) => page.getByRole("main").getByRole("alert");
const goToNow = (page: Page) => page.getByRole("link", { name: "See the newest changes" }).click();

describeSite("an outage", (open, visit) => {
  it("of the store is told where a document is missing, and over when it is asked for again", async () => {
    const { visit, world } = await open();
    world.isStoreDown = true;
    const page = await visit("/", { tolerates: /status of 503/ });
    const alert = changes(page).getByRole("alert");
    expect(await alert.innerText()).toMatch(/\w+\./);
    expect(await countRows(page)).toBe(0);
    world.isStoreDown = false;
    world.now += MINUTE;
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => countRows(page)).toBe(1 + 12);
    await expect.poll(() => alert.count()).toBe(0);
  });

  it("of the store leaves what was held in place, marked as not up to date", async () => {
    const { visit, world } = await open();
    await (await visit("/")).close();
    world.isStoreDown = true;
    world.now += 30 * MINUTE;
    // A profile that the first page had no time to load is not held.
    const page = await visit("/", { tolerates: /status of 503/ });
    // The proxy answers from memory first and learns of the failure behind it.
    await page.reload();
    await settle(page);
    const told = [expect.stringContaining("Not up to date.")];
    await expect.poll(() => changes(page).getByRole("status").allInnerTexts()).toEqual(told);
    await expect.poll(() => countRows(page)).toBe(1 + 12);
  });

  it("of the whole API leaves what was read in place, and is told once for the whole page", async () => {
    const { visit, world } = await open();
    const page = await visit("/", { tolerates: /ERR_CONNECTION_/ });
    await card(page, "Rugs and SOL lost, by epoch").getByRole("img").waitFor();
    await world.close();
    await page.clock.install();
    await page
      .getByRole("navigation", { name: "Network" })
      .getByRole("link", { name: "testnet" })
      .click();
    const told = [expect.stringContaining("The API does not answer.")];
    await expect.poll(() => alerts(page).allInnerTexts()).toEqual(told);
    await expect.poll(() => changes(page).innerText()).toContain("Not loaded yet.");
    await page.goBack();
    await expect.poll(() => countRows(page)).toBe(1 + 12);
    // What was read is asked for again within a minute.
    await page.clock.fastForward(MINUTE);
    await expect.poll(() => changes(page).innerText()).toContain("Not up to date.");
    await expect.poll(() => alerts(page).count()).toBe(1);
  });

  it("of the way to the API is over for all blocks when one button is pressed", async () => {
    const page = await visit("/nothing/here", { tolerates: /ERR_INTERNET_DISCONNECTED/ });
    await page.route("**/api/v1/**", (route) => route.abort("internetdisconnected"));
    await goToNow(page);
    await alerts(page).waitFor();
    await page.unroute("**/api/v1/**");
    await alerts(page).getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => countRows(page)).toBe(1 + 12);
    await card(page, "Rugs and SOL lost, by epoch").getByRole("img").waitFor();
    await expect.poll(() => alerts(page).count()).toBe(0);
  });

  it("of one document that is not as the site knows it leaves the others", async () => {
    const { visit, world } = await open();
    world.change = (text, key) =>
      key.endsWith("stake-concentration.json")
        ? text.replaceAll(/"lamports":"\d/g, '"lamports":"x')
        : text;
    const page = await visit("/concentration", { tolerates: NOT_PUBLISHED });
    const alert = card(page, "How few hold a third of the stake").getByRole("alert");
    expect(await alert.innerText()).toContain("cannot show");
    await page.getByRole("link", { name: "Status", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: "How fresh the data is" }).waitFor();
    await settle(page);
    expect(await alerts(page).count()).toBe(0);
  });

  it("of the file of a page is told on that page", async () => {
    const page = await visit("/nothing/here", { tolerates: /ERR_FAILED|dynamically imported/ });
    await page.route("**/assets/Now*.js", (route) => route.abort());
    await goToNow(page);
    await expect
      .poll(() => alerts(page).allInnerTexts())
      .toEqual([expect.stringContaining("did not load")]);
  });

  it("by the limit is told once to who reached it, and what is missing comes by itself", async () => {
    const { visit } = await open({ perMinute: 2 });
    const page = await visit("/", { tolerates: /status of 429/ });
    const told = [expect.stringMatching(/^Too many requests\. The rest loads in \d+ s\.$/)];
    await expect.poll(() => alerts(page).allInnerTexts()).toEqual(told);
  });
});
