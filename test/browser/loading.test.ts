import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";
import { expect, it } from "vitest";
import { FIRST_PAGE } from "../bench/prices.ts";
import { describeSite, findVotePubkeys, NOT_PUBLISHED, settle, type Site } from "./_setup.ts";

async function load({ visit, world }: Site): Promise<Response[]> {
  const page = await visit("/nothing/here");
  const responses: Response[] = [];
  page.on("response", (response) => {
    if (response.url().startsWith(world.origin)) responses.push(response);
  });
  await page.goto("/");
  await page.getByRole("img", { name: /^Rugs and SOL lost/ }).waitFor();
  await expect.poll(() => page.getByRole("main").getByText("…", { exact: true }).count()).toBe(0);
  return responses;
}

describeSite("the first page", (open) => {
  it("weighs 100 KB at most, in few requests", async () => {
    const site = await open();
    // As the CDN or nginx sends them.
    const bytes = await Promise.all(
      (await load(site)).map(async (response) => {
        const body = await (await fetch(response.url())).arrayBuffer();
        expect(body.byteLength, response.url()).toBeGreaterThan(0);
        return gzipSync(body).byteLength;
      }),
    );
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(FIRST_PAGE.bytes);
    expect(bytes.length).toBeLessThanOrEqual(FIRST_PAGE.requests);
  });
});

/** «Good», https://web.dev/articles/cls. */
const SHIFT_MAX = 0.1;

const PAGES = [
  "/",
  "/validators",
  "/validators/VOTE",
  "/concentration",
  "/wallet?wallet=WALLET",
  "/status",
];
const CASES = PAGES.flatMap((path) => [360, 1280].map((width) => ({ path, width })));

describeSite("what somebody reads or is about to press", (open) => {
  it.each(CASES)(
    "stays in its place while $path loads, $width pixels wide",
    async ({ path, width }) => {
      const { visit, world } = await open();
      const [votePubkey] = await findVotePubkeys(world);
      const page = await visit("/nothing/here", { width, tolerates: NOT_PUBLISHED });
      const { promise: shown, resolve: show } = Promise.withResolvers<undefined>();
      await page.route("**/api/v1/**", async (route) => {
        await shown;
        await route.continue();
      });
      await page.addInitScript(watchShifts);
      await page.goto(path.replace("VOTE", votePubkey).replace("WALLET", world.wallet));
      await page.getByRole("status").filter({ hasText: "Loading" }).first().waitFor();
      show(undefined);
      await settle(page);
      const shifts = await readShifts(page);
      expect(shifts).toSatisfy(
        (all: Shift[]) => all.reduce((sum, { value }) => sum + value, 0) < SHIFT_MAX,
      );
    },
  );
});

interface Shift {
  value: number;
  of: string[];
}

function watchShifts(): void {
  const shifts: unknown[] = [];
  Object.assign(globalThis, { shifts });
  const tell = ({
    value,
    sources,
  }: PerformanceEntry & { value: number; sources: { node: Node | null }[] }) =>
    shifts.push({
      value,
      of: sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 60) : "")),
    });
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => tell(entry as never))) //
    .observe({ type: "layout-shift", buffered: true });
}

function readShifts(page: Page): Promise<Shift[]> {
  return page.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts);
}
