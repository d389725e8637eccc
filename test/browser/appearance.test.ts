import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeSite, NOT_PUBLISHED, PAGES } from "./_setup.ts";

/** Each theme and each layout once. */
const LOOKS = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 360 },
] as const;

/** In the page itself ("legacy mode"): the site has no frames, and it takes a third of the time. */
async function findBarriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({
      resultTypes: ["violations"],
      // WCAG 2.5.8, which axe leaves out by default.
      rules: { "target-size": { enabled: true } },
    })
    .analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describeSite("every page", (_, visit) => {
  it.each(PAGES)("can be used by everybody: $title", async ({ path }) => {
    const page = await visit(path, { tolerates: NOT_PUBLISHED });
    for (const { theme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 900 });
      expect(await page.getByRole("alert").count()).toBe(0);
      expect({ theme, barriers: await findBarriers(page) }).toEqual({ theme, barriers: [] });
      const headings = page.getByRole("main").locator("h1, h2, h3, h4, h5, h6");
      const levels = await headings.evaluateAll((all) =>
        all.map(({ tagName }) => Number(tagName.slice(1))),
      );
      expect(levels).toSatisfy(isInOrder);
    }
  });
});

describeSite("paper", (_, visit) => {
  it("gets dark text on a light ground, whatever the screen has, and nothing to press", async () => {
    const page = await visit("/validators/VOTE", { theme: "dark", tolerates: NOT_PUBLISHED });
    const readColours = () =>
      page.evaluate(() => {
        const { color, backgroundColor } = getComputedStyle(document.documentElement);
        return { color, backgroundColor };
      });
    expect(await readColours()).toEqual({
      color: "rgb(228, 235, 239)",
      backgroundColor: "rgb(14, 20, 24)",
    });
    await page.emulateMedia({ media: "print" });
    expect(await readColours()).toEqual({
      color: "rgb(20, 33, 43)",
      backgroundColor: "rgb(255, 255, 255)",
    });
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(await page.getByRole("button", { name: /^(?:Copy|Evidence|Watch)/ }).count()).toBe(0);
  });
});

function isInOrder(levels: number[]): boolean {
  const steps = levels.map((level, index) => level - (levels[index - 1] ?? 0));
  return levels.filter((level) => level === 1).length === 1 && steps.every((step) => step <= 1);
}
