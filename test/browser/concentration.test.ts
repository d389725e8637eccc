import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { describeSite, NOT_PUBLISHED } from "./_setup.ts";

type StakeConcentration = DocumentOf<"stakeConcentration">;

const DIMENSIONS = {
  country: "byCountry",
  "data center": "byDataCenter",
  city: "byCity",
  "autonomous system": "byAsn",
  client: "byClient",
  validator: "byValidator",
} as const;

describeSite("Concentration", (open, visit) => {
  it("says how few hold a third, who by every dimension, and what is not located", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<StakeConcentration>("stats/stake-concentration");
    const page = await visit("/concentration");
    const located = `The located stake is ${data.summary.geoCoveragePercent}\u00a0% of all stake`;
    const main = await page.getByRole("main").innerText();
    expect(main).toContain(located);
    expect(main).not.toMatch(/We know the location|is not known: only/);
    const links = page.getByRole("navigation", { name: "Shares by" }).getByRole("link");
    for (const [index, [name, list]] of Object.entries(DIMENSIONS).entries()) {
      const link = links.nth(index);
      const text = (await link.innerText()).replaceAll(/\s+/g, " ");
      expect(text).toMatch(
        new RegExp(`^${data.nakamotoCoefficients[list]} ${name}s? of ${data[list].length}$`),
      );
      await link.click();
      await expect.poll(() => link.getAttribute("aria-current")).toBe("true");
      const rows = page
        .getByRole("table", { name: new RegExp(`by ${name}`) })
        .getByRole("rowheader");
      expect(await rows.first().innerText()).toMatch(
        list === "byCountry" ? /^1\s+\w{3,}/ : data[list][0]!.name,
      );
    }
  });

  it("says so where nothing is known of a network", async () => {
    const main = (
      await visit("/concentration?network=alpenglow", { tolerates: NOT_PUBLISHED })
    ).getByRole("main");
    expect(await main.getByRole("table").count()).toBe(0);
    expect(await main.innerText()).toContain("We have no locations for alpenglow yet");
  });
});
