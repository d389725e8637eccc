import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { toSeverity } from "../../public/format/lines.ts";
import { describeSite } from "./_setup.ts";

/** The demo's site, which this is, says on every page what it is. */
const demonstration = (page: Page) =>
  page.getByRole("banner").getByText(/^Demonstration: made-up validators/);

describeSite("the site", (open) => {
  it("leads from the newest rise to the validator that made it, and finds one by name", async () => {
    const { visit, world } = await open();
    const { data: events } = await world.read<DocumentOf<"events">>("events");
    const newest = events.find((event) => toSeverity(event) !== "INFO");
    const page = await visit("/");
    await demonstration(page).waitFor();
    const changes = page.getByRole("region", { name: "Newest changes" });
    await changes.getByRole("link").first().click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/validators/${newest?.votePubkey}`);
    const heading = page.getByRole("heading", { level: 1 });
    await expect.poll(() => heading.innerText()).toContain(newest?.validatorName ?? "");

    const { data: validators } = await world.read<DocumentOf<"validators">>("validators");
    const named = validators.find(({ name }) => name !== null);
    await page.getByRole("link", { name: "Validators", exact: true }).click();
    await page.getByRole("searchbox", { name: "Search by name or key" }).fill(named?.name ?? "");
    const results = page.getByRole("region", { name: "Search results" });
    await expect
      .poll(() => results.getByRole("link").first().getAttribute("href"))
      .toContain(named?.votePubkey);
    await demonstration(page).waitFor();
  });
});
