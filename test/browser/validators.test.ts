import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { card, describeSite, parameter, settle } from "./_setup.ts";

type Validators = DocumentOf<"validators">;

const table = (page: Page) => page.getByRole("table", { name: "Validators" });
const keys = (page: Page) =>
  table(page)
    .getByRole("link")
    .evaluateAll((links) =>
      links.map((link) => link.getAttribute("href")!.split("/").at(-1)!.split("?")[0]),
    );
const paging = (page: Page) => page.getByRole("navigation", { name: "Pages of the list" });
const search = (page: Page) => page.getByRole("searchbox", { name: "Search by name or key" });
const results = (page: Page) => card(page, "Search results");
const toKeys = ({ data }: Pick<Validators, "data">) => data.map(({ votePubkey }) => votePubkey);

describeSite("the list of validators", (open, visit) => {
  it("is that of the API, in pages as long as is chosen, and the back button goes through them", async () => {
    const { visit, world } = await open();
    const first = toKeys(await world.read<Validators>("validators"));
    const second = toKeys(await world.read<Validators>("validators?page=2"));
    const page = await visit("/validators");
    expect(await keys(page)).toEqual(first);
    await paging(page).getByRole("link", { name: "Next page" }).click();
    await expect.poll(() => keys(page)).toEqual(second);
    await expect.poll(() => parameter(page, "page")).toBe("2");
    await expect.poll(() => paging(page).getByRole("link", { name: "Next page" }).count()).toBe(0);
    await page.goBack();
    await expect.poll(() => keys(page)).toEqual(first);
    await page.getByRole("combobox", { name: "Rows" }).selectOption("25");
    await expect.poll(() => keys(page)).toEqual(first.slice(0, 25));
    await expect.poll(() => paging(page).innerText()).toContain("Page 1 of 3");
    await expect.poll(() => parameter(page, "limit")).toBe("25");
  });

  it("leads to the comparison", async () => {
    const page = await visit("/validators?network=testnet");
    await page.getByRole("main").getByRole("link", { name: "Compare" }).click();
    await page.getByRole("heading", { level: 1, name: "Compare on testnet" }).waitFor();
  });

  it.each([
    ["MEV", "mev", "mevCommission"],
    ["Inflation", "applied", "appliedCommission"],
  ] as const)(
    "is sorted by %s where its head is pressed, over all pages, and back",
    async (name, sort, of) => {
      const { visit, world } = await open();
      const { data } = await world.read<Validators>("validators?limit=100");
      const page = await visit("/validators?page=2");
      const head = table(page).getByRole("columnheader", { name: new RegExp(`^${name}`) });
      await head.getByRole("button").first().click();
      await expect.poll(() => head.getAttribute("aria-sort")).toBe("descending");
      await settle(page);
      await expect.poll(() => parameter(page, "sort")).toBe(sort);
      const byKey = new Map(data.map((validator) => [validator.votePubkey, validator[of]]));
      const commissions = async () => (await keys(page)).map((key) => byKey.get(key!) ?? -1);
      const highest = data
        .map((validator) => validator[of] ?? -1)
        .toSorted((one, other) => other - one);
      await expect.poll(commissions).toEqual(highest.slice(0, 50));
      await head.getByRole("button").first().click();
      await expect.poll(() => head.getAttribute("aria-sort")).toBe("ascending");
      const known = highest.filter((commission) => commission >= 0).reverse();
      await expect.poll(commissions).toEqual(known.slice(0, 50));
    },
  );

  it("shows twenty rows at once on a small laptop, and breaks no word on a phone", async () => {
    const page = await visit("/validators");
    await page.setViewportSize({ width: 1280, height: 800 });
    const last = await table(page).getByRole("row").nth(20).boundingBox();
    expect(last!.y + last!.height).toBeLessThanOrEqual(800);
    await page.setViewportSize({ width: 360, height: 740 });
    const cells = table(page).getByRole("cell");
    const wraps = await cells.evaluateAll((all) =>
      all.map((cell) => getComputedStyle(cell).overflowWrap),
    );
    expect(wraps).not.toContain("anywhere");
  });

  it("marks who does not vote, shows each verdict, and puts no red mark beside a good one", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<Validators>("validators?limit=100");
    const page = await visit("/validators?limit=100");
    const expected = data.filter(({ delinquent }) => delinquent).length;
    expect(expected).toBeGreaterThan(0);
    expect(
      await table(page).getByRole("cell").getByText("delinquent", { exact: true }).count(),
    ).toBe(expected);
    const verdicts = await table(page).locator(".verdict-word").allInnerTexts();
    const words = { bad: "✕ Bad", caution: "! Caution", good: "✓ Good", unknown: "? Not known" };
    expect(verdicts).toEqual(data.map(({ verdict }) => words[verdict]));
    expect(verdicts).toContain(words.bad);
    expect(await table(page).locator(".severity, .mark:not(.mark-delinquent)").count()).toBe(0);
    const lines = table(page).getByRole("img", { name: /^Paid/ });
    expect(await lines.count()).toBe(data.length);
  });

  it("leaves out who takes more than one wants, and says of how many", async () => {
    const { visit, world } = await open();
    const { data, meta } = await world.read<Validators>("validators?limit=100");
    expect(meta.total).toBe(data.length);
    const page = await visit("/validators?limit=100");
    await page.getByRole("button", { name: "Good" }).click();
    await page.getByRole("combobox", { name: "Inflation" }).selectOption("most 5");
    const wanted = data.filter(
      ({ verdict, commission, appliedCommission, nextAppliedCommission }) =>
        verdict === "good" &&
        [commission, appliedCommission, nextAppliedCommission].every((rate) => (rate ?? 0) <= 5),
    );
    expect(wanted.length).toBeGreaterThan(0);
    await expect.poll(() => keys(page)).toEqual(toKeys({ data: wanted }));
    expect(parameter(page, "verdict")).toBe("good");
    expect(parameter(page, "commissionMax")).toBe("5");
    await page.getByText(`chosen from ${meta.total}`).waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => keys(page)).toEqual(toKeys({ data }));
  });

  it("shows clients and places to who asks", async () => {
    const page = await visit("/validators");
    const head = table(page).getByRole("columnheader", { name: "Location" });
    expect(await head.count()).toBe(0);
    await page.getByRole("button", { name: "Client and place" }).click();
    await head.waitFor();
    expect(parameter(page, "columns")).toBe("more");
  });

  it("says where the list ends to who asks for a page behind it", async () => {
    const page = await visit("/validators?page=99");
    expect(await table(page).count()).toBe(0);
    await paging(page).getByRole("link", { name: "First page" }).click();
    await expect.poll(() => keys(page)).toHaveLength(50);
  });
});

