import type { Page, Response } from "playwright-core";
import { expect, it } from "vitest";
import { FIRST_PAGE } from "../bench/prices.ts";
import { describeSite, type Site } from "./_setup.ts";

/** Smaller answers need no compression. */
const SMALL_BYTES = 2_000;

/** The proxy answers the first request before compression is done (proxy/answers). */
async function warmUp(site: Site): Promise<void> {
  const { responses } = await load(site);
  const documents = responses.map((response) => response.url()).filter((url) => url.includes("/api/v1/"));
  const findPlain = async () => {
    const answers = await Promise.all(documents.map((url) => fetch(url, { headers: { "accept-encoding": "br" } })));
    const isPlain = ({ headers }: globalThis.Response) =>
      headers.get("content-encoding") === null && Number(headers.get("content-length")) > SMALL_BYTES;
    return answers.filter(isPlain).map(({ url }) => url);
  };
  await expect.poll(findPlain).toEqual([]);
}

async function load({ visit, world }: Site): Promise<{ page: Page; responses: Response[] }> {
  const page = await visit("/nothing/here");
  const responses: Response[] = [];
  page.on("response", (response) => {
    if (response.url().startsWith(world.origin)) responses.push(response);
  });
  await page.goto("/");
  await page.getByRole("main").locator("canvas").waitFor();
  await expect.poll(() => page.getByRole("main").getByText("…", { exact: true }).count()).toBe(0);
  return { page, responses };
}

describeSite("the first page", (open) => {
  it("weighs 100 KB at most, in few requests", async () => {
    const site = await open();
    await warmUp(site);
    const { responses } = await load(site);
    const sizes = await Promise.all(
      responses.map(async (response) => ({
        path: new URL(response.url()).pathname,
        bytes: (await response.request().sizes()).responseBodySize,
      })),
    );
    expect(sizes.filter(({ bytes }) => bytes === 0)).toEqual([]);
    expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(FIRST_PAGE.bytes);
    expect(sizes.length).toBeLessThanOrEqual(FIRST_PAGE.requests);
  });
});
