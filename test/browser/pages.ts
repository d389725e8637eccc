import type { Page } from "playwright-core";
import type { World } from "./world.ts";

/** Every page there is, each with an address that shows much of it. */
export function findPages(votePubkey: string): { title: string; path: string }[] {
  return [
    { title: "Now", path: "/" },
    { title: "Validators", path: "/validators?sort=changes" },
    { title: "Validator", path: `/validators/${votePubkey}` },
    { title: "Concentration", path: "/concentration?by=validator" },
    { title: "Status", path: "/status" },
    { title: "API", path: "/api?operation=searchValidators&q=lantern" },
    { title: "Not found", path: "/nothing/here" },
  ];
}

/** Validators by their newest change, newest first: these have something on every page. */
export async function findVotePubkeys(world: World): Promise<[newest: string, ...others: string[]]> {
  const { data } = await world.read<{ data: { votePubkey: string }[] }>("events");
  const [newest, ...others] = new Set(data.map(({ votePubkey }) => votePubkey));
  if (newest === undefined) throw new Error("nothing ever changed in the story");
  return [newest, ...others];
}

/** Whether a page must be scrolled sideways. What scrolls within a region of its own does not count. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
