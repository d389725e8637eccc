import { chromium } from "playwright-core";
import type { Browser, BrowserContext, ConsoleMessage, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject } from "vitest";
import { openWorld, type World } from "./world.ts";

export interface Look {
  width?: number;
  theme?: "light" | "dark";
  tolerates?: RegExp;
}

/**
 * A first visit, with nothing cached; waits until everything is loaded. VOTE is who changed last.
 */
type Visit = (path: string, look?: Look) => Promise<Page>;

export interface Site {
  world: World;
  visit: Visit;
}

export type OpenSite = (options?: { perMinute?: number }) => Promise<Site>;

const HEIGHT = 900;
/** Its icons fail to load. */
export const BROKEN_HOST = "broken.example";
/** Alpenglow has no documents. */
export const NOT_PUBLISHED = /status of 404/;

/**
 * Tests in a real browser over the published story. Errors of a page, requests to other hosts
 * and bugs of the proxy fail them. Skipped without Chromium. `visit` opens a world for one page.
 */
export function describeSite(title: string, define: (open: OpenSite, visit: Visit) => void): void {
  const ready = inject("ready");
  if (ready === null) {
    const skipped = () => Promise.reject(new Error("skipped"));
    describe.skip(`${title} (there is no Chromium)`, () => define(skipped, skipped));
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
      const complaints = ended.flatMap((visit) =>
        visit.complaints.filter((text) => !visit.tolerates.test(text)),
      );
      expect(complaints).toEqual([]);
      expect(closed.flatMap(({ log }) => log.filter(({ level }) => level === "error"))).toEqual([]);
    });

    const open: OpenSite = async (options) => {
      const world = await openWorld(ready, options);
      worlds.push(world);
      const visit: Visit = async (
        path,
        { width = 1280, theme = "light", tolerates = /(?!)/ } = {},
      ) => {
        const context = await browser.newContext({
          baseURL: world.origin,
          viewport: { width, height: HEIGHT },
          colorScheme: theme,
          reducedMotion: "reduce",
        });
        visits.push({
          context,
          complaints: await collectComplaints(context, world.origin),
          tolerates,
        });
        const page = await context.newPage();
        const vote = path.includes("VOTE") ? (await findVotePubkeys(world))[0] : "";
        await page.goto(path.replace("VOTE", vote));
        await settle(page);
        return page;
      };
      return { world, visit };
    };
    define(open, async (path, look) => (await open()).visit(path, look));
  });
}

export async function settle(page: Page): Promise<void> {
  // By id: the generator's page of a validator has a heading before the site runs.
  await page
    .locator("#main")
    .getByRole("heading", { level: 1 })
    .first()
    .waitFor({ state: "attached" });
  await expect.poll(() => page.getByRole("status").filter({ hasText: "Loading" }).count()).toBe(0);
}

export const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

export const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

/** For `visit`. */
export const PAGES = [
  { title: "Now", path: "/" },
  { title: "Validators", path: "/validators?sort=verdict&columns=more" },
  { title: "Validator", path: "/validators/VOTE" },
  { title: "Watchlist", path: "/watchlist?votes=VOTE" },
  { title: "Compare", path: "/compare?votes=VOTE" },
  { title: "Concentration", path: "/concentration?by=validator" },
  { title: "My stake", path: "/wallet" },
  { title: "Alerts", path: "/alerts?votes=VOTE" },
  { title: "Epochs", path: "/epochs" },
  { title: "How we know", path: "/how-we-know" },
  { title: "Accused wrongly?", path: "/accused?votePubkey=VOTE" },
  { title: "Status", path: "/status" },
  { title: "Glossary", path: "/glossary#rug" },
  { title: "API", path: "/api?operation=searchValidators&q=lantern" },
  { title: "Not found", path: "/nothing/here" },
];

/** Changes documents that the store holds. Call it before the first request. */
export function changeDocument(world: World, of: RegExp, change: (document: never) => void): void {
  world.change = (text, key) => {
    if (!of.test(key)) return text;
    const document: unknown = JSON.parse(text);
    change(document as never);
    return JSON.stringify(document);
  };
}

/** Newest change first; these have content on every page. */
export async function findVotePubkeys(
  world: World,
): Promise<[newest: string, ...others: string[]]> {
  const { data } = await world.read<{ data: { votePubkey: string }[] }>("events");
  const [newest, ...others] = new Set(data.map(({ votePubkey }) => votePubkey));
  if (newest === undefined) throw new Error("nothing ever changed in the story");
  return [newest, ...others];
}

/** Regions that scroll by themselves do not count. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
}

/**
 * Errors (of the Content-Security-Policy too, which browsers log), dialogs
 * of strangers' scripts, requests to other origins. The exception: icons of
 * validators, answered here if they are images over https without a Referer.
 */
async function collectComplaints(context: BrowserContext, origin: string): Promise<string[]> {
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (/^(?:error|warning)$/.test(message.type()) && !isMissingPage(message))
      complaints.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(`script: ${error.error().message}`));
  context.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await context.route(
    (url) => url.origin !== origin,
    async (route, request) => {
      if (new URL(request.url()).hostname === BROKEN_HOST) return route.abort();
      if (isIcon(request)) return route.fulfill({ contentType: "image/svg+xml", body: ICON });
      complaints.push(`request: ${request.resourceType()} ${request.url()}`);
      return route.abort();
    },
  );
  return complaints;
}

/** Browsers log the 404 of a page too. */
function isMissingPage(message: ConsoleMessage): boolean {
  const { url } = message.location();
  return (
    NOT_PUBLISHED.test(message.text()) &&
    !/^\/(?:api|feeds|exports|badges)\/|\.\w+$/.test(new URL(url).pathname)
  );
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`;

function isIcon(request: Request): boolean {
  const isHidden = !("referer" in request.headers());
  return request.resourceType() === "image" && request.url().startsWith("https://") && isHidden;
}
