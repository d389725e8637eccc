import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { describeSite, type OpenSite, type Site } from "./_setup.ts";
import { findVotePubkeys } from "./pages.ts";

interface Visited extends Site {
  page: Page;
  votePubkey: string;
  /** Of the API, below that of the validator. */
  readOwn: <Document>(path: string) => Promise<Document>;
}

async function visitOne(open: OpenSite, query = ""): Promise<Visited> {
  const site = await open();
  const [votePubkey] = await findVotePubkeys(site.world);
  const readOwn = <Document>(path: string) => site.world.read<Document>(`validators/${votePubkey}${path}`);
  return { ...site, votePubkey, readOwn, page: await site.visit(`/validators/${votePubkey}${query}`) };
}

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** The rows of the table beside a chart, without its head: cells by cells. */
async function readFigures(page: Page, name: string): Promise<string[][]> {
  await card(page, name).getByText("The figures as a table").click();
  const rows = card(page, name).getByRole("region").getByRole("row");
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent.trim())),
  );
  return texts.slice(1);
}

const toPercent = (percent: number | null) => (percent === null ? "not known" : `${percent} %`);

describeSite("the page of a validator", (open) => {
  it("says who it is, what it takes and what it holds", async () => {
    const { page, readOwn, votePubkey } = await visitOne(open);
    const { data } = await readOwn<DocumentOf<"validator">>("");
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(data.name);
    const text = await page.getByRole("main").innerText();
    expect(text).toContain(votePubkey);
    expect(text).toContain(data.identityPubkey);
    expect(await card(page, "What it takes").innerText()).toContain(toPercent(data.commission));
    expect(await card(page, "Profile").innerText()).toContain(data.client);
  });

  it("tells announced and paid commission by epoch in a table beside the chart", async () => {
    const { page, readOwn } = await visitOne(open);
    const { data } = await readOwn<DocumentOf<"commissionHistory">>("/commission-history");
    const name = "Commission by epoch";
    const told = (await readFigures(page, name)).map((cells) => cells.slice(0, 3));
    const expected = data.map(({ epoch, commission, appliedCommission }) => [
      String(epoch),
      toPercent(commission),
      toPercent(appliedCommission),
    ]);
    expect(told).toEqual(expected.toReversed());
    expect(told.length).toBeGreaterThan(10);
    await card(page, name).locator("canvas").nth(1).waitFor();
  });

  it("tells its stake by epoch in a table beside the chart", async () => {
    const { page, readOwn } = await visitOne(open);
    const { data } = await readOwn<DocumentOf<"stakeHistory">>("/stake-history");
    const told = await readFigures(page, "Stake by epoch");
    expect(told.map(([epoch]) => epoch)).toEqual(data.map(({ epoch }) => String(epoch)).toReversed());
    await card(page, "Stake by epoch").locator("canvas").waitFor();
  });

  it("shows the evidence of a change, which its address names", async () => {
    const { page, readOwn, visit } = await visitOne(open);
    const { data } = await readOwn<DocumentOf<"validatorEvents">>("/events");
    const button = card(page, "Changes").getByRole("button", { name: "Evidence" }).first();
    expect(await button.getAttribute("aria-expanded")).toBe("false");
    await button.click();
    await expect.poll(() => button.getAttribute("aria-expanded")).toBe("true");
    const slot = data[0]!.slot.toLocaleString("en");
    await expect.poll(() => card(page, "Changes").innerText()).toContain(slot);
    await expect.poll(() => new URL(page.url()).search).not.toBe("");
    const { pathname, search } = new URL(page.url());
    const passedOn = await visit(pathname + search);
    await expect.poll(() => card(passedOn, "Changes").innerText()).toContain(slot);
  });

  it("has a calendar of its uptime, a cell for each day on record", async () => {
    const { page, readOwn } = await visitOne(open);
    const { data, meta } = await readOwn<DocumentOf<"uptime">>("/uptime");
    const uptime = card(page, "Uptime");
    for (const { date, uptimeChecks } of data)
      expect(
        await uptime.getByRole("cell", { name: new RegExp(`^${date}: .* of ${uptimeChecks} checks$`) }).count(),
      ).toBe(1);
    expect(await uptime.getByRole("cell", { name: /^\d{4}-/ }).count()).toBe(data.length);
    expect(await uptime.innerText()).toContain(`${toPercent(meta.overallUptimePercent)} over ${data.length} days`);
  });

  it("shows as many epochs as the address says", async () => {
    const { page } = await visitOne(open, "?epochs=30");
    const choices = card(page, "Stake by epoch").getByRole("group", { name: "Epochs shown" });
    expect(await choices.getByRole("button", { pressed: true }).innerText()).toBe("30");
    await choices.getByRole("button", { name: "All" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("epochs")).toBe("all");
    await page.goBack();
    await expect.poll(() => choices.getByRole("button", { pressed: true }).innerText()).toBe("30");
  });

  it("leads to the other networks where this one does not know the key", async () => {
    const { visit, votePubkey } = await visitOne(open);
    const page = await visit(`/validators/${votePubkey}?network=testnet`, { tolerates: /status of 404/ });
    await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("No such validator on testnet");
    await page.getByRole("link", { name: "Look for it on mainnet" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await card(page, "Profile").waitFor();
  });

  it.each(["abc", "0".repeat(44), "%3Cimg%20src=x%20onerror=alert(1)%3E"])("takes %s for no key", async (key) => {
    const { visit } = await open();
    const page = await visit(`/validators/${key}`, { tolerates: /status of 40[04]/ });
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("This is no vote account");
    expect(await page.getByRole("main").innerText()).toContain(decodeURIComponent(key));
  });
});
