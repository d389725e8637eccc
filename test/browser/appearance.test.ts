import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeSite } from "./_setup.ts";
import { findPages, findVotePubkeys, isTooWide } from "./pages.ts";

/** Each theme and each layout once: what most screens have, and what the least of phones has. */
const LOOKS = [
  { name: "light and wide", theme: "light", width: 1280 },
  { name: "dark and narrow", theme: "dark", width: 360 },
] as const;
/** A window of 1280 pixels in which everything is four times as large (WCAG 1.4.10). */
const LEAST_PIXELS = 320;

/** Of alpenglow, whose status the page of that name asks for. */
const NOT_PUBLISHED = /status of 404/;

/** What axe finds that keeps somebody out, each with where it is. */
async function findBarriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describeSite("every page", (open) => {
  for (const { title } of findPages("")) {
    for (const { name, ...look } of LOOKS) {
      it(`can be used by everybody: ${title}, ${name}`, async () => {
        const { visit, world } = await open();
        const [votePubkey] = await findVotePubkeys(world);
        const { path } = findPages(votePubkey).find((page) => page.title === title)!;
        const page = await visit(path, { ...look, tolerates: NOT_PUBLISHED });
        expect(await page.getByRole("alert").count()).toBe(0);
        expect(await findBarriers(page)).toEqual([]);
        expect(await isTooWide(page)).toBe(false);
        await page.setViewportSize({ width: Math.min(look.width, LEAST_PIXELS), height: 900 });
        expect(await isTooWide(page)).toBe(false);
        expect(await readHeadingLevels(page)).toSatisfy(isInOrder);
      });
    }
  }
});

function readHeadingLevels(page: Page): Promise<number[]> {
  const headings = page.getByRole("main").locator("h1, h2, h3, h4, h5, h6");
  return headings.evaluateAll((all) => all.map(({ tagName }) => Number(tagName.slice(1))));
}

/** One heading of the first level, and none that skips a level below the one before. */
function isInOrder(levels: number[]): boolean {
  const steps = levels.map((level, index) => level - (levels[index - 1] ?? 0));
  return levels.filter((level) => level === 1).length === 1 && steps.every((step) => step <= 1);
}
