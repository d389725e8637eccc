import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { card, describeSite, NOT_PUBLISHED, PAGES, settle } from "./_setup.ts";

const background = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
const links = (page: Page) =>
  page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("link");
const networks = (page: Page) => page.getByRole("navigation", { name: "Network" });
const themeButton = (page: Page) => page.getByRole("button", { name: /theme/i });
const validators = (page: Page) => page.getByRole("table", { name: "Validators" });

describeSite("the shell around every page", (open, visit) => {
  it("leads to every page it names, by a link that says where one is", async () => {
    const page = await visit("/", { tolerates: NOT_PUBLISHED });
    const names = await links(page).allInnerTexts();
    const unnamed = [
      "Validator",
      "Watchlist",
      "Compare",
      "How we know",
      "Accused wrongly?",
      "Status",
      "Glossary",
      "Not found",
    ];
    expect(names).toEqual(
      PAGES.map(({ title }) => title).filter((title) => !unnamed.includes(title)),
    );
    for (const name of names) {
      const link = links(page).filter({ hasText: new RegExp(`^${name}$`) });
      await link.click();
      await expect.poll(() => link.getAttribute("aria-current")).toBe("page");
      await expect.poll(() => page.title()).toBe(`${name} · Rugwatch`);
      await settle(page);
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    }
  });

  it("is no demonstration, and does not say so", async () => {
    const page = await visit("/");
    await links(page).first().waitFor();
    expect(await page.getByText("Demonstration").count()).toBe(0);
  });

  it("has all entries in view", async () => {
    const page = await visit("/api");
    const toBoxes = (all: Element[]) =>
      all.map((link) => link.getBoundingClientRect().toJSON() as DOMRect);
    for (const width of [240, 360, 480, 768, 900, 1000, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const boxes = await links(page).evaluateAll(toBoxes);
      const bar = await page.getByRole("navigation", { name: "Pages", exact: true }).boundingBox();
      const isIn = ({ left, right }: DOMRect) =>
        left >= bar!.x - 1 && right <= bar!.x + bar!.width + 1;
      expect({ width, hidden: boxes.filter((box) => !isIn(box)) }).toEqual({ width, hidden: [] });
    }
  });

  it("starts a page at its top when a link far down the page before led to it", async () => {
    const page = await visit("/validators?limit=100");
    const link = validators(page).getByRole("link").last();
    // Twice: the second time everything is in memory.
    for (let time = 0; time < 2; time += 1) {
      await link.click();
      await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/validators\/\w/);
      await settle(page);
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
      await page.goBack();
      await link.waitFor();
    }
  });

  it("looks the same whichever page was seen before", async () => {
    const { visit } = await open();
    const readPlaces = (page: Page) =>
      page
        .getByRole("main")
        .locator("tr, dl > div, section, h1, h2")
        .evaluateAll((all) =>
          all.map((element) => {
            const { x, width } = element.getBoundingClientRect();
            return `${element.tagName} ${Math.round(x)} ${Math.round(width)} ${getComputedStyle(element).display}`;
          }),
        );
    const expected = await readPlaces(await visit("/validators"));
    const page = await visit("/status", { tolerates: NOT_PUBLISHED });
    await links(page).filter({ hasText: "Validators" }).click();
    await settle(page);
    await validators(page).getByRole("link").first().click();
    await settle(page);
    await card(page, "Profile").waitFor();
    await page.goBack();
    await validators(page).waitFor();
    await expect.poll(() => readPlaces(page)).toEqual(expected);
  });

  it("shows the same page of another network, and the one before by the back button", async () => {
    const page = await visit("/?severity=RUG");
    const shown = () => page.getByText("Every rise on Solana").innerText();
    expect(await shown()).toContain("mainnet");
    await networks(page).getByRole("link", { name: "testnet" }).click();
    await settle(page);
    await expect.poll(() => new URL(page.url()).search).toBe("?network=testnet");
    await expect.poll(shown).toContain("testnet");
    await expect
      .poll(() => networks(page).locator("[aria-current]").allInnerTexts())
      .toEqual(["testnet"]);
    await page.goBack();
    await settle(page);
    await expect.poll(() => new URL(page.url()).search).toBe("?severity=RUG");
    await expect.poll(shown).toContain("mainnet");
    await page.goForward();
    await expect.poll(shown).toContain("testnet");
    await expect.poll(() => page.title()).toBe("Now · testnet · Rugwatch");
  });

  it("is dark where the reader's system is, and remembers a choice of their own before anything is painted", async () => {
    const { visit } = await open();
    const bright = await background(await visit("/"));
    const page = await visit("/", { theme: "dark" });
    const dim = await background(page);
    expect(dim).not.toBe(bright);
    const themes = { Light: bright, Dark: dim, System: dim, "Light again": bright };
    for (const [name, colour] of Object.entries(themes)) {
      await themeButton(page).click();
      await expect
        .poll(() => themeButton(page).getAttribute("aria-label"))
        .toContain(`${name.split(" ")[0]} theme. `);
      await expect.poll(() => background(page)).toBe(colour);
    }
    // Blocks the site's script, so theme.js is alone.
    await page.route("**/assets/*.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: "" }),
    );
    await page.reload();
    expect(await background(page)).toBe(bright);
  });

  it("is used by keyboard alone: a link first skips to the content, and a new page goes on from there", async () => {
    const page = await visit("/nothing/here");
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
    expect((await skip.boundingBox())!.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("main");
    const link = page.getByRole("link", { name: "See the newest changes" });
    await link.focus();
    expect(await focused(page)).not.toBe("main");
    await link.press("Enter");
    await expect.poll(() => page.title()).toBe("Now · Rugwatch");
    await expect.poll(() => focused(page)).toBe("main");
  });

  it("says where no page is", async () => {
    for (const path of ["/nothing/here", "/%E0%A4%A", "/%3Cscript%3Ealert(1)%3C/script%3E"]) {
      const page = await visit(path);
      await expect.poll(() => page.title()).toBe("Not found · Rugwatch");
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(
        "There is no page here",
      );
    }
  });
});
