import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { describeSite, type OpenSite, type Site } from "./_setup.ts";
import { findVotePubkeys, isTooWide } from "./pages.ts";

const SIGNATURE = `5VERv8NM${"8".repeat(80)}`;
const SIGNER = `Auth${"4".repeat(40)}`;
const TRANSACTION: NonNullable<CommissionEvent["transaction"]> = {
  signature: SIGNATURE,
  slot: 123_456,
  blockTime: "2026-11-20T07:30:00.000Z",
  signer: SIGNER,
  verified: "signature",
  steps: [
    { signature: SIGNATURE, slot: 123_455, commission: 100 },
    { signature: SIGNATURE, slot: 123_456, commission: 0 },
  ],
};
const EXPLORED = `https://explorer.solana.com/tx/${SIGNATURE}`;

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** The page of a validator whose newest change of inflation commission is told otherwise; its evidence is open. */
async function visitChange(
  open: OpenSite,
  told: Partial<CommissionEvent>,
  { network = "mainnet", width = 1280 }: { network?: "mainnet" | "testnet"; width?: number } = {},
): Promise<Site & { page: Page }> {
  const site = await open();
  const { data } = await site.world.read<DocumentOf<"events">>(`events?network=${network}&epochs=50`);
  const event = data.find(({ source }) => source === "COMMISSION");
  if (event === undefined) throw new Error(`no inflation commission changed on ${network}`);
  const other = await open();
  other.world.change = (text, key) =>
    key.endsWith(`${event.votePubkey}/events.json`) ? changeEvent(text, event.id, told) : text;
  const page = await other.visit(`/validators/${event.votePubkey}?network=${network}&event=${event.id}`, { width });
  return { ...other, page };
}

function changeEvent(text: string, id: string, told: Partial<CommissionEvent>): string {
  const document = JSON.parse(text) as DocumentOf<"validatorEvents">;
  const data = document.data.map((event) => (event.id === id ? { ...event, ...told } : event));
  return JSON.stringify({ ...document, data });
}

/** The text beside a name in a list of facts. */
const factOf = (page: Page, name: string) =>
  page
    .getByRole("main")
    .locator("dl > div", { has: page.getByText(name, { exact: true }) })
    .locator("dd");

describeSite("the evidence of a change", (open) => {
  it("names its transaction, when and where it was made, who signed it and how that is verified", async () => {
    const { page } = await visitChange(open, { transaction: TRANSACTION, fromCommission: 5 });
    const text = await factOf(page, "Transaction").innerText();
    expect(text).toContain("2026-11-20 07:30 UTC, slot 123,456");
    expect(await factOf(page, "Proof").innerText()).toContain("verified by signature");
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
    const { page } = await visitChange(open, { transaction: TRANSACTION }, { network: "testnet" });
    const link = factOf(page, "Transaction").getByRole("link");
    expect(await link.getAttribute("href")).toBe(`${EXPLORED}?cluster=testnet`);
  });

  it("says that no observation saw it, where its transaction alone tells of it", async () => {
    const told = { previousSlot: null, previousSeenAt: null, confirmedBy: "transaction" } as const;
    const { page } = await visitChange(open, {
      ...told,
      transaction: TRANSACTION,
      createdAt: "2026-11-20T08:00:00.000Z",
    });
    expect(await factOf(page, "Observations").innerText()).toBe(
      "none saw it: its transaction was read at 2026-11-20 08:00 UTC",
    );
    expect(await card(page, "Changes").innerText()).not.toContain("Second reading");
  });

  it("says that its transaction is not found yet", async () => {
    const { page } = await visitChange(open, { transaction: null });
    expect(await factOf(page, "Transaction").innerText()).toBe("not found yet");
  });

  it("says nothing of a transaction where it is MEV commission that changed", async () => {
    const { page } = await visitChange(open, { source: "MEV" });
    expect(await factOf(page, "Second reading").count()).toBe(1);
    expect(await factOf(page, "Transaction").count()).toBe(0);
  });

  it("says which event is the last of its steps, and never that nothing was paid", async () => {
    const { page } = await visitChange(open, { supersededBy: "the last", replacedBy: "the last" });
    expect(await factOf(page, "First epoch that pays it").innerText()).toBe(
      "told by its steps, of which event the last is the last",
    );
    expect(await card(page, "Changes").innerText()).toContain("in steps, listed too");
  });

  it("fits a narrow screen, and has no link where a name is none of the chain's", async () => {
    const transaction = { ...TRANSACTION, signature: `<b>${"x".repeat(300)}`, verified: "new ".repeat(90) };
    const { page } = await visitChange(open, { transaction }, { width: 360 });
    expect(await isTooWide(page)).toBe(false);
    expect(await factOf(page, "Transaction").getByRole("link").count()).toBe(0);
  });
});

