import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { STATUS_SOURCES } from "../../generator/contract/status.ts";
import {
  card,
  changeDocument,
  describeSite,
  isTooWide,
  type Look,
  NOT_PUBLISHED,
} from "./_setup.ts";

type Status = DocumentOf<"status">["data"];

const AUTHORITY = `Auth${"4".repeat(40)}`;
const SWEPT: Status["swept"] = {
  validators: 1_000,
  covered: 990,
  upToSlot: 123_456,
  busy: [
    {
      authority: AUTHORITY,
      votePubkeys: ["1", "2", "3", "4", "5"].map((digit) => digit.repeat(40)),
    },
  ],
  busyTotal: 130,
  refused: 3,
  contradictions: 1,
};

describeSite("Status", (open, visit) => {
  async function visitTold(tell: (status: Status) => void, look: Look = {}): Promise<Page> {
    const { visit, world } = await open();
    changeDocument(world, /mainnet\/status\.json$/, ({ data }: DocumentOf<"status">) => tell(data));
    return visit("/status", { tolerates: NOT_PUBLISHED, ...look });
  }

  async function openFolded(page: Page, title: string): Promise<void> {
    await card(page, title).getByText(title, { exact: true }).click();
  }

  it("says in a sentence how fresh what a reader sees is, and shows the head of the journal", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"status">>("status");
    const page = await visit("/status#journal", { tolerates: NOT_PUBLISHED });
    const main = page.getByRole("main");
    await main
      .getByText(/^What you see of mainnet is up to date: the newest full reading was /)
      .waitFor();
    expect(await card(page, "Head of the journal of mainnet").innerText()).toContain(
      data.journal!.hash,
    );
    const other = await visit("/status?network=testnet", { tolerates: NOT_PUBLISHED });
    await other.getByText(/^What you see of testnet is old: /).waitFor();
  });

  it("says of every network how fresh it is, and of every source", async () => {
    const page = await visit("/status", { tolerates: NOT_PUBLISHED });
    await expect.poll(() => card(page, "mainnet").innerText()).toContain("Everything works.");
    expect(await card(page, "mainnet").getByRole("listitem").count()).toBe(STATUS_SOURCES.length);
    expect(await card(page, "testnet").innerText()).toContain(
      "We have read nothing new for over half an hour.",
    );
    expect(await card(page, "alpenglow").innerText()).toContain(
      "There is no data for this network yet.",
    );
  });

  it("shows a source that fails for what it is, and names one that it does not know as the API does", async () => {
    const page = await visitTold(({ sources }) => {
      sources[0]!.name = "weather" as never;
      sources.find(({ name }) => name === "locations")!.state = "failed";
    });
    const sources = card(page, "mainnet").getByRole("listitem");
    expect(await sources.filter({ hasText: "weather" }).count()).toBe(1);
    expect(await sources.filter({ hasText: "Locations" }).innerText()).toContain("failed");
    expect(await card(page, "mainnet").innerText()).not.toContain("Everything works.");
  });

  it("says how far transactions are searched, and who signs too much to be searched", async () => {
    const page = await visitTold((status) => (status.swept = SWEPT), { width: 360 });
    await openFolded(page, "Transaction search on mainnet");
    const text = await card(page, "Transaction search on mainnet").innerText();
    expect(text).toContain("We have searched 990 of 1,000 validators up to slot 123,456.");
    expect(text).toContain("For 3 validators too few endpoints have past transactions.");
    expect(text).toContain("Proved transactions contradict 1 reading of a commission");
    expect(text).toContain(
      "We cannot search 130 authorities that sign too much (here the first 1):",
    );
    expect(text).toMatch(/Auth4…44444[^]*11111…11111[^]*33333…33333[^]*and 2 more/);
    expect(await isTooWide(page)).toBe(false);
  });

  it("says where nothing is searched yet", async () => {
    const swept = { ...SWEPT, covered: 0, upToSlot: null, busy: [], busyTotal: 0 };
    const page = await visitTold((status) => (status.swept = swept));
    await openFolded(page, "Transaction search on mainnet");
    expect(await card(page, "Transaction search on mainnet").innerText()).toContain(
      "We have searched none yet.",
    );
  });
});
