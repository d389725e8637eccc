import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import {
  card,
  changeDocument,
  describeSite,
  findVotePubkeys,
  isTooWide,
  NOT_PUBLISHED,
  parameter,
} from "./_setup.ts";

function factOf(page: Page, name: string) {
  const has = page.getByText(name, { exact: true });
  return page.getByRole("main").locator("dl > div", { has }).locator("dd");
}

describeSite("the changes of who flips", (open) => {
  it("are one line, with each of them behind it, and open to whom one is named", async () => {
    const { visit, world } = await open();
    const { data: list } = await world.read<DocumentOf<"validators">>("validators?limit=100");
    const { votePubkey } = list.find(({ pattern }) => pattern !== null)!;
    const { data } = await world.read<DocumentOf<"validatorEvents">>(
      `validators/${votePubkey}/events`,
    );
    const newest = data.find(({ pattern }) => pattern !== null)!;
    const { source, changes } = newest.pattern!;
    const counted = data
      .slice(data.indexOf(newest))
      .filter((event) => event.source === source && event.confirmed && event.replacedBy === null)
      .slice(0, changes);
    expect(counted.length).toBe(changes);
    // The first ones came before anybody could know it for a pattern.
    expect(counted.at(-1)!.pattern).toBeNull();

    const lines = card(await visit(`/validators/${votePubkey}`), "Changes").getByRole("listitem");
    const line = lines.filter({ hasText: "↔" }).first();
    const evidence = line.getByRole("button", { name: "Evidence" });
    expect(await evidence.count()).toBe(0);
    await line.getByRole("button", { name: `Show ${changes} changes` }).click();
    await expect.poll(() => evidence.count()).toBe(changes);

    const oldest = counted.at(-1)!;
    const named = await visit(`/validators/${votePubkey}?event=${oldest.id}`);
    await expect
      .poll(() => card(named, "Changes").innerText())
      .toContain(oldest.slot.toLocaleString("en"));
  });
});

describeSite("what a change costs", (open) => {
  it("is told of MEV commission in the card and in the evidence, for as much SOL as the reader chooses", async () => {
    const { world, visit } = await open();
    const { data } = await world.read<DocumentOf<"events">>("events?epochs=50");
    const { votePubkey, id, mevCost } = data.find((event) => event.mevCost !== null)!;
    const page = await visit(`/validators/${votePubkey}?event=${id}&sol=250`);
    await expect
      .poll(() => factOf(page, "Tips for 250 SOL").innerText())
      .toMatch(/\sSOL\s(?:less|more)$|^no change$/);
    expect(await factOf(page, "Cost for 250 SOL").innerText()).toContain(
      `in epoch ${mevCost!.basis.epoch}`,
    );
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await isTooWide(page)).toBe(false);
  });

  it("is summed up in the head, which leads to the card that tells the same", async () => {
    const { world, visit } = await open();
    const { data } = await world.read<DocumentOf<"validators">>("validators?limit=100");
    const flipper = data.find(({ pattern }) => pattern?.source === "COMMISSION")!.votePubkey;
    const page = await visit(`/validators/${flipper}?sol=250`);
    const stake = page.getByRole("combobox", { name: "Your stake in SOL" });
    const inHead = page.locator("dl > div", { has: stake }).locator("dd");
    await expect.poll(() => inHead.innerText()).toMatch(/\sSOL/);
    const told = await inHead.getByRole("link").innerText();
    expect(await factOf(page, "With 250 SOL, all epochs together").innerText()).toBe(
      `${told}\u00a0less`,
    );
    await inHead.getByRole("link").click();
    expect(new URL(page.url()).hash).toBe("#cost");
    await stake.selectOption("500");
    await factOf(page, "With 500 SOL, all epochs together").waitFor();
    const cost = card(page, "What it costs");
    expect(await cost.getByRole("textbox", { name: "Your stake" }).inputValue()).toBe("500");
    await cost.getByRole("button", { name: "10,000" }).click();
    await expect.poll(() => stake.inputValue()).toBe("10000");
    expect(parameter(page, "sol")).toBe("10000");
  });

  it("is told for as much SOL as the reader chooses, in the card, in the evidence, in the address and in comparisons", async () => {
    const { world, visit } = await open();
    const { data } = await world.read<DocumentOf<"events">>("events?epochs=50");
    const priced = data.find(({ cost, supersededBy }) => cost !== null && supersededBy === null)!;
    const page = await visit(`/validators/${priced.votePubkey}?event=${priced.id}&sol=250`);
    const cost = card(page, "What it costs");
    await expect
      .poll(() => factOf(page, "For 250 SOL an epoch").innerText())
      .toMatch(/\sSOL\s(?:less|more)$|^no change$/);
    expect(await factOf(page, "Cost for 250 SOL").innerText()).toMatch(/ per epoch$/);
    const input = cost.getByRole("textbox", { name: "Your stake" });
    expect(await input.inputValue()).toBe("250");
    await input.fill("5000");
    await expect.poll(() => parameter(page, "sol")).toBe("5000");
    await factOf(page, "Cost for 5,000 SOL").waitFor();
    await input.fill("0");
    expect(await input.getAttribute("aria-invalid")).toBe("true");
    expect(parameter(page, "sol")).toBe("5000");
    const address = page.url();
    await page.goto(`/validators/${priced.votePubkey}`);
    await factOf(page, "For 5,000 SOL an epoch").waitFor();
    await page.goto(`/compare?votes=${priced.votePubkey}`);
    const compared = page.getByRole("combobox", { name: "Your stake in SOL" });
    await expect.poll(() => compared.inputValue()).toBe("5000");
    await page.goto(address);
    await input.fill("1000");
    await expect.poll(() => parameter(page, "sol")).toBeNull();
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await isTooWide(page)).toBe(false);
  });
});