describeSite("the vote account", (open) => {
  const change = { slot: 99, epoch: 7, blockTime: null, signature: SIGNATURE, signer: SIGNER, verified: "witnesses" };

  it("names its withdraw authority, and each change of it with its transaction", async () => {
    const { world: before } = await open();
    const [votePubkey] = await findVotePubkeys(before);
    const { world, visit } = await open();
    world.change = (text, key) => {
      if (!key.endsWith(`validators/${votePubkey}.json`)) return text;
      const document = JSON.parse(text) as DocumentOf<"validator">;
      const accountChanges = [
        { of: "blockRevenueCommission", toKey: null, toCommission: 50, ...change },
        { of: "withdrawAuthority", toKey: SIGNER, toCommission: null, ...change },
      ];
      Object.assign(document.data, { withdrawAuthority: SIGNER, blockRevenueCommission: 50, accountChanges });
      return JSON.stringify(document);
    };
    const page = await visit(`/validators/${votePubkey}`, { width: 360 });
    const account = card(page, "Vote account");
    expect(await factOf(page, "Withdraw authority").innerText()).toContain(`${SIGNER.slice(0, 5)}…`);
    expect(await factOf(page, "Block revenue commission").innerText()).toBe("50 %");
    const rows = (await account.getByRole("row").allInnerTexts()).slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/epoch 7\s+slot 99\s+Block revenue commission\s+50 %\s+5VERv…88888/);
    expect(rows[1]).toContain("told alike by most endpoints");
    expect(await isTooWide(page)).toBe(false);
  });
});

const SWEPT: DocumentOf<"status">["data"]["swept"] = {
  validators: 1_000,
  covered: 990,
  upToSlot: 123_456,
  busy: [{ authority: SIGNER, votePubkeys: ["1", "2", "3", "4", "5"].map((digit) => digit.repeat(40)) }],
  busyTotal: 130,
  refused: 3,
  contradictions: 1,
};

describeSite("how far transactions are searched", (open) => {
  async function openSwept(swept: typeof SWEPT): Promise<Site> {
    const site = await open();
    site.world.change = (text, key) => {
      if (key !== "api/v1/mainnet/status.json") return text;
      const document = JSON.parse(text) as DocumentOf<"status">;
      return JSON.stringify({ ...document, data: { ...document.data, swept } });
    };
    return site;
  }

  it("is said on the status page, with who signs too much to be searched", async () => {
    const { visit } = await openSwept(SWEPT);
    const page = await visit("/status", { width: 360, tolerates: /status of 404/ });
    const text = await card(page, "Transactions searched on mainnet").innerText();
    expect(text).toContain("990 of 1,000 validators are searched up to slot 123,456.");
    expect(text).toContain("Of 3 validators too few endpoints could be asked");
    expect(text).toContain("1 commission that was read is contradicted by a proved transaction");
    expect(text).toContain("130 authorities sign too much to be searched, the first 1 of them:");
    expect(text).toMatch(/Auth4…44444[^]*11111…11111[^]*33333…33333[^]*and 2 more/);
    expect(await isTooWide(page)).toBe(false);
  });

  it("is said where nothing is searched yet", async () => {
    const { visit } = await openSwept({ ...SWEPT, covered: 0, upToSlot: null, busy: [], busyTotal: 0 });
    const page = await visit("/status", { tolerates: /status of 404/ });
    expect(await card(page, "Transactions searched on mainnet").innerText()).toContain("So far none is searched.");
  });
});
