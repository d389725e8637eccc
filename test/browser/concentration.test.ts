import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { describeSite } from "./_setup.ts";

/** What the page calls a list of the document, and the document. */
const DIMENSIONS = [
  ["country", "byCountry"],
  ["data centre", "byDataCenter"],
  ["city", "byCity"],
  ["autonomous system", "byAsn"],
  ["client", "byClient"],
  ["validator", "byValidator"],
] as const;

describeSite("Concentration", (open) => {
  it("says how few hold a third, and who, by every dimension", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"stakeConcentration">>("stats/stake-concentration");
    const page = await visit("/concentration");
    const links = page.getByRole("navigation", { name: "Shares by" }).getByRole("link");
    for (const [index, [name, list]] of DIMENSIONS.entries()) {
      const link = links.nth(index);
      const text = (await link.innerText()).replaceAll(/\s+/g, " ");
      expect(text).toMatch(new RegExp(`^${data.nakamotoCoefficients[list]} ${name}s? of ${data[list].length}$`));
      await link.click();
      await expect.poll(() => link.getAttribute("aria-current")).toBe("true");
      const table = page.getByRole("table", { name: new RegExp(`by ${name}`) });
      const rows = table.getByRole("rowheader");
      await expect.poll(() => rows.count()).toBeGreaterThan(0);
      // A country is told by its name, of which the document has the code.
      const largest = list === "byCountry" ? /^1\s+\w{3,}/ : data[list][0]!.name;
      expect(await rows.first().innerText()).toMatch(largest);
    }
  });

  it("says what is not located", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"stakeConcentration">>("stats/stake-concentration");
    const page = await visit("/concentration");
    const text = await page.getByRole("main").innerText();
    expect(text).toContain(`${data.summary.geoCoveragePercent} % of the stake is located`);
  });

  it("says so where nothing is known of a network", async () => {
    const { visit } = await open();
    const page = await visit("/concentration?network=alpenglow", { tolerates: /status of 404/ });
    expect(await page.getByRole("main").getByRole("table").count()).toBe(0);
    expect((await page.getByRole("main").innerText()).toLowerCase()).toMatch(
      /nothing|no validator|not known|not located/,
    );
  });
});
