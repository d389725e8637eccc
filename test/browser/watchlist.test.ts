import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import {
  card,
  changeDocument,
  describeSite,
  findVotePubkeys,
  NOT_PUBLISHED,
  parameter,
  settle,
} from "./_setup.ts";

describeSite("a watchlist", (open, visit) => {
  it("is made by stars, kept by the browser, carried by the address and emptied again", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"validators">>("validators");
    const two = data.slice(0, 2);
    const names = two.map(({ name, votePubkey }) => name ?? votePubkey.slice(0, 5));
    const page = await visit("/validators");
    for (const name of names) {
      const star = page.getByRole("button", { name: `Watch ${name}` }).first();
      await star.click();
      await expect.poll(() => star.getAttribute("aria-pressed")).toBe("true");
    }
    await page.reload();
    await settle(page);
    await page.getByRole("link", { name: "Watchlist, 2 validators" }).click();
    const list = card(page, "2 validators");
    await expect.poll(() => list.getByRole("listitem").allInnerTexts()).toHaveLength(2);
    await expect
      .poll(() => parameter(page, "votes"))
      .toBe(two.map(({ votePubkey }) => votePubkey).join());
    const { data: profile } = await world.read<DocumentOf<"validator">>(
      `validators/${data[0]!.votePubkey}`,
    );
    await expect
      .poll(() => list.getByRole("listitem").first().innerText())
      .toContain(`${profile.appliedCommission}\u00a0%`);
    await expect.poll(() => list.getByText(/^\S (?:Bad|Caution|Good|Not known)$/).count()).toBe(2);
    for (const name of names) await page.getByRole("button", { name: `Remove ${name}` }).click();
    await page.getByRole("heading", { name: "Your watchlist is empty" }).waitFor();
    await expect.poll(() => parameter(page, "votes")).toBeNull();
    await page.getByRole("link", { name: "Watchlist", exact: true }).waitFor();
  });

  it("of somebody else is shown, kept when asked, and compared", async () => {
    const { visit, world } = await open();
    const votes = (await findVotePubkeys(world)).slice(0, 5);
    const page = await visit(`/watchlist?votes=${votes.join()}`);
    expect(await page.getByRole("link", { name: "Watchlist", exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Save in this browser" }).click();
    await page.getByRole("link", { name: "Watchlist, 5 validators" }).waitFor();
    await page.getByRole("link", { name: "Compare the first 4" }).click();
    const table = page.getByRole("table", { name: "One column for each validator" });
    await expect.poll(() => table.getByRole("columnheader").count()).toBe(4);
    await expect.poll(() => table.getByText("…").count()).toBe(0);
    const profiles = await Promise.all(
      votes.slice(0, 4).map((vote) => world.read<DocumentOf<"validator">>(`validators/${vote}`)),
    );
    const row = (name: string) => {
      const has = page.getByRole("rowheader", { name });
      return table.getByRole("row").filter({ has }).getByRole("cell").allInnerTexts();
    };
    const toPercent = (percent: number | null) =>
      percent === null ? "not known" : `${percent}\u00a0%`;
    const paid = profiles.map(({ data }) => toPercent(data.appliedCommission));
    expect(await row("Inflation, paid this epoch")).toEqual(paid);
    expect(await row("Inflation, next epoch")).toEqual(
      profiles.map(({ data }) => toPercent(data.nextAppliedCommission)),
    );
    expect(await row("Inflation, announced")).toEqual(
      profiles.map(({ data }) => toPercent(data.commission)),
    );
    await page.setViewportSize({ width: 360, height: 900 });
    const box = (await table.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(360);
    for (const cell of await table.getByRole("cell").all()) {
      const of = await cell.boundingBox();
      if (of !== null) expect(of.x + of.width).toBeLessThanOrEqual(360);
    }
    for (const [index, text] of (await row("Location")).entries())
      expect(text).toContain(profiles[index]!.data.location?.country ?? "");
  });

  it("is begun and added to by a search, and what is compared can be removed", async () => {
    const { visit, world } = await open();
    const [one] = await findVotePubkeys(world);
    const page = await visit("/compare");
    const search = page.getByRole("searchbox", { name: "Add a validator" });
    await search.fill(one);
    await page.getByRole("button", { name: ": add" }).waitFor();
    await search.press("Enter");
    await expect.poll(() => parameter(page, "votes")).toBe(one);
    await page.getByRole("img", { name: /^Paid commission by epoch, \d+ to \d+/ }).waitFor();
    await search.fill("va");
    const found = page.getByRole("button", { name: ": add" });
    await found.nth(1).waitFor();
    await search.press("Enter");
    expect(await found.first().evaluate((button) => button === document.activeElement)).toBe(true);
    expect(parameter(page, "votes")).toBe(one);
    await page.keyboard.press("Enter");
    await expect.poll(() => parameter(page, "votes")?.split(",").length).toBe(2);
    await page.getByRole("link", { name: "Remove" }).first().click();
    await expect.poll(() => parameter(page, "votes")?.split(",").length).toBe(1);
    expect(parameter(page, "votes")).not.toBe(one);
  });

  it("is compared with what leads each verdict, and the figures to blame are marked", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"validators">>("validators?limit=100");
    const told = ["bad", "good"].map((level) => data.find(({ verdict }) => verdict === level)!);
    const votes = told.map(({ votePubkey }) => votePubkey);
    changeDocument(
      world,
      new RegExp(`validators/${votes[0]}.json$`),
      ({ data: { mev } }: DocumentOf<"validator">) => Object.assign(mev, { mevCommission: 100 }),
    );
    const page = await visit(`/compare?votes=${votes.join()}`);
    const cells = (name: string) => {
      const has = page.getByRole("rowheader", { name });
      return page.getByRole("row").filter({ has }).getByRole("cell");
    };
    await expect
      .poll(async () =>
        (await cells("Why this verdict").allInnerTexts()).map((text) =>
          text.replaceAll("\u00a0", " "),
        ),
      )
      .toEqual(told.map(({ verdictReason }) => verdictReason.text));
    const rates = cells("MEV commission").locator("strong");
    expect(await rates.first().innerText()).toBe("100\u00a0%");
    const [bad, good] = await rates.evaluateAll((all) =>
      all.map((rate) => getComputedStyle(rate).color),
    );
    expect(bad).not.toBe(good);
  });

  it("is compared on a phone by five rows on the first screen", async () => {
    const { visit, world } = await open();
    const votes = (await findVotePubkeys(world)).slice(0, 2);
    const page = await visit(`/compare?votes=${votes.join()}`, { width: 360 });
    const fifth = page.getByRole("table").getByRole("row").nth(5);
    await expect
      .poll(async () => {
        const { y, height } = (await fifth.boundingBox())!;
        return y + height;
      })
      .toBeLessThanOrEqual(740);
  });

  it("says so of a vote account that was never seen, and of an address that names none", async () => {
    const page = await visit(`/compare?votes=${"1".repeat(32)},bad`, { tolerates: NOT_PUBLISHED });
    await expect.poll(() => page.getByRole("main").innerText()).toContain("never seen on mainnet");
    expect(await (await visit("/compare")).getByRole("main").innerText()).toContain(
      "Put validators on your",
    );
  });
});

describeSite("a reader's choices", (open, visit) => {
  it("tell times by the reader's clock, on every page from then on, and by UTC again", async () => {
    const page = await visit("/validators/VOTE");
    const times = () => page.getByRole("main").locator("time[title]").first().getAttribute("title");
    expect(await times()).toMatch(/ UTC$/);
    await page.getByRole("button", { name: "Show local time" }).click();
    await expect.poll(times).toMatch(/ UTC[+−]\d\d:\d\d$/);
    await page.reload();
    await settle(page);
    await expect.poll(times).toMatch(/ UTC[+−]\d\d:\d\d$/);
    await page.getByRole("button", { name: "Show UTC" }).click();
    await expect.poll(times).toMatch(/ UTC$/);
  });

  it("lead to alerts of one validator that never changed: a feed that is there, and how to bring it elsewhere", async () => {
    const { visit, world } = await open();
    const { data: events } = await world.read<DocumentOf<"events">>("events?epochs=50");
    const { data } = await world.read<DocumentOf<"validators">>("validators?limit=100");
    const changed = new Set(events.map(({ votePubkey }) => votePubkey));
    const quiet = data.find(({ votePubkey }) => !changed.has(votePubkey))!.votePubkey;
    const page = await visit(`/validators/${quiet}`);
    expect(await card(page, "Changes").innerText()).toMatch(
      /No change since our record began, epoch \d+\./,
    );
    const alerts = card(page, "Get alerts");
    const links = await alerts
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
    const feeds = links.filter((href) => href.startsWith("/feeds/"));
    expect(feeds).toHaveLength(2);
    for (const feed of feeds) expect((await fetch(world.origin + feed)).status).toBe(200);
    await alerts.getByText("Send alerts from your own copy of Rugwatch").click();
    expect(await alerts.getByRole("region", { name: "Setting for alerts" }).innerText()).toContain(
      new URL(page.url()).pathname.replace("/validators/", ""),
    );
  });

  it("show the request in the language that the address names", async () => {
    const { visit, world } = await open();
    const page = await visit("/api?operation=listEvents&severity=RUG");
    const sample = (name: string) => page.getByRole("region", { name: `${name} sample` });
    expect(await sample("curl").innerText()).toBe(
      `curl '${world.origin}/api/v1/events?severity=RUG'`,
    );
    await page.getByRole("button", { name: "Python" }).click();
    await expect.poll(() => parameter(page, "language")).toBe("Python");
    expect(await sample("Python").innerText()).toContain(
      `${world.origin}/api/v1/events?severity=RUG`,
    );
  });
});
