import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject } from "vitest";
import { collectComplaints } from "./complaints.ts";
import { openWorld, type World } from "./world.ts";

/** What a reader looks with. */
export interface Look {
  /** Pixels of CSS. */
  width?: number;
  /** What the reader's system prefers. */
  theme?: "light" | "dark";
  /** Complaints that belong to what is tested. */
  tolerates?: RegExp;
}

/** The site in a world of its own. */
export interface Site {
  world: World;
  /** Opens an address as somebody who never was here, and waits until all that it shows has come. */
  visit: (path: string, look?: Look) => Promise<Page>;
}

export type OpenSite = (options?: { perMinute?: number }) => Promise<Site>;

const HEIGHT = 900;

/**
 * Defines tests in a real browser over the published story. Any error of a page, any request to elsewhere and any bug of the
 * proxy fails the test. Skipped where there is no Chromium.
 */
export function describeSite(title: string, define: (open: OpenSite) => void): void {
  const ready = inject("ready");
  if (ready === null) {
    describe.skip(`${title} (there is no Chromium)`, () => define(() => Promise.reject(new Error("skipped"))));
    return;
  }
  describe(title, () => {
    let browser: Browser;
    beforeAll(async () => void (browser = await chromium.connect(ready.browserUrl)));
    afterAll(() => browser.close());

    const worlds: World[] = [];
    const visits: { context: BrowserContext; complaints: string[]; tolerates: RegExp }[] = [];
    afterEach(async () => {
      const ended = visits.splice(0);
      await Promise.all(ended.map(({ context }) => context.close()));
      const closed = worlds.splice(0);
      await Promise.all(closed.map((world) => world.close()));
      expect(ended.flatMap(({ complaints, tolerates }) => complaints.filter((text) => !tolerates.test(text)))).toEqual(
        [],
      );
      expect(closed.flatMap(({ log }) => log.filter(({ level }) => level === "error"))).toEqual([]);
    });

    define(async (options) => {
      const world = await openWorld(ready, options);
      worlds.push(world);
      return {
        world,
        async visit(path, { width = 1280, theme = "light", tolerates = /(?!)/ } = {}) {
          const context = await browser.newContext({
            baseURL: world.origin,
            viewport: { width, height: HEIGHT },
            colorScheme: theme,
            reducedMotion: "reduce",
          });
          visits.push({ context, complaints: await collectComplaints(context, world.origin), tolerates });
          const page = await context.newPage();
          await page.goto(path);
          await settle(page);
          return page;
        },
      };
    });
  });
}

/** Waits until a page is there and all that it reads has come, in whatever form: documents, refusals, charts. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  await expect.poll(() => page.getByRole("status").filter({ hasText: "Loading" }).count()).toBe(0);
}
