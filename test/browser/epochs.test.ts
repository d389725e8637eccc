import { expect, it } from "vitest";
import type { Epoch } from "../../generator/contract/epoch.ts";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { card, describeSite, parameter, settle } from "./_setup.ts";

describeSite("Epochs", (open, visit) => {
  it("tells of each epoch when it began and how many rugged, and who on demand", async () => {
    const { visit, world } = await open();
    const { data: epochs } = await world.read<DocumentOf<"epochs">>("epochs");
    const { data: rugs } = await world.read<DocumentOf<"rugsPerEpoch">>(
      "stats/rugs-per-epoch?epochs=100",
    );
    const page = await visit("/epochs");
    const rows = card(page, "Rugs of each epoch, newest first").locator(".epoch-rows > li");
    await expect.poll(() => rows.count()).toBe(Math.min(epochs.length, 20));
    const worst = rugs.findLast(({ uniqueValidators }) => uniqueValidators > 0)!;
    const row = rows.filter({ hasText: `Epoch ${worst.epoch}` });
    await expect.poll(() => row.innerText()).toContain(`${worst.totalEvents} rug`);
    await row.getByRole("button", { name: `Show who rugged in epoch ${worst.epoch}` }).click();
    await expect
      .poll(() => row.locator(".ruggers > li").count())
      .toBeGreaterThanOrEqual(worst.uniqueValidators);
  });

  it.each([1280, 360])("breaks no number of an epoch at %i pixels", async (width) => {
    const page = await visit("/epochs", { width });
    const names = card(page, "Rugs of each epoch, newest first").locator(".epoch-rows strong");
    await expect.poll(() => names.count()).toBeGreaterThan(5);
    const heights = await names.evaluateAll((all) =>
      all.map((name) => name.getBoundingClientRect().height),
    );
    expect(Math.max(...heights)).toBeLessThan(32);
  });

  it("says how many slots the epoch has here and how long it takes, whatever it is elsewhere", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<{ data: Epoch }>("epoch");
    const page = await visit("/epochs");
    const slots = data.slotsInEpoch.toLocaleString("en");
    await page
      .getByText(`Epoch ${data.epoch} has ${slots} slots, takes about 6 h and ends about `)
      .waitFor();
    await page.getByRole("button", { name: "epoch", exact: true }).click();
    await page.getByRole("note").getByText("on Solana's mainnet 432,000, about a day").waitFor();
  });

  it.each(["/nothing/here", `/validators/${"1".repeat(32)}`])(
    "a page that has nothing to show offers a search: %s",
    async (path) => {
      const page = await visit(path, { tolerates: /status of 404/ });
      await page.getByRole("searchbox", { name: "Find a validator" }).fill("va");
      await page.keyboard.press("Enter");
      await expect.poll(() => parameter(page, "q")).toBe("va");
      await settle(page);
      await card(page, "Search results").waitFor();
    },
  );
});
