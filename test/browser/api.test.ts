import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { describeSite } from "./_setup.ts";

const form = (page: Page) => page.getByRole("form", { name: "Try it" });
const answer = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });

describeSite("the API reference", (open) => {
  it("names every endpoint there is", async () => {
    const { visit } = await open();
    const page = await visit("/api");
    const text = await page.getByRole("main").innerText();
    expect(Object.values(OPERATIONS).filter(({ path }) => !text.includes(path))).toEqual([]);
  });

  it("sends what was filled in, and shows what was answered", async () => {
    const { visit, world } = await open();
    const page = await visit("/api?operation=searchValidators");
    await form(page).getByRole("textbox", { name: "q" }).fill("lantern");
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("lantern");
    await form(page).getByRole("button", { name: "Send" }).click();
    await expect.poll(() => answer(page).getByRole("status").innerText()).toMatch(/^200\b/);
    const { data } = await world.read<{ data: { votePubkey: string }[] }>("search?q=lantern");
    await expect
      .poll(() => answer(page).getByRole("region", { name: "Body" }).innerText())
      .toContain(data[0]!.votePubkey);
    await expect.poll(() => page.getByRole("main").innerText()).toContain(`${world.origin}/api/v1/search?q=lantern`);
  });

  it("says what is wrong with a value before it is sent, and sends nothing", async () => {
    const { visit } = await open();
    const page = await visit("/api?operation=listValidators&limit=0");
    const limit = form(page).getByRole("textbox", { name: "limit" });
    expect(await limit.getAttribute("aria-invalid")).toBe("true");
    await form(page).getByRole("button", { name: "Send" }).click();
    expect(await answer(page).count()).toBe(0);
    await limit.fill("3");
    await expect.poll(() => limit.getAttribute("aria-invalid")).toBe("false");
    await limit.press("Enter");
    await expect.poll(() => answer(page).getByRole("status").innerText()).toMatch(/^200\b/);
  });

  it.each(["limits", "caching", "errors", "feeds", "downloads", "changelog"])("has words on %s", async (section) => {
    const { visit } = await open();
    const page = await visit(`/api?section=${section}`);
    const link = page.getByRole("navigation", { name: "API reference" }).locator("[aria-current]");
    expect((await link.innerText()).toLowerCase()).toBe(section);
    expect((await page.getByRole("main").innerText()).length).toBeGreaterThan(500);
  });
});
