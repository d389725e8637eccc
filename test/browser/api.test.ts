import { readdir, readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { card, describeSite, isTooWide, parameter, settle } from "./_setup.ts";

const EXAMPLES = new URL("../../public/examples/", import.meta.url);

const form = (page: Page) => page.getByRole("form", { name: "Try it" });
const status = (page: Page) => card(page, "Answer").getByRole("status").innerText();
const send = (page: Page) => form(page).getByRole("button", { name: "Send" }).click();

describeSite("the API reference", (open, visit) => {
  it("names every operation there is", async () => {
    const text = await (await visit("/api")).getByRole("main").innerText();
    expect(Object.values(OPERATIONS).filter(({ path }) => !text.includes(path))).toEqual([]);
  });

  it("sends what was filled in, and shows what was answered", async () => {
    const { visit, world } = await open();
    const page = await visit("/api?operation=searchValidators");
    await form(page).getByRole("textbox", { name: "q" }).fill("lantern");
    await expect.poll(() => parameter(page, "q")).toBe("lantern");
    await send(page);
    await expect.poll(() => status(page)).toMatch(/^200\b/);
    const { data } = await world.read<{ data: { votePubkey: string }[] }>("search?q=lantern");
    const body = card(page, "Answer").getByRole("region", { name: "Body" });
    await expect.poll(() => body.innerText()).toContain(data[0]!.votePubkey);
    await expect
      .poll(() => page.getByRole("main").innerText())
      .toContain(`${world.origin}/api/v1/search?q=lantern`);
  });

  it("says what is wrong with a value before it is sent, and sends nothing", async () => {
    const page = await visit("/api?operation=listValidators&limit=0");
    const limit = form(page).getByRole("textbox", { name: "limit" });
    expect(await limit.getAttribute("aria-invalid")).toBe("true");
    await send(page);
    expect(await card(page, "Answer").count()).toBe(0);
    await limit.fill("3");
    await expect.poll(() => limit.getAttribute("aria-invalid")).toBe("false");
    await limit.press("Enter");
    await expect.poll(() => status(page)).toMatch(/^200\b/);
  });

  it("shows each program of the examples as it is, and has it ask this site", async () => {
    const { visit, world } = await open();
    const page = await visit("/api?section=examples");
    const files = await readdir(EXAMPLES);
    expect(files).toHaveLength(5);
    for (const file of files) {
      const text = await readFile(new URL(file, EXAMPLES), "utf8");
      expect(text).toContain("http://127.0.0.1:8080");
      expect(await page.getByRole("region", { name: file, exact: true }).textContent()).toBe(
        text.replaceAll("http://127.0.0.1:8080", world.origin),
      );
    }
    expect(await isTooWide(page)).toBe(false);
  });

  it("has words on all that holds for every operation", async () => {
    const page = await visit("/api");
    const contents = page.getByRole("navigation", { name: "API reference" });
    for (const section of [
      "Limits",
      "Caching",
      "Errors",
      "Feeds",
      "Downloads",
      "Examples",
      "Changelog",
    ]) {
      await contents.getByRole("link", { name: section, exact: true }).click();
      await expect.poll(() => contents.locator("[aria-current]").innerText()).toBe(section);
      await expect.poll(() => parameter(page, "section")).toBe(section.toLowerCase());
      await settle(page);
      expect((await page.getByRole("main").innerText()).length).toBeGreaterThan(500);
    }
  });
});
