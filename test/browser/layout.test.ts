import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeSite, isTooWide, NOT_PUBLISHED, PAGES } from "./_setup.ts";

/**
 * Phones, tablets and windows, the least and the most of
 * each layout; 320: 1280 at 400 % zoom (WCAG 1.4.10).
 */
const WIDTHS = [1920, 1600, 1280, 1266, 1140, 1025, 1000, 900, 768, 620, 360, 320];

describeSite("every page at every width", (_, visit) => {
  it.each(PAGES)("has room for all it shows: $title", async ({ path }) => {
    const page = await visit(path, { tolerates: NOT_PUBLISHED });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const found = {
        isTooWide: await isTooWide(page),
        tooWide: await findTooWide(page),
        broken: await findBroken(page),
        hiddenStops: await findHiddenStops(page),
        collisions: await findCollisions(page),
      };
      expect({ width, ...found }).toEqual({
        width,
        isTooWide: false,
        tooWide: [],
        broken: [],
        hiddenStops: [],
        collisions: [],
      });
    }
  });

  it("keeps what leads to the comparison beside the longest name of a network", async () => {
    const page = await visit("/validators?network=alpenglow", {
      width: 360,
      tolerates: NOT_PUBLISHED,
    });
    const link = page.getByRole("main").getByRole("link", { name: "Compare" });
    const heading = (await page.getByRole("heading", { level: 1 }).boundingBox())!;
    expect((await link.boundingBox())!.y).toBeLessThan(heading.y + heading.height / 2);
  });

  it("breaks no country's name", async () => {
    const page = await visit("/concentration");
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect({ width, broken: await findBrokenWords(page) }).toEqual({ width, broken: [] });
    }
  });
});

/** What belongs on one line and took several. */
function findBroken(page: Page): Promise<string[]> {
  return page.locator("#main :is(.date, .verdict-word, .amount)").evaluateAll((all) => {
    const LINE_PIXELS = 12;
    return all
      .filter((of) => {
        const range = document.createRange();
        range.selectNodeContents(of);
        const bottoms = [...range.getClientRects()].map(({ bottom }) => bottom);
        return Math.max(...bottoms) - Math.min(...bottoms) > LINE_PIXELS;
      })
      .map((of) => of.textContent);
  });
}

/** Cards whose content stands out of them. */
function findTooWide(page: Page): Promise<string[]> {
  return page.locator(".card").evaluateAll((cards) => {
    const wide = cards.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    return wide.map((card) => card.getAttribute("class") ?? "");
  });
}

/** What the keyboard reaches and nobody sees (WCAG 2.4.7). */
function findHiddenStops(page: Page): Promise<string[]> {
  return page
    .locator("a[href], button, input, select, summary, [tabindex='0']")
    .evaluateAll((all) =>
      all
        .filter((stop) => stop.checkVisibility({ visibilityProperty: true }))
        .filter((stop) => {
          for (let part: Element | null = stop; part !== null; part = part.parentElement)
            if (getComputedStyle(part).clipPath !== "none") return true;
          return false;
        })
        .map((stop) => stop.outerHTML.slice(0, 120)),
    );
}

/** Texts and pictures that stand on others. */
function findCollisions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const TOLERANCE_PIXELS = 3;
    const boxes: { left: number; top: number; right: number; bottom: number; of: Node }[] = [];
    const add = (element: Element, of: Node, { left, top, right, bottom }: DOMRect) => {
      const box = { left, top, right, bottom, of };
      for (let part: Element | null = element; part !== null; part = part.parentElement) {
        const { overflowX, clipPath, position } = getComputedStyle(part);
        // Sticky cells cover what scrolls below them.
        if (clipPath !== "none" || position === "sticky") return;
        if (overflowX === "visible" || part === document.documentElement) continue;
        const cut = part.getBoundingClientRect();
        box.left = Math.max(box.left, cut.left);
        box.right = Math.min(box.right, cut.right);
        box.top = Math.max(box.top, cut.top);
        box.bottom = Math.min(box.bottom, cut.bottom);
      }
      boxes.push(box);
    };
    const main = document.getElementById("main")!;
    for (const icon of main.querySelectorAll(".icon, svg"))
      add(icon, icon, icon.getBoundingClientRect());
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      const element = node.parentElement!;
      if (
        element.closest(".icon, .uplot") !== null ||
        !element.checkVisibility({ visibilityProperty: true })
      )
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) add(element, node, box);
    }
    const toText = ({ of }: { of: Node }) => (of.textContent ?? "").slice(0, 40);
    const found = boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter(({ of, left, top, right, bottom }) => {
          const width = Math.min(one.right, right) - Math.max(one.left, left);
          const height = Math.min(one.bottom, bottom) - Math.max(one.top, top);
          // A drawing's own words stand in it.
          const isApart = !one.of.contains(of) && !of.contains(one.of);
          return isApart && width > TOLERANCE_PIXELS && height > TOLERANCE_PIXELS;
        })
        .map((other) => `${toText(one)} | ${toText(other)}`),
    );
    return [...new Set(found)].slice(0, 5);
  });
}

/** In tables, whose columns could be wider. */
function findBrokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    for (const cell of document.querySelectorAll("#main :is(td, th)")) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      while (texts.nextNode())
        for (const { 0: word, index } of (texts.currentNode.textContent ?? "").matchAll(
          /\p{L}{2,15}/gu,
        )) {
          const range = document.createRange();
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + word.length);
          const lines = [...range.getClientRects()].map(({ top }) => Math.round(top));
          if (new Set(lines).size > 1) found.add(word);
        }
    }
    return [...found].slice(0, 5);
  });
}
