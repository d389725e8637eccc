import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { card, changeDocument, describeSite } from "./_setup.ts";
import type { World } from "./world.ts";

async function findProved(world: World) {
  const { data } = await world.read<DocumentOf<"events">>("events?epochs=50");
  return data.find(({ transaction }) => transaction?.verifiedBy === "signature")!;
}

/** Its last bit, which is of the message. */
function changeOneByte(base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return bytes.toString("base64");
}

describeSite("the signature of a change", (open) => {
  it("is verified by the reader's own browser, from the published bytes", async () => {
    const { world, visit } = await open();
    const { votePubkey, id, transaction } = await findProved(world);
    const page = await visit(`/validators/${votePubkey}?event=${id}`);
    const changes = card(page, "Changes");
    await changes.getByRole("button", { name: "Verify the signature" }).click();
    const said = changes.getByText(/^✓ Valid\. /);
    await said.waitFor();
    expect(await said.innerText()).toContain(`${transaction!.signer.slice(0, 5)}…`);
    expect(await said.innerText()).toContain(`${transaction!.steps.at(-1)!.commission}\u00a0%`);
  });

  it("is refused after one byte is changed", async () => {
    const { votePubkey, id } = await findProved((await open()).world);
    const { world, visit } = await open();
    changeDocument(
      world,
      /transactions\.json$/,
      ({ data }: DocumentOf<"validatorTransactions">) => {
        for (const row of data) row.bytes = changeOneByte(row.bytes);
      },
    );
    const page = await visit(`/validators/${votePubkey}?event=${id}`);
    const changes = card(page, "Changes");
    await changes.getByRole("button", { name: "Verify the signature" }).click();
    await changes.getByText(/^✗ Not valid\. /).waitFor();
    expect(await changes.getByText("✓").count()).toBe(0);
  });

  it("is explained with one real change that can be verified", async () => {
    const { visit } = await open();
    const page = await visit("/how-we-know");
    const example = card(page, "One change, checked");
    await example.getByRole("button", { name: "Verify the signature" }).click();
    await example.getByText(/^✓ Valid\. /).waitFor();
    const headings = await example.locator(".four-steps h3").allInnerTexts();
    expect(headings).toEqual(
      await card(page, "What the steps mean").getByRole("term").allInnerTexts(),
    );
    expect(headings).toContain("What confirms it");
    expect(await example.getByText(/npm run generate -- explain \w+/).count()).toBe(1);
    expect(await example.getByRole("link", { name: "Solscan" }).getAttribute("href")).toMatch(
      /^https:\/\/solscan\.io\/tx\//,
    );
  });
});