describeSite("the evidence of a change", (open) => {
  const SIGNATURE = `5VERv8NM${"8".repeat(80)}`;
  const SIGNER = `Auth${"4".repeat(40)}`;
  const EXPLORER = "https://explorer.solana.com";
  const transaction: NonNullable<CommissionEvent["transaction"]> = {
    signature: SIGNATURE,
    slot: 123_456,
    blockTime: "2026-11-20T07:30:00.000Z",
    signer: SIGNER,
    verified: "signature",
    verifiedBy: "signature",
    steps: [100, 0].map((commission, index) => ({
      signature: SIGNATURE,
      slot: 123_455 + index,
      commission,
    })),
  };

  async function visitChange(
    told: Partial<CommissionEvent>,
    network = "mainnet",
    width = 1280,
  ): Promise<Page> {
    const { world } = await open();
    const { data } = await world.read<DocumentOf<"events">>(`events?network=${network}&epochs=50`);
    const { id, votePubkey } = data.find(({ source }) => source === "COMMISSION")!;
    const other = await open();
    const tell = ({ data }: DocumentOf<"validatorEvents">) => {
      for (const event of data) if (event.id === id) Object.assign(event, told);
    };
    changeDocument(other.world, new RegExp(`${votePubkey}/events.json$`), tell);
    return other.visit(`/validators/${votePubkey}?network=${network}&event=${id}`, { width });
  }

  it("names its transaction, when and where it was made, who signed it and how that is verified", async () => {
    const page = await visitChange({ transaction, fromCommission: 5 }, "testnet");
    expect(await factOf(page, "Transaction").innerText()).toContain(
      "2026-11-20 07:30 UTC, slot 123,456",
    );
    expect(await factOf(page, "Proof").innerText()).toContain("signature verified");
    expect(await factOf(page, "2 steps").innerText()).toBe(
      "5\u00a0% → 100\u00a0% in slot 123,455 → 0\u00a0% in slot 123,456",
    );
    const links = page.getByRole("main").locator(`a[href^="${EXPLORER}/"]`);
    const told = await links.evaluateAll((all) =>
      (all as HTMLAnchorElement[]).map(({ href, target, rel }) => ({ href, target, rel })),
    );
    const safe = { target: "_blank", rel: "noreferrer" };
    expect(told).toContainEqual({ href: `${EXPLORER}/tx/${SIGNATURE}?cluster=testnet`, ...safe });
    expect(told).toContainEqual({ href: `${EXPLORER}/address/${SIGNER}?cluster=testnet`, ...safe });
  });

  it.each<[string, Partial<CommissionEvent>, Record<string, string | null>]>([
    [
      "that no observation saw it, where its transaction alone tells of it",
      {
        transaction,
        createdAt: "2026-11-20T08:00:00.000Z",
        previousSlot: null,
        previousSeenAt: null,
      },
      {
        Observations: "none. We found its transaction at 2026-11-20 08:00 UTC",
        "Confirmed by": null,
      },
    ],
    [
      "that its transaction is not found yet",
      { transaction: null },
      { Transaction: "not found yet" },
    ],
    [
      "nothing of a transaction where MEV commission changed",
      { source: "MEV" },
      { Transaction: null },
    ],
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
    expect((await card(page, "Changes").innerText()).includes("see its steps in this list")).toBe(
      "replacedBy" in told,
    );
  });

  it("fits a narrow screen, and has no link where a name is none of the chain's", async () => {
    const hostile = {
      ...transaction,
      signature: `<b>${"x".repeat(300)}`,
      verified: "new ".repeat(90),
    };
    const page = await visitChange({ transaction: hostile }, "mainnet", 360);
    expect(await isTooWide(page)).toBe(false);
    expect(await factOf(page, "Transaction").getByRole("link").count()).toBe(0);
  });

  it("stands beside the vote account: its withdraw authority, and each change of it with its transaction", async () => {
    const { world, visit } = await open();
    const change = {
      slot: 99,
      epoch: 7,
      blockTime: null,
      signature: SIGNATURE,
      signer: SIGNER,
      firstSeenAt: null,
      verified: "witnesses",
    };
    const accountChanges = [
      {
        ...{
          of: "blockRevenueCommission",
          toKey: null,
          fromCommission: 50,
          toCommission: 100,
          slot: 1_099,
          epoch: 9,
        },
        ...{
          blockTime: null,
          signature: null,
          signer: null,
          firstSeenAt: null,
          verified: "observed",
        },
      },
      {
        of: "blockRevenueCommission",
        toKey: null,
        fromCommission: null,
        toCommission: 50,
        ...change,
      },
      {
        of: "withdrawAuthority",
        toKey: SIGNER,
        fromCommission: null,
        toCommission: null,
        ...change,
      },
    ];
    const account = { withdrawAuthority: SIGNER, blockRevenueCommission: 50, accountChanges };
    const tell = ({ data }: DocumentOf<"validator">) => Object.assign(data, account);
    changeDocument(world, /validators\/\w+\.json$/, tell);
    const page = await visit("/validators/VOTE", { width: 360 });
    for (const title of ["Vote account", "What it takes"])
      await card(page, title).getByText(title, { exact: true }).click();
    expect(await factOf(page, "Withdraw authority").innerText()).toContain(
      `${SIGNER.slice(0, 5)}…`,
    );
    expect(await factOf(page, "Block revenue").innerText()).toBe("50\u00a0%");
    const rows = (await card(page, "Vote account").getByRole("row").allInnerTexts()).slice(1);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(
      /epoch 9\s+first seen in slot 1,099\s+Block revenue commission\s+50\u00a0% → 100\u00a0%\s+not known/,
    );
    expect(rows[0]).toContain("two snapshots show the new rate");
    expect(rows[1]).toMatch(
      /epoch 7\s+slot 99\s+Block revenue commission\s+50\u00a0%\s+5VERv…88888/,
    );
    expect(rows[2]).toContain("most endpoints agree");
    expect(await isTooWide(page)).toBe(false);
  });
});

