import { expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { card, describeSite } from "./_setup.ts";

describeSite("the changes of who flips", (open) => {
  it("are one line, with each of them behind it, and open to whom one is named", async () => {
    const { visit, world } = await open();
    const { data: list } = await world.read<DocumentOf<"validators">>("validators?limit=100");
    const { votePubkey } = list.find(({ pattern }) => pattern !== null)!;
    const { data } = await world.read<DocumentOf<"validatorEvents">>(`validators/${votePubkey}/events`);
    const newest = data.find(({ pattern }) => pattern !== null)!;
    const { source, firstEpoch } = newest.pattern!;
    const repeats = data.filter(({ pattern }) => pattern?.source === source && pattern.firstEpoch === firstEpoch);
    expect(repeats.length).toBeGreaterThan(1);

    const line = card(await visit(`/validators/${votePubkey}`), "Changes")
      .getByRole("listitem")
      .filter({ hasText: "↔" });
    const evidence = line.first().getByRole("button", { name: "Evidence" });
    expect(await evidence.count()).toBe(0);
    await line
      .first()
      .getByRole("button", { name: `Show ${repeats.length} repeats` })
      .click();
    await expect.poll(() => evidence.count()).toBe(repeats.length);

    const named = await visit(`/validators/${votePubkey}?event=${repeats.at(-1)!.id}`);
    await expect.poll(() => card(named, "Changes").innerText()).toContain(repeats.at(-1)!.slot.toLocaleString("en"));
  });
});
