import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { card, describeSite, findVotePubkeys, isTooWide, NOT_PUBLISHED, parameter, type Site } from "./_setup.ts";

const toPercent = (percent: number | null) => (percent === null ? "not known" : `${percent} %`);

async function readFigures(page: Page, name: string): Promise<string[][]> {
  await card(page, name).getByText("Show the figures as a table").click();
  const rows = card(page, name).getByRole("region").getByRole("row");
  const toTexts = (all: Element[]) => all.map((row) => [...row.children].map((cell) => cell.textContent.trim()));
  return (await rows.evaluateAll(toTexts)).slice(1);
}

function factOf(page: Page, name: string) {
  const has = page.getByText(name, { exact: true });
  return page.getByRole("main").locator("dl > div", { has }).locator("dd");
}

describeSite("the page of a validator", (open) => {
  interface Visited extends Site {
    page: Page;
    votePubkey: string;
    readOwn: <Document>(path: string) => Promise<Document>;
  }

  async function visitOne(query = ""): Promise<Visited> {
    const site = await open();
    const [votePubkey] = await findVotePubkeys(site.world);
    const readOwn = <Document>(path: string) => site.world.read<Document>(`validators/${votePubkey}${path}`);
    return { ...site, votePubkey, readOwn, page: await site.visit(`/validators/${votePubkey}${query}`) };
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
    const texts = data.verdict.reasons.map(({ text }) => text);
    expect((await verdict.locator("p, li").allInnerTexts()).map((text) => text.trim())).toEqual(texts);
    expect((await page.getByRole("main").innerText()).indexOf(texts[0]!)).toBeLessThan(60);
    await expect.poll(() => card(page, "What it takes").innerText()).toContain("↔");
  });

  it("tells announced and paid commission, and stake, by epoch in tables beside the charts", async () => {
    const { page, readOwn } = await visitOne();
    const { data } = await readOwn<DocumentOf<"commissionHistory">>("/commission-history");
    const toCells = ({ epoch, commission, appliedCommission }: (typeof data)[number]) => [
      String(epoch),
      toPercent(commission),
      toPercent(appliedCommission),
    ];
    const told = await readFigures(page, "Commission by epoch");
    expect(told.map((cells) => cells.slice(0, 3))).toEqual(data.map(toCells).toReversed());
    expect(told.length).toBeGreaterThan(10);
    await card(page, "Commission by epoch").locator("canvas").nth(1).waitFor();

    const stakes = (await readOwn<DocumentOf<"stakeHistory">>("/stake-history")).data;
    const epochs = (await readFigures(page, "Stake by epoch")).map(([epoch]) => epoch);
    expect(epochs).toEqual(stakes.map(({ epoch }) => String(epoch)).toReversed());
    await card(page, "Stake by epoch").locator("canvas").waitFor();
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

  it("has a calendar of its uptime, a cell for each day on record", async () => {
    const { page, readOwn } = await visitOne();
    const { data, meta } = await readOwn<DocumentOf<"uptime">>("/uptime");
    const uptime = card(page, "Uptime");
    for (const { date, uptimeChecks } of data) {
      const name = new RegExp(`^${date}: .* of ${uptimeChecks} checks$`);
      expect(await uptime.getByRole("cell", { name }).count()).toBe(1);
    }
    expect(await uptime.getByRole("cell", { name: /^\d{4}-/ }).count()).toBe(data.length);
    expect(await uptime.innerText()).toContain(`${toPercent(meta.overallUptimePercent)} over ${data.length} days`);
  });

  it("shows as many epochs as the address says", async () => {
    const { page } = await visitOne("?epochs=30");
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
    const page = await visit(`/validators/${votePubkey}?network=testnet`, { tolerates: NOT_PUBLISHED });
    await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("No such validator on testnet");
    await page.getByRole("link", { name: "Look on mainnet" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await card(page, "Profile").waitFor();
  });

  it("says where a key is none", async () => {
    const { visit } = await open();
    for (const key of ["abc", "0".repeat(44), "%3Cimg%20src=x%20onerror=alert(1)%3E"]) {
      const page = await visit(`/validators/${key}`, { tolerates: /status of 40[04]/ });
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("This is no vote account");
      expect(await page.getByRole("main").innerText()).toContain(decodeURIComponent(key));
    }
  });
});

describeSite("what a change costs", (open) => {
  it("is told of MEV commission in the card and in the evidence, for as much SOL as the reader chooses", async () => {
    const { world, visit } = await open();
    const { data } = await world.read<DocumentOf<"events">>("events?epochs=50");
    const { votePubkey, id, mevCost } = data.find((event) => event.mevCost !== null)!;
    const page = await visit(`/validators/${votePubkey}?event=${id}&sol=250`);
    await expect.poll(() => factOf(page, "Tips for 250 SOL").innerText()).toMatch(/ SOL (less|more)$|^no change$/);
    expect(await factOf(page, "Cost for 250 SOL").innerText()).toContain(`in epoch ${mevCost!.basis.epoch}`);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await isTooWide(page)).toBe(false);
  });

  it("is told for as much SOL as the reader chooses, in the card, in the evidence and in the address", async () => {
    const { world, visit } = await open();
    const { data } = await world.read<DocumentOf<"events">>("events?epochs=50");
    const priced = data.find(({ cost, supersededBy }) => cost !== null && supersededBy === null)!;
    const page = await visit(`/validators/${priced.votePubkey}?event=${priced.id}&sol=250`);
    const cost = card(page, "What it costs");
    await expect.poll(() => factOf(page, "For 250 SOL").innerText()).toMatch(/ SOL (less|more)$|^no change$/);
    expect(await factOf(page, "Cost for 250 SOL").innerText()).toMatch(/ per epoch$/);
    const input = cost.getByRole("textbox", { name: "Your stake" });
    expect(await input.inputValue()).toBe("250");
    await input.fill("5000");
    await expect.poll(() => parameter(page, "sol")).toBe("5000");
    await factOf(page, "Cost for 5,000 SOL").waitFor();
    await input.fill("0");
    expect(await input.getAttribute("aria-invalid")).toBe("true");
    expect(parameter(page, "sol")).toBe("5000");
    await input.fill("1000");
    await expect.poll(() => parameter(page, "sol")).toBeNull();
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await isTooWide(page)).toBe(false);
  });
});

describeSite("the evidence of a change", (open) => {
  const SIGNATURE = `5VERv8NM${"8".repeat(80)}`;
  const SIGNER = `Auth${"4".repeat(40)}`;
  const EXPLORED = `https://explorer.solana.com/tx/${SIGNATURE}`;
  const transaction: NonNullable<CommissionEvent["transaction"]> = {
    signature: SIGNATURE,
    slot: 123_456,
    blockTime: "2026-11-20T07:30:00.000Z",
    signer: SIGNER,
    verified: "signature",
    steps: [100, 0].map((commission, index) => ({ signature: SIGNATURE, slot: 123_455 + index, commission })),
  };

  async function visitChange(told: Partial<CommissionEvent>, network = "mainnet", width = 1280): Promise<Page> {
    const { world } = await open();
    const { data } = await world.read<DocumentOf<"events">>(`events?network=${network}&epochs=50`);
    const { id, votePubkey } = data.find(({ source }) => source === "COMMISSION")!;
    const other = await open();
    other.world.change = (text, key) => {
      if (!key.endsWith(`${votePubkey}/events.json`)) return text;
      const document = JSON.parse(text) as DocumentOf<"validatorEvents">;
      const events = document.data.map((event) => (event.id === id ? { ...event, ...told } : event));
      return JSON.stringify({ ...document, data: events });
    };
    return other.visit(`/validators/${votePubkey}?network=${network}&event=${id}`, { width });
  }

  it("names its transaction, when and where it was made, who signed it and how that is verified", async () => {
    const page = await visitChange({ transaction, fromCommission: 5 });
    expect(await factOf(page, "Transaction").innerText()).toContain("2026-11-20 07:30 UTC, slot 123,456");
    expect(await factOf(page, "Proof").innerText()).toContain("signature verified");
    expect(await factOf(page, "2 steps").innerText()).toBe("5 % → 100 % in slot 123,455 → 0 % in slot 123,456");
    const links = page.getByRole("main").locator('a[href^="https://explorer.solana.com/"]');
    const told = await links.evaluateAll((all) =>
      (all as HTMLAnchorElement[]).map(({ href, target, rel }) => ({ href, target, rel })),
    );
    const safe = { target: "_blank", rel: "noreferrer" };
    expect(told).toContainEqual({ href: EXPLORED, ...safe });
    expect(told).toContainEqual({ href: `https://explorer.solana.com/address/${SIGNER}`, ...safe });
  });

  it("leads to the explorer's own view of another cluster", async () => {
    const page = await visitChange({ transaction }, "testnet");
    const link = factOf(page, "Transaction").getByRole("link");
    expect(await link.getAttribute("href")).toBe(`${EXPLORED}?cluster=testnet`);
  });

  it.each<[string, Partial<CommissionEvent>, Record<string, string | null>]>([
    [
      "that no observation saw it, where its transaction alone tells of it",
      { transaction, createdAt: "2026-11-20T08:00:00.000Z", previousSlot: null, previousSeenAt: null },
      { Observations: "none. We found its transaction at 2026-11-20 08:00 UTC", "Second reading": null },
    ],
    ["that its transaction is not found yet", { transaction: null }, { Transaction: "not found yet" }],
    ["nothing of a transaction where MEV commission changed", { source: "MEV" }, { Transaction: null }],
    [
      "which event is the last of its steps, and never that nothing was paid",
      { supersededBy: "the last", replacedBy: "the last" },
      { "First epoch paid": "see its steps, which are events of their own (the last: the last)" },
    ],
  ])("says %s", async (_, told, facts) => {
    const page = await visitChange(told);
    await factOf(page, "Event id").waitFor();
    for (const [name, text] of Object.entries(facts))
      expect(await factOf(page, name).allInnerTexts()).toEqual(text === null ? [] : [text]);
    expect((await card(page, "Changes").innerText()).includes("see its steps in this list")).toBe("replacedBy" in told);
  });

  it("fits a narrow screen, and has no link where a name is none of the chain's", async () => {
    const hostile = { ...transaction, signature: `<b>${"x".repeat(300)}`, verified: "new ".repeat(90) };
    const page = await visitChange({ transaction: hostile }, "mainnet", 360);
    expect(await isTooWide(page)).toBe(false);
    expect(await factOf(page, "Transaction").getByRole("link").count()).toBe(0);
  });

  it("stands beside the vote account: its withdraw authority, and each change of it with its transaction", async () => {
    const { world: before } = await open();
    const [votePubkey] = await findVotePubkeys(before);
    const { world, visit } = await open();
    const change = { slot: 99, epoch: 7, blockTime: null, signature: SIGNATURE, signer: SIGNER, verified: "witnesses" };
    const accountChanges = [
      { of: "blockRevenueCommission", toKey: null, toCommission: 50, ...change },
      { of: "withdrawAuthority", toKey: SIGNER, toCommission: null, ...change },
    ];
    world.change = (text, key) => {
      if (!key.endsWith(`validators/${votePubkey}.json`)) return text;
      const document = JSON.parse(text) as DocumentOf<"validator">;
      Object.assign(document.data, { withdrawAuthority: SIGNER, blockRevenueCommission: 50, accountChanges });
      return JSON.stringify(document);
    };
    const page = await visit(`/validators/${votePubkey}`, { width: 360 });
    expect(await factOf(page, "Withdraw authority").innerText()).toContain(`${SIGNER.slice(0, 5)}…`);
    expect(await factOf(page, "Block revenue commission").innerText()).toBe("50 %");
    const rows = (await card(page, "Vote account").getByRole("row").allInnerTexts()).slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/epoch 7\s+slot 99\s+Block revenue commission\s+50 %\s+5VERv…88888/);
    expect(rows[1]).toContain("most endpoints agree");
    expect(await isTooWide(page)).toBe(false);
  });
});
