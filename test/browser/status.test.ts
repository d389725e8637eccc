import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { describeSite } from "./_setup.ts";

describeSite("Status", (open) => {
  it("says of every network how fresh it is, and of every source", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"status">>("status");
    const page = await visit("/status", { tolerates: /status of 404/ });
    const mainnet = page.getByRole("region", { name: "mainnet", exact: true });
    await expect.poll(() => mainnet.innerText()).toContain("Everything is read as it should be.");
    const sources = mainnet.getByRole("listitem");
    expect(await sources.count()).toBe(data.sources.length);
    const testnet = page.getByRole("region", { name: "testnet", exact: true });
    expect(await testnet.innerText()).toContain("Nothing new has been learnt for over half an hour.");
    const alpenglow = page.getByRole("region", { name: "alpenglow", exact: true });
    expect(await alpenglow.innerText()).toContain("Nothing is published of this network yet.");
  });

  it("names a source that it does not know as the API does", async () => {
    const { visit, world } = await open();
    world.change = (text, key) =>
      key === "api/v1/mainnet/status.json" ? text.replace('"name":"locations"', '"name":"weather"') : text;
    const page = await visit("/status", { tolerates: /status of 404/ });
    const mainnet = page.getByRole("region", { name: "mainnet", exact: true });
    expect(await mainnet.getByRole("listitem").filter({ hasText: "weather" }).count()).toBe(1);
  });

  it("shows a source that fails for what it is", async () => {
    const { visit, world } = await open();
    world.change = (text, key) => {
      if (key !== "api/v1/mainnet/status.json") return text;
      const document = JSON.parse(text) as DocumentOf<"status">;
      document.data.sources.find(({ name }) => name === "locations")!.state = "failed";
      return JSON.stringify(document);
    };
    const page = await visit("/status", { tolerates: /status of 404/ });
    const mainnet = page.getByRole("region", { name: "mainnet", exact: true });
    expect(await mainnet.getByRole("listitem").filter({ hasText: "Locations" }).innerText()).toContain("failed");
    expect(await mainnet.innerText()).not.toContain("Everything is read as it should be.");
  });
});