const RULING = {
  ...({ of: "event", verdict: "accept", reason: "The transaction is theirs." } as const),
  ...{ subject: "", ruledAt: "2026-11-28T12:00:00.000Z" },
};

describeSite("the rulings beside changes", (open) => {
  async function openWithRulings(rulingsTotal: number) {
    const { visit, world } = await open();
    changeDocument(world, /mainnet\/status\.json$/, ({ data }: DocumentOf<"status">) =>
      Object.assign(data, { rulings: [RULING], rulingsTotal }),
    );
    const [votePubkey] = await findVotePubkeys(world);
    return { visit, path: `/validators/${votePubkey}` };
  }
  const hasBegun = (page: Page) =>
    card(page, "Changes").getByRole("link", { name: "as JSON" }).waitFor();
  const countNotes = (page: Page) =>
    card(page, "Changes")
      .getByText(
        "We show only the newest 1 of 101 rulings: an older one on these changes may be missing.",
      )
      .count();

  it.each([
    [1, "none is left out", 0],
    [101, "older ones are left out", 1],
  ])("of %i known, %s", async (rulingsTotal, _, count) => {
    const { visit, path } = await openWithRulings(rulingsTotal);
    const page = await visit(path);
    await hasBegun(page);
    // What the status answered is drawn by the time that all else is quiet.
    await page.waitForLoadState("networkidle");
    await expect.poll(() => countNotes(page)).toBe(count);
  });

  it("stand also beside the one line of who flips, and name their change", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"events">>("events?epochs=50&limit=100");
    const flip = data.find(({ pattern }) => pattern !== null)!;
    changeDocument(world, /mainnet\/status\.json$/, ({ data: status }: DocumentOf<"status">) =>
      Object.assign(status, { rulings: [{ ...RULING, subject: flip.id }], rulingsTotal: 1 }),
    );
    const page = await visit(`/validators/${flip.votePubkey}`);
    await expect
      .poll(() => card(page, "Changes").innerText())
      .toContain(`The change in epoch ${flip.epoch}: Checked again, and it stands.`);
  });

  it("are told also if they arrive after the changes are drawn, and before these ask", async () => {
    const { visit, path } = await openWithRulings(101);
    const page = await visit("/nothing/here", { tolerates: NOT_PUBLISHED });
    const { promise: drawn, resolve: draw } = Promise.withResolvers<undefined>();
    await page.addInitScript(delayEffects);
    await page.route("**/api/v1/status*", async (route) => {
      await drawn;
      await route.continue();
    });
    await page.goto(path);
    await hasBegun(page);
    draw(undefined);
    await expect.poll(() => countNotes(page)).toBe(1);
  });
});

/** Runs in the page. What a drawn block asks for, it asks a second later. */
function delayEffects(): void {
  const later = window.setTimeout.bind(window);
  Object.assign(window, {
    requestAnimationFrame: (task: FrameRequestCallback) => later(task, 1_000),
    setTimeout: (task: TimerHandler, milliseconds = 0) =>
      later(task, milliseconds < 100 ? 1_000 : milliseconds),
  });
}