describeSite("the search", (open, visit) => {
  it("finds as one types, is in the address, and is left by the back button", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<{ data: { name: string | null }[] }>("search?q=lantern");
    const page = await visit("/validators");
    await search(page).pressSequentially("lantern");
    await expect
      .poll(() => results(page).getByRole("link").allInnerTexts())
      .toEqual(data.map(({ name }) => name));
    expect(data.length).toBeGreaterThan(1);
    await expect.poll(() => parameter(page, "q")).toBe("lantern");
    await expect
      .poll(() => results(page).getByRole("status").innerText())
      .toContain(`${data.length} validators found`);
    await page.goBack();
    await expect.poll(() => search(page).inputValue()).toBe("");
    await table(page).waitFor();
  });

  it("asks for a text when the typing pauses, not for each letter of it", async () => {
    const page = await visit("/validators");
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/api/v1/search") asked.push(searchParams.get("q")!);
    });
    await search(page).evaluate((box: HTMLInputElement) => {
      for (const text of ["l", "la", "lan", "lant", "lantern"]) {
        box.value = text;
        box.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }
    });
    await results(page).getByRole("link").first().waitFor();
    expect(asked).toEqual(["lantern"]);
  });

  it("is used by keyboard alone: down to the results, back up, Enter opens, Escape clears", async () => {
    const page = await visit("/validators?q=lantern");
    const links = results(page).getByRole("link");
    const isFocused = (index: number) =>
      links.nth(index).evaluate((link) => link === document.activeElement);
    await links.nth(1).waitFor();
    await search(page).press("ArrowDown");
    await expect.poll(() => isFocused(0)).toBe(true);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => isFocused(1)).toBe(true);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect
      .poll(() => search(page).evaluate((box) => box === document.activeElement))
      .toBe(true);
    const href = await links.first().getAttribute("href");
    await page.keyboard.press("Enter");
    await expect.poll(() => isFocused(0)).toBe(true);
    expect(new URL(page.url()).pathname).toBe("/validators");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname).toBe(href);
    await page.goBack();
    await expect.poll(() => search(page).inputValue()).toBe("lantern");
    await search(page).press("Escape");
    await expect.poll(() => parameter(page, "q")).toBeNull();
  });

  it("opens on Enter what alone is found", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<{ data: { votePubkey: string }[] }>("search?q=lantern");
    const vote = data[0]!.votePubkey;
    const page = await visit(`/validators?q=${vote}`);
    await results(page).getByRole("link").first().waitFor();
    await search(page).press("Enter");
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/validators/${vote}`);
  });

  it("says what it did not find, and what is too short to look for", async () => {
    const page = await visit("/validators?q=%3Cb%3Enobody");
    await expect.poll(() => results(page).innerText()).toContain("<b>nobody");
    await search(page).fill("l");
    await page.getByText("Type one more character.").waitFor();
  });
});
