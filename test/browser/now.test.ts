import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { card, changeDocument, describeSite, settle } from "./_setup.ts";

const changes = (page: Page) => card(page, "Newest changes");
const rows = (page: Page) => changes(page).getByRole("table").getByRole("row");
const readRows = async (page: Page) => (await rows(page).allInnerTexts()).slice(1);
const RUGS = "Rugs and SOL lost, by epoch";
const NEWEST = "events?epochs=5&collapse=true";

describeSite("Now", (open, visit) => {
  it("tells how far the epoch is, and what is left of it", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<{ data: { epoch: number } }>("epoch");
    const epoch = card(await visit("/"), "Epoch");
    const bar = epoch.getByRole("progressbar", { name: `Epoch ${data.epoch}` });
    expect(Math.round(Number(await bar.getAttribute("value")))).toBe(33);
    const text = await epoch.innerText();
    expect(text).toMatch(new RegExp(`(?:4 h|3 h 59 min)\\s+until epoch ${data.epoch + 1}`));
    expect(text).toContain(`This one is ${data.epoch}, 33`);
    expect(text).toContain("live");
  });

  it("lists the newest changes with validator, rise and the epoch that it costs from", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"events">>(NEWEST);
    const page = await visit("/?severity=all");
    const texts = await readRows(page);
    expect(texts).toHaveLength(12);
    for (const [index, text] of texts.entries()) {
      const event = data[index]!;
      if (event.pattern === null) expect(text).toContain(event.severity);
      expect(text).toContain(event.validatorName ?? event.votePubkey.slice(0, 5));
      expect(text).toContain(event.toDisabled ? "off" : `${event.toCommission}\u00a0%`);
      expect(text).toContain(
        event.supersededBy === null ? `epoch ${event.effectiveEpoch}` : "never paid",
      );
      expect(text.includes("provisional")).toBe(
        event.supersededBy === null && !event.effectiveEpochFinal,
      );
    }
    const first = rows(page).nth(1).getByRole("link");
    expect(await first.getAttribute("href")).toBe(`/validators/${data[0]!.votePubkey}`);
  });

  it("tells a pattern in one line with its sentence, and marks it by its rises", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"events">>(NEWEST);
    const patterns = data.filter(({ pattern }) => pattern !== null);
    expect(patterns.length).toBeGreaterThan(0);
    const texts = (await readRows(await visit("/?rows=600&severity=all"))).filter((text) =>
      text.includes("↔"),
    );
    expect(texts).toHaveLength(patterns.length);
    for (const [index, { pattern }] of patterns.entries()) {
      const { from, to, epochs, ofEpochs, firstEpoch, lastEpoch } = pattern!;
      expect(texts[index]).toContain(`${from}\u00a0% ↔ ${to}\u00a0%`);
      expect(texts[index]).toContain(
        `raised in ${epochs} of the ${ofEpochs} epochs ${firstEpoch} to ${lastEpoch}`,
      );
      if (to >= 90) expect(texts[index]).toContain("RUG");
    }
  });

  it("tells who changed together in one line, and each of them when asked", async () => {
    const { visit, world } = await open();
    const [at, before] = [
      new Date(world.now - 60_000).toISOString(),
      new Date(world.now - 120_000).toISOString(),
    ];
    const together = {
      source: "COMMISSION",
      delta: 5,
      pattern: null,
      transaction: null,
      replacedBy: null,
    };
    let keys: string[] = [];
    changeDocument(world, /mainnet\/index\.json$/, ({ events, latestEpoch }: SnapshotIndex) => {
      keys = [...new Set(events.map(({ votePubkey }) => votePubkey))].slice(0, 12);
      const incident = { id: "first", validators: 12, changes: 12, firstAt: before, lastAt: at };
      const newest = {
        ...together,
        epoch: latestEpoch,
        previousSeenAt: before,
        createdAt: at,
        incident,
      };
      for (const key of keys)
        Object.assign(
          events.find(({ votePubkey }) => votePubkey === key)!,
          newest,
        );
    });
    const page = await visit("/?rows=600&severity=all");
    const line = rows(page).filter({
      hasText: "12 validators raised their inflation commission within 1 minute",
    });
    expect(await line.count()).toBe(1);
    expect(await line.getByRole("link").count()).toBe(0);
    await line.getByRole("button", { name: "Show the 12 validators" }).click();
    const hrefs = await line
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
    expect(hrefs.toSorted()).toEqual(keys.map((key) => `/validators/${key}`).toSorted());
  });

  it("shows more changes when asked, and as many again to whom the address is given", async () => {
    const page = await visit("/?severity=all");
    await changes(page).getByRole("button", { name: "Show 12 more" }).click();
    await expect.poll(() => rows(page).count()).toBe(1 + 24);
    await expect.poll(() => new URL(page.url()).search).not.toBe("");
    const passedOn = await visit(new URL(page.url()).pathname + new URL(page.url()).search);
    await expect.poll(() => rows(passedOn).count()).toBe(1 + 24);
  });

  it("shows what costs, and every other change to who asks", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"events">>(NEWEST);
    const page = await visit("/?rows=600");
    const texts = await readRows(page);
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => text.includes("INFO"))).toEqual([]);
    const severities = changes(page).getByRole("group", { name: "Severity" });
    await severities.getByRole("button", { name: "All" }).click();
    await expect.poll(() => rows(page).count()).toBe(1 + Math.min(12, data.length));
    await expect.poll(() => new URL(page.url()).search).toBe("?severity=all");
    const mark = changes(page).getByRole("button", { name: "CAUTION", exact: true }).first();
    await mark.click();
    const note = page.getByRole("note").filter({ hasText: "10 percentage points" });
    await expect.poll(() => note.isVisible()).toBe(true);
  });

  it("shows one severity, which the address says and the back button undoes", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"events">>(NEWEST);
    const page = await visit("/");
    const severities = changes(page).getByRole("group", { name: "Severity" });
    const rug = severities.getByRole("button", { name: /^RUG\s*\d/ });
    const rugs = data.filter(({ severity, pattern }) =>
      pattern === null ? severity === "RUG" : pattern.to >= 90,
    );
    expect(await rug.innerText()).toContain(String(rugs.length));
    await rug.click();
    await expect.poll(() => rug.getAttribute("aria-pressed")).toBe("true");
    await expect.poll(() => new URL(page.url()).search).toBe("?severity=RUG");
    const texts = await readRows(page);
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => !text.includes("RUG"))).toEqual([]);
    await page.goBack();
    await expect
      .poll(() => severities.getByRole("button", { pressed: true }).innerText())
      .toContain("RUG and CAUTION");
  });

  it("says so where nothing new was learnt for long, though the API answers", async () => {
    const old = (page: Page) =>
      page.getByRole("main").getByRole("status").filter({ hasText: "Not up to date." });
    const testnet = await visit("/?network=testnet");
    await expect
      .poll(() => old(testnet).innerText())
      .toContain("We have read nothing new for over half an hour.");
    expect(await old(testnet).getByRole("link").getAttribute("href")).toBe(
      "/status?network=testnet",
    );
    const mainnet = await visit("/");
    await mainnet.getByText("live", { exact: true }).waitFor();
    expect(await old(mainnet).count()).toBe(0);
  });

  it("leads to the page about alerts", async () => {
    const page = await visit("/?network=testnet");
    const link = changes(page).getByRole("link", { name: "Get alerts" });
    expect(await link.getAttribute("href")).toBe("/alerts?network=testnet");
  });

  it("asks the visitor's question, and takes a wallet for an answer too", async () => {
    const { visit, world } = await open();
    const page = await visit("/");
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(
      "Did your validator raise its commission?",
    );
    const box = page.getByRole("searchbox", { name: "Name, vote account or wallet" });
    await box.fill("lantern");
    await expect
      .poll(() => card(page, "Search results").getByRole("link").count())
      .toBeGreaterThan(0);
    await box.fill(world.wallet);
    const first = card(page, "Search results").getByRole("listitem").first();
    await expect.poll(() => first.innerText()).toMatch(/^See the stake of the wallet/);
    expect(await first.innerText()).toContain("the next page says what else to try");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByRole("heading", { level: 1, name: "My stake" }).waitFor();
    expect(new URL(page.url()).searchParams.get("wallet")).toBe(world.wallet);
  });

  it("leads in one click to how it is known and to who is accused wrongly", async () => {
    const page = await visit("/?network=testnet");
    for (const [name, path] of [
      ["How we know", "/how-we-know?network=testnet"],
      ["Accused wrongly?", "/accused?network=testnet"],
    ] as const) {
      const link = page.getByRole("main").getByRole("link", { name });
      expect(await link.getAttribute("href")).toBe(path);
      expect((await link.boundingBox())!.y).toBeLessThan(900);
    }
  });

  it("opens with who takes nearly everything now, and each number leads to exactly these", async () => {
    const { visit, world } = await open();
    const { standing, keeping } = (
      await world.read<DocumentOf<"rugsPerEpoch">>("stats/rugs-per-epoch")
    ).meta;
    const page = await visit("/");
    const first = card(page, "Keep 90\u00a0% or more");
    const count = keeping.inflation.validators;
    expect(await first.innerText()).toMatch(
      new RegExp(`${count}\\s+validators keep 90\u00a0% or more of inflation rewards now`),
    );
    const ahead = first.getByRole("link", { name: `${standing.validatorsAnnounced} more will` });
    await ahead.click();
    const heading = card(page, "The worst now").getByRole("heading", {
      name: `Paid from a later epoch, after a rise: ${standing.validatorsAnnounced}`,
    });
    await expect
      .poll(() => heading.evaluate((each) => each.getBoundingClientRect().top))
      .toBeLessThan(120);
    const listed = card(page, "Chosen validators, highest commission first");
    for (const from of [first, card(page, "SOL affected"), card(page, "The worst now")]) {
      await from.getByRole("link", { name: /or more|these/ }).click();
      await expect.poll(() => listed.getByRole("row").count()).toBe(1 + count);
      await page.goBack();
    }
    const ofMev = card(page, "Chosen validators, highest MEV commission first");
    for (const from of [first, card(page, "The worst now")]) {
      await from.getByRole("link", { name: /as much/ }).click();
      await expect.poll(() => ofMev.getByRole("row").count()).toBe(1 + keeping.mev.validators);
      await page.goBack();
    }
  });

  it("lists the worst in groups, and draws only what a row is about", async () => {
    const { visit, world } = await open();
    const { standing, keeping } = (
      await world.read<DocumentOf<"rugsPerEpoch">>("stats/rugs-per-epoch")
    ).meta;
    const rugs = [
      ...standing.worst.filter(({ paid }) => paid),
      ...standing.worst.filter(({ paid }) => !paid),
    ];
    const others = keeping.most.filter(
      ({ votePubkey }) => !rugs.some((rug) => rug.votePubkey === votePubkey),
    );
    const shown = [...rugs, ...others].slice(0, 8);
    const rows = card(await visit("/"), "The worst now").getByRole("listitem");
    expect(
      await rows
        .getByRole("link")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
    ).toEqual(shown.map(({ votePubkey }) => `/validators/${votePubkey}`));
    const sources = shown.map((each) => ("event" in each ? each.event.source : "COMMISSION"));
    expect(new Set(sources)).toEqual(new Set(["COMMISSION", "MEV"]));
    for (const [index, source] of sources.entries()) {
      const line = rows.nth(index).getByRole("img", { name: /^Paid in \d+ epochs/ });
      expect(await line.count()).toBe(source === "MEV" ? 0 : 1);
    }
  });

  it("tells what is paid now before what is paid next, as the API has both", async () => {
    const { visit, world } = await open();
    const { data, meta } = await world.read<DocumentOf<"events">>(NEWEST);
    const { data: epoch } = await world.read<{ data: { epoch: number } }>("epoch");
    const page = await visit("/?rows=600&severity=all");
    const later = data.filter(
      ({ source, supersededBy, effectiveEpoch, replacedBy }) =>
        source === "COMMISSION" &&
        supersededBy === null &&
        replacedBy === null &&
        effectiveEpoch === epoch.epoch + 2,
    );
    let told = 0;
    for (const { votePubkey, toCommission } of later) {
      const { appliedCommission: now, nextAppliedCommission: next } = meta.validators.find(
        (each) => each.votePubkey === votePubkey,
      )!;
      if (now === null || next === null || next === now || toCommission === next) continue;
      const row = rows(page)
        .filter({ has: page.locator(`a[href="/validators/${votePubkey}"]`) })
        .filter({ hasText: "Inflation" })
        .first();
      expect((await row.innerText()).replaceAll("\u00a0", " ")).toMatch(
        new RegExp(
          `${now} % now,\\s+${next} % from epoch ${epoch.epoch + 1}[^,]*,\\s+${toCommission} % from`,
        ),
      );
      told += 1;
    }
    expect(told).toBeGreaterThan(0);
  });

  it("explains a word to who presses it, by the keyboard too", async () => {
    const page = await visit("/");
    const word = card(page, "Epoch").getByRole("button", { name: "epoch" });
    const text = page.getByRole("note").filter({ hasText: "accounting period" });
    expect(await text.isVisible()).toBe(false);
    await word.press("Enter");
    await expect.poll(() => text.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => text.isVisible()).toBe(false);
  });

  it("asks for no document of a single validator, however many rows the address wants", async () => {
    const page = await visit("/nothing/here");
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
    await page.goto("/?rows=600&severity=all");
    await settle(page);
    await expect.poll(() => rows(page).count()).toBeGreaterThan(50);
    expect(await rows(page).last().innerText()).toContain("SOL");
    const documents = new Set(asked.flatMap((path) => path.split("/api/v1/").slice(1)));
    expect([...documents].toSorted()).toEqual([
      "epoch",
      "events",
      "stats/rugs-per-epoch",
      "status",
    ]);
  });

  it("says the rugs of each epoch and what they took in a sentence, a picture and a table", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"rugsPerEpoch">>("stats/rugs-per-epoch?epochs=50");
    const rugs = card(await visit("/"), RUGS);
    const [inflation, mev] = (["commissionEvents", "mevEvents"] as const).map((of) =>
      data.reduce((total, row) => total + row[of], 0),
    );
    const sentence = `${inflation! + mev!} rugs in ${data.length} epochs: ${inflation} of inflation and ${mev} of MEV commission.`;
    expect(await rugs.innerText()).toContain(sentence);
    const picture = rugs.getByRole("img");
    expect((await picture.boundingBox())!.width).toBeGreaterThan(200);
    const told = await picture.locator("title").allTextContents();
    expect(told).toHaveLength(data.length);
    expect(told[0]).toMatch(new RegExp(`^Epoch ${data[0]!.epoch}: \\d+ rugs?, .*SOL lost`));
    await rugs.getByText("Show the figures as a table").click();
    const rows = (await rugs.getByRole("row").allInnerTexts())
      .slice(1)
      .map((text) => text.split(/\s+/).slice(0, 4).map(Number));
    const expected = data.map((row) => [
      row.epoch,
      row.commissionEvents,
      row.mevEvents,
      row.uniqueValidators,
    ]);
    expect(rows).toEqual(expected.toReversed());
  });

  it("says what there is not on a network without data", async () => {
    const page = await visit("/?network=alpenglow", { tolerates: /status of (?:404|503)/ });
    const none = "No commission has changed since we began to watch this network.";
    expect(await changes(page).innerText()).toContain(none);
    expect(await card(page, RUGS).innerText()).toContain("We have no epoch on record yet.");
    expect(await card(page, "Epoch").getByRole("alert").count()).toBe(1);
  });
});
