import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { card, describeSite } from "./_setup.ts";

const findTarget = (page: Page) =>
  page.evaluate(() => {
    const target = document.querySelector(":target");
    const top = target?.getBoundingClientRect().top ?? -1;
    return { id: target?.id, isSeen: top >= 0 && top < innerHeight };
  });

describeSite("the glossary", (_, visit) => {
  it("is where a tooltip leads, to the very term", async () => {
    const page = await visit("/?network=testnet");
    await card(page, "Epoch").getByRole("button", { name: "Epoch" }).click();
    await page
      .getByRole("note")
      .filter({ visible: true })
      .getByRole("link", { name: "Glossary" })
      .click();
    await page.getByRole("heading", { level: 1, name: "Glossary" }).waitFor();
    await expect.poll(() => findTarget(page)).toEqual({ id: "epoch", isSeen: true });
    expect(new URL(page.url())).toMatchObject({
      pathname: "/glossary",
      search: "?network=testnet",
      hash: "#epoch",
    });
    await page.goBack();
    await card(page, "Epoch").waitFor();
  });

  it("opens at the term of its address, and at another that is pressed", async () => {
    const page = await visit("/glossary#vote-account");
    await expect.poll(() => findTarget(page)).toEqual({ id: "vote-account", isSeen: true });
    await page.getByRole("main").getByRole("link", { name: "Epoch", exact: true }).click();
    await expect.poll(() => findTarget(page)).toEqual({ id: "epoch", isSeen: true });
  });
});
