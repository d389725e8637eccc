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
    const { source, changes } = newest.pattern!;
    const counted = data
      .slice(data.indexOf(newest))
      .filter((event) => event.source === source && event.confirmed && event.replacedBy === null)
      .slice(0, changes);
    expect(counted.length).toBe(changes);
    // The first ones came before anybody could know it for a pattern.
    expect(counted.at(-1)!.pattern).toBeNull();

    const line = card(await visit(`/validators/${votePubkey}`), "Changes")
      .getByRole("listitem")
      .filter({ hasText: "↔" });
    const evidence = line.first().getByRole("button", { name: "Evidence" });
    expect(await evidence.count()).toBe(0);
    await line
      .first()
      .getByRole("button", { name: `Show ${changes} changes` })
      .click();
    await expect.poll(() => evidence.count()).toBe(changes);

    const oldest = counted.at(-1)!;
    const named = await visit(`/validators/${votePubkey}?event=${oldest.id}`);
    await expect.poll(() => card(named, "Changes").innerText()).toContain(oldest.slot.toLocaleString("en"));
  });
});
