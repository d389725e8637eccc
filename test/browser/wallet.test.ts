import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import type { WalletDocument } from "../../generator/contract/wallets.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { card, changeDocument, describeSite, parameter, settle } from "./_setup.ts";

async function findWallet(origin: string, account: string): Promise<WalletDocument> {
  return (await (await fetch(`${origin}/api/v1/wallets/${account}`)).json()) as WalletDocument;
}

describeSite("My stake", (open, visit) => {
  it("shows the validators of a wallet that was pasted, keeps it in the address, and asks nobody else", async () => {
    const { visit, world } = await open();
    const { wallet } = world;
    const { data, meta } = await findWallet(world.origin, wallet);
    const page = await visit("/");
    await page.getByRole("link", { name: "My stake" }).click();
    await page.getByRole("textbox", { name: /Address of a wallet/ }).fill(`  ${wallet} `);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await settle(page);
    expect(new URL(page.url()).searchParams.get("wallet")).toBe(wallet);
    const mine = card(page, "Your validators");
    const voted = new Set(data.map(({ votePubkey }) => votePubkey));
    await expect.poll(() => mine.getByRole("row").count()).toBe(1 + voted.size);
    expect(await mine.innerText()).toContain(`As of epoch ${meta.epoch}`);
    const reasons = data.flatMap(({ validator }) => validator?.verdictReason.text ?? []);
    expect(reasons.length).toBeGreaterThan(0);
    const text = (await mine.innerText()).replaceAll("\u00a0", " ");
    for (const reason of reasons) expect(text).toContain(reason);
    expect(await mine.locator(".icon").count()).toBe(voted.size);
    await expect.poll(() => mine.getByText("…", { exact: true }).count()).toBe(0);
    await expect
      .poll(() => mine.getByText(/^\S (?:Bad|Caution|Good|Not known)$/).count())
      .toBeGreaterThan(0);
    await mine.getByRole("row").nth(1).getByRole("link").first().click();
    await settle(page);
    expect(page.url()).toContain(`/validators/`);
  });

  it("lists what to do, worst first, with the last moment for it and alerts for all", async () => {
    const before = (await open()).world;
    const { data: accounts } = await findWallet(before.origin, before.wallet);
    const held = new Set(accounts.map(({ votePubkey }) => votePubkey));
    const raised = accounts.find(
      ({ state, validator }) => state === "active" && validator,
    )!.votePubkey;
    const { visit, world } = await open();
    changeDocument(world, /mainnet\/index\.json$/, ({ validators }: SnapshotIndex) => {
      for (const validator of validators.filter(({ votePubkey }) => held.has(votePubkey)))
        Object.assign(validator, {
          delinquent: false,
          appliedCommissions: [5, 5],
          appliedCommission: 5,
          nextAppliedCommission: 5,
          commission: raised === validator.votePubkey ? 95.5 : 5,
        });
    });
    const { data } = await world.read<{ data: { epoch: number } }>("epoch");
    const page = await visit(`/wallet?wallet=${world.wallet}`);
    const toDo = card(page, "What to do");
    const text = await toDo.innerText();
    expect(text).toMatch(/1 of the \d+ validators you stake with needs action/);
    expect(text).toContain(`From epoch ${data.epoch + 2}: 95.5\u00a0% instead of 5\u00a0%.`);
    expect(text).toMatch(/You lose [\d.<, ]+ SOL an epoch\./);
    expect(text).toContain(`Deactivate before epoch ${data.epoch + 1} ends, in `);
    expect(text).toContain("rises took nothing");
    expect(await toDo.getByRole("img").getAttribute("aria-label")).toContain("SOL");
    const alerts = toDo.getByRole("link", { name: "Get alerts for these" });
    expect(await alerts.getAttribute("href")).toContain(raised);
    await toDo.getByText("How to move stake").click();
    await expect.poll(() => toDo.getByText("We recommend nobody.").isVisible()).toBe(true);
  });

  it("names the epochs in which a validator changed nothing", async () => {
    const { visit, world } = await open();
    changeDocument(world, /mainnet\/index\.json$/, ({ events }: SnapshotIndex) => events.splice(0));
    const { meta } = await world.read<DocumentOf<"events">>("events?epochs=5");
    const page = await visit(`/wallet?wallet=${world.wallet}`);
    await card(page, "Your validators")
      .getByText(`none in epochs ${meta.latestEpoch! - 4} to ${meta.latestEpoch}`)
      .first()
      .waitFor();
  });

  it("shows one account by its own key, and says of whose it is", async () => {
    const { visit, world } = await open();
    const { data } = await findWallet(world.origin, world.wallet);
    const page = await visit(`/wallet?wallet=${data[0]?.stakeAccount ?? ""}`);
    expect(await card(page, "Your validators").innerText()).toContain(
      "only the account that you asked for",
    );
    expect(await card(page, "Your validators").getByRole("row").count()).toBe(2);
  });

  it("says what an address may be that is not known, and what is wrong with one that is none", async () => {
    const nobody = "1".repeat(32);
    const page = await visit(`/wallet?wallet=${nobody}`, { tolerates: /status of 40\d/ });
    const none = page.getByRole("region", { name: "We found no stake here" });
    await expect.poll(() => none.innerText()).toContain(nobody);
    expect(await none.getByRole("link", { name: "testnet" }).getAttribute("href")).toBe(
      `/wallet?wallet=${nobody}&network=testnet`,
    );
    expect(await none.getByRole("searchbox", { name: /Find a validator/ }).count()).toBe(1);
    await page.getByRole("textbox", { name: /Address of a wallet/ }).fill("Quiet Harbor");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    const notice = page.getByRole("region", { name: "No address" });
    await expect.poll(() => notice.innerText()).toContain("“Quiet Harbor” is no address.");
    await notice.getByRole("link").click();
    await expect.poll(() => parameter(page, "q")).toBe("Quiet Harbor");
  });
});
