import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import {
  card,
  changeDocument,
  describeSite,
  findVotePubkeys,
  NOT_PUBLISHED,
  parameter,
  type Site,
} from "./_setup.ts";

const toPercent = (percent: number | null) =>
  percent === null ? "not known" : `${percent}\u00a0%`;

async function readFigures(page: Page, name: string): Promise<string[][]> {
  await card(page, name).getByText("Show the figures as a table").click();
  const rows = card(page, name).getByRole("region").getByRole("row");
  const toTexts = (all: Element[]) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent.trim()));
  return (await rows.evaluateAll(toTexts)).slice(1);
}

const FLIPPED = "and lowered it in between";

describeSite("the page of a validator", (open) => {
  interface Visited extends Site {
    page: Page;
    votePubkey: string;
    readOwn: <Document>(path: string) => Promise<Document>;
  }

  async function visitOne(query = ""): Promise<Visited> {
    const site = await open();
    const [votePubkey] = await findVotePubkeys(site.world);
    const readOwn = <Document>(path: string) =>
      site.world.read<Document>(`validators/${votePubkey}${path}`);
    return {
      ...site,
      votePubkey,
      readOwn,
      page: await site.visit(`/validators/${votePubkey}${query}`),
    };
  }

  it("says who it is, what it takes and what it holds", async () => {
    const { page, readOwn, votePubkey } = await visitOne();
    const { data } = await readOwn<DocumentOf<"validator">>("");
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(data.name);
    const text = await page.getByRole("main").innerText();
    expect(text).toContain(votePubkey);
    expect(text).toContain(data.identityPubkey);
    expect(await card(page, "What it takes").innerText()).toContain(toPercent(data.commission));
    expect(await card(page, "Profile").innerText()).toContain(data.client);
  });

  it("begins with the verdict and its reasons, the weightiest first", async () => {
    const { visit, world } = await open();
    const { data: list } = await world.read<DocumentOf<"validators">>("validators?limit=100");
    const flipper = list.find(({ pattern }) => pattern?.source === "COMMISSION")!.votePubkey;
    const { data } = await world.read<DocumentOf<"validator">>(`validators/${flipper}`);
    expect(data.verdict.reasons.map(({ code }) => code)).toContain("serial_flip");
    const page = await visit(`/validators/${flipper}`);
    const verdict = page.getByRole("region", { name: "Verdict: Bad" });
    await verdict.waitFor();
    const texts = data.verdict.reasons.map(({ text }) => text.replaceAll(" %", "\u00a0%"));
    const shown = verdict.locator(".verdict-first, li");
    expect((await shown.allTextContents()).map((text) => text.trim())).toEqual(texts);
    const [name, first] = await Promise.all(
      [page.getByRole("heading", { level: 1 }), verdict].map((part) => part.boundingBox()),
    );
    expect(name!.y + name!.height).toBeLessThanOrEqual(first!.y);
    expect(await card(page, "What it takes").innerText()).not.toContain(FLIPPED);
  });

  it("tells of flips where its verdict does not", async () => {
    const { visit, world } = await open();
    changeDocument(world, /validators\/\w+\.json$/, ({ data }: DocumentOf<"validator">) => {
      data.verdict.reasons = data.verdict.reasons.filter(({ code }) => code !== "serial_flip");
    });
    const { data: list } = await world.read<DocumentOf<"validators">>("validators?limit=100");
    const flipper = list.find(({ pattern }) => pattern?.source === "COMMISSION")!.votePubkey;
    const page = await visit(`/validators/${flipper}`);
    await card(page, "What it takes").getByText(FLIPPED).waitFor();
  });

  it("tells the next rate with what comes after it", async () => {
    const { visit, world } = await open();
    const [votePubkey] = await findVotePubkeys(world);
    const { data: running } = await world.read<{ data: { epoch: number } }>("epoch");
    changeDocument(
      world,
      /validators\/\w+\/events\.json$/,
      ({ data }: DocumentOf<"validatorEvents">) =>
        data
          .slice(0, 2)
          .forEach((event, index) =>
            Object.assign(event, {
              ...{ source: "COMMISSION", supersededBy: null, replacedBy: null, pattern: null },
              ...{ toCommission: index === 0 ? 100 : 5 },
              effectiveEpoch: running.epoch + 2 - index,
              effectiveEpochLatest: running.epoch + 2 - index,
            }),
          ),
    );
    const page = await visit(`/validators/${votePubkey}`);
    const tile = page.locator(".strip-facts > div", { hasText: /^From epoch/ });
    await expect
      .poll(() => tile.locator("dd").innerText())
      .toMatch(new RegExp(`^5\u00a0%\\s+100\u00a0% from epoch ${running.epoch + 2}$`));
  });

  it("shows its first chart within the first screen", async () => {
    const { page } = await visitOne();
    await page.setViewportSize({ width: 1280, height: 800 });
    const chart = (await page
      .getByRole("main")
      .locator(".rate-chart > svg")
      .first()
      .boundingBox())!;
    expect(chart.y + chart.height).toBeLessThanOrEqual(800);
  });

  it("is short on a phone, where what is less urgent opens on demand", async () => {
    const { visit, readOwn } = await visitOne();
    const page = await visit("/validators/VOTE", { width: 360 });
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeLessThan(4_000);
    const { data } = await readOwn<DocumentOf<"validator">>("");
    await card(page, "Profile").getByText("Profile", { exact: true }).click();
    await expect.poll(() => card(page, "Profile").innerText()).toContain(data.votePubkey);
    await card(page, "Uptime").getByText("Uptime", { exact: true }).click();
    await expect.poll(() => card(page, "Uptime").innerText()).toContain("Days are in UTC");
  });

  it.each(["Uptime", "What it takes"])(
    "opens what is folded on a phone to who follows a link to it: %s",
    async (title) => {
      const { visit } = await visitOne();
      const page = await visit("/validators/VOTE", { width: 360 });
      const contents = page.getByRole("navigation", { name: "On this page" });
      const isOpen = () =>
        card(page, title)
          .locator("details")
          .evaluate((fold) => (fold as HTMLDetailsElement).open);
      expect(await isOpen()).toBe(false);
      await contents.getByRole("link", { name: title }).click();
      await expect.poll(isOpen).toBe(true);
      const hash = new URL(page.url()).hash;
      const linked = await visit(new URL(page.url()).pathname + hash, { width: 360 });
      const fold = card(linked, title).locator("details");
      await expect
        .poll(() => fold.evaluate((each) => (each as HTMLDetailsElement).open))
        .toBe(true);
    },
  );

  it("tells announced and paid commission, and stake, by epoch in tables beside the charts", async () => {
    const { page, readOwn } = await visitOne();
    const { data } = await readOwn<DocumentOf<"commissionHistory">>("/commission-history");
    const toCells = ({ epoch, commission, appliedCommission }: (typeof data)[number]) =>
      [String(epoch)].concat([commission, appliedCommission].map(toPercent));
    const told = await readFigures(page, "Commission by epoch");
    expect(told.map((cells) => cells.slice(0, 3))).toEqual(data.map(toCells).toReversed());
    expect(told.length).toBeGreaterThan(10);
    await card(page, "Commission by epoch").locator(".rate-chart > svg").nth(1).waitFor();

    await card(page, "Stake by epoch").scrollIntoViewIfNeeded();
    await card(page, "Stake by epoch").locator("canvas").waitFor();
    const stakes = (await readOwn<DocumentOf<"stakeHistory">>("/stake-history")).data;
    const epochs = (await readFigures(page, "Stake by epoch")).map(([epoch]) => epoch);
    expect(epochs).toEqual(stakes.map(({ epoch }) => String(epoch)).toReversed());
  });

  it("shows the evidence of a change, which its address names", async () => {
    const { page, readOwn, visit } = await visitOne();
    const { data } = await readOwn<DocumentOf<"validatorEvents">>("/events");
    const button = card(page, "Changes").getByRole("button", { name: "Evidence" }).first();
    expect(await button.getAttribute("aria-expanded")).toBe("false");
    await button.click();
    await expect.poll(() => button.getAttribute("aria-expanded")).toBe("true");
    const slot = data[0]!.slot.toLocaleString("en");
    await expect.poll(() => card(page, "Changes").innerText()).toContain(slot);
    await expect.poll(() => parameter(page, "event")).toBe(data[0]!.id);
    const passedOn = await visit(new URL(page.url()).pathname + new URL(page.url()).search);
    await expect.poll(() => card(passedOn, "Changes").innerText()).toContain(slot);
  });

  it("opens the evidence of a rug from its pin in the chart", async () => {
    const { visit, world } = await visitOne();
    const { data } = await world.read<DocumentOf<"events">>("events?epochs=50&severity=RUG");
    const { votePubkey, id } = data.find(({ replacedBy }) => replacedBy === null)!;
    const page = await visit(`/validators/${votePubkey}`);
    const pin = card(page, "Commission by epoch").locator(`a[href*="${id}"]`);
    await pin.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => parameter(page, "event")).toBe(id);
    await expect.poll(() => card(page, "Changes").getByText(id).count()).toBeGreaterThan(0);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300);
  });

  it("shows by a link on a phone all four steps of a change, and nothing of the one above", async () => {
    const { visit, world } = await visitOne();
    const { data } = await world.read<DocumentOf<"events">>("events?epochs=50&severity=RUG");
    const { votePubkey, id } = data.find(
      ({ transaction, replacedBy }) =>
        replacedBy === null && transaction?.verifiedBy === "signature",
    )!;
    const page = await visit(`/validators/${votePubkey}?event=${id}`, { width: 360 });
    const entry = card(page, "Changes").locator(".event-entry-open");
    await expect.poll(async () => Math.abs((await entry.boundingBox())?.y ?? NaN)).toBeLessThan(1);
    const button = entry.getByRole("button", { name: "Verify the signature" });
    const { y, height } = (await button.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(740);
  });

  it("keeps it there when what stands above comes late", async () => {
    const { visit, world } = await visitOne();
    const { data } = await world.read<DocumentOf<"events">>("events?epochs=50&severity=RUG");
    const { votePubkey, id } = data.find(({ replacedBy }) => replacedBy === null)!;
    const page = await visit("/glossary", { width: 360 });
    const late = Promise.withResolvers<undefined>();
    await page.route(/commission-history/, async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.goto(`/validators/${votePubkey}?event=${id}`);
    const entry = card(page, "Changes").locator(".event-entry-open");
    const toDistance = async () => Math.abs((await entry.boundingBox())?.y ?? NaN);
    await expect.poll(toDistance).toBeLessThan(1);
    late.resolve(undefined);
    await page.locator(".rate-chart > svg").first().waitFor({ state: "attached" });
    await expect.poll(toDistance).toBeLessThan(1);
  });

  it("tells the rank of now from those at which epochs began", async () => {
    const { page, readOwn } = await visitOne();
    const { data } = await readOwn<DocumentOf<"stakeHistory">>("/stake-history");
    const { rank } = (await readOwn<DocumentOf<"validator">>("")).data;
    expect(await page.getByRole("main").innerText()).toContain(
      `No. ${rank} by stake on mainnet now`,
    );
    await card(page, "Stake by epoch").scrollIntoViewIfNeeded();
    const { epoch, rank: last } = data.at(-1)!;
    await card(page, "Stake by epoch").getByText(`(No. ${last}) as epoch ${epoch} began`).waitFor();
  });

  it("has a calendar of its uptime, a cell for each day on record", async () => {
    const { page, readOwn } = await visitOne();
    const { data, meta } = await readOwn<DocumentOf<"uptime">>("/uptime");
    const uptime = card(page, "Uptime");
    await uptime.scrollIntoViewIfNeeded();
    await uptime
      .getByText(/delinquent in/)
      .first()
      .waitFor();
    for (const { date, uptimeChecks } of data) {
      const name = new RegExp(`^${date}: .* of ${uptimeChecks} checks$`);
      expect(await uptime.getByRole("cell", { name }).count()).toBe(1);
    }
    expect(await uptime.getByRole("cell", { name: /^\d{4}-/ }).count()).toBe(data.length);
    expect(await uptime.innerText()).toContain(
      `${toPercent(meta.overallUptimePercent)} over ${data.length} days`,
    );
  });

  it("shows as many epochs as the address says", async () => {
    const { page } = await visitOne("?epochs=30");
    await card(page, "Stake by epoch").scrollIntoViewIfNeeded();
    const choices = card(page, "Stake by epoch").getByRole("group", { name: "Epochs shown" });
    const readPressed = () => choices.getByRole("button", { pressed: true }).innerText();
    expect(await readPressed()).toBe("30");
    await choices.getByRole("button", { name: "All" }).click();
    await expect.poll(() => parameter(page, "epochs")).toBe("all");
    await page.goBack();
    await expect.poll(readPressed).toBe("30");
  });

  it("leads to the other networks where this one does not know the key", async () => {
    const { visit, votePubkey } = await visitOne();
    const page = await visit(`/validators/${votePubkey}?network=testnet`, {
      tolerates: NOT_PUBLISHED,
    });
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).innerText())
      .toBe("No such validator on testnet");
    await page.getByRole("link", { name: "Look on mainnet" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await card(page, "Profile").waitFor();
  });

  it("says where a key is none", async () => {
    const { visit } = await open();
    for (const key of ["abc", "0".repeat(44), "%3Cimg%20src=x%20onerror=alert(1)%3E"]) {
      const page = await visit(`/validators/${key}`, { tolerates: /status of 40[04]/ });
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(
        "This is no vote account",
      );
      expect(await page.getByRole("main").innerText()).toContain(decodeURIComponent(key));
    }
  });
});
