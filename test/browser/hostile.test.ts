import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import {
  BROKEN_HOST,
  describeSite,
  findVotePubkeys,
  isTooWide,
  NOT_PUBLISHED,
  PAGES,
  settle,
} from "./_setup.ts";
import type { OpenSite, Site } from "./_setup.ts";

/** The generator cleans all of these; the site must not rely on it. */
const NAMES = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(1)</script>",
  "{{constructor.constructor('alert(1)')()}}",
  "\u202Egnp.kcik\u202C \u2067stake\u2069",
  "W".repeat(80),
  `Z${"\u0351\u0352\u0353".repeat(40)}algo`,
];

const NAMED = NAMES.map((name) => ({ name }));

type Changed = { name: string } | { iconUrl: string } | { website: string };

async function openChanged(open: OpenSite, changes: Changed[]): Promise<Site & { keys: string[] }> {
  const { world: before } = await open();
  const keys = (await findVotePubkeys(before)).slice(0, changes.length);
  const byKey = new Map(keys.map((key, index) => [key, changes[index]!]));
  const site = await open();
  site.world.change = (text) => JSON.stringify(changeRecords(JSON.parse(text), byKey));
  return { ...site, keys };
}

function changeRecords(value: unknown, byKey: ReadonlyMap<unknown, Changed>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => changeRecords(part, byKey));
  const record = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, changeRecords(part, byKey)]),
  );
  const changes = byKey.get(record["votePubkey"]);
  if (changes === undefined) return record;
  const texts = "name" in changes ? { ...changes, validatorName: changes.name } : changes;
  return {
    ...record,
    ...Object.fromEntries(Object.entries(texts).filter(([field]) => field in record)),
  };
}

/** The page of changes, with every validator that made one. */
const ALL_CHANGES = "/?severity=all&rows=600";

const linkTo = (page: Page, key: string) =>
  page.getByRole("main").locator(`a[href*="${key}"]`).first();

describeSite("names of strangers", (open) => {
  it("stay text on every page, and make none too wide", async () => {
    const { visit, keys } = await openChanged(open, NAMED);
    for (const { title, path } of PAGES) {
      const page = await visit(title === "Now" ? ALL_CHANGES : path, {
        width: 360,
        tolerates: NOT_PUBLISHED,
      });
      expect({ title, isTooWide: await isTooWide(page) }).toEqual({ title, isTooWide: false });
      for (const [index, key] of title === "Now" || title === "Validators" ? keys.entries() : [])
        expect(await linkTo(page, key).evaluate((link) => link.textContent)).toContain(
          NAMES[index],
        );
      await page.context().close();
    }
  });

  it("stay text on the page of each", async () => {
    const { visit, keys } = await openChanged(open, NAMED);
    const page = await visit("/", { width: 360 });
    for (const [index, key] of keys.entries()) {
      await page.goto(`/validators/${key}`);
      await settle(page);
      const heading = page.getByRole("heading", { level: 1 });
      expect(await heading.evaluate((element) => element.textContent)).toBe(NAMES[index]);
      expect(await isTooWide(page)).toBe(false);
    }
  });

  it("lead to the validator's key, whatever they look like", async () => {
    const { visit, keys } = await openChanged(open, [{ name: "../../api?q=#x" }]);
    const page = await visit(ALL_CHANGES);
    await page.getByRole("main").getByRole("link", { name: "../../api?q=#x" }).first().click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/validators/${keys[0]!}`);
  });
});

describeSite("icons of strangers", (open) => {
  it("give way to the key's first signs where they cannot be had, and are not asked for but over https", async () => {
    const bad = [
      "javascript:alert(1)",
      "data:image/svg+xml,<svg/>",
      "http://plain.example/i.png",
      "//other.example/i",
    ];
    const icons = [`https://${BROKEN_HOST}/icon.png`, ...bad].map((iconUrl) => ({ iconUrl }));
    const { visit, keys } = await openChanged(open, icons);
    const page = await visit(ALL_CHANGES, { tolerates: /ERR_FAILED/ });
    // "…" stands for the stake until the profile with the icon is loaded.
    await expect.poll(() => page.getByRole("main").getByText("…", { exact: true }).count()).toBe(0);
    for (const [index, key] of keys.entries()) {
      expect(await linkTo(page, key).locator("img").count()).toBe(index === 0 ? 1 : 0);
      expect(await linkTo(page, key).locator(".icon-picture").count()).toBe(0);
      expect(await linkTo(page, key).innerText()).toContain(key.slice(0, 2));
    }
  });

  it("cover these signs as soon as they come, and leave no empty circle before", async () => {
    const { visit, keys } = await openChanged(open, [{ iconUrl: "https://slow.example/icon.png" }]);
    const page = await visit("/nothing/here");
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      void page.route("https://slow.example/**", async (route) => {
        await new Promise<void>((go) => {
          answer = go;
          resolve();
        });
        await route.fallback();
      });
    });
    await page.goto(ALL_CHANGES);
    await isAsked;
    const icon = linkTo(page, keys[0]!).locator(".icon");
    expect(await icon.innerText()).toBe(keys[0]!.slice(0, 2));
    const getOpacity = () => icon.locator("img").evaluate((img) => getComputedStyle(img).opacity);
    expect(await getOpacity()).toBe("0");
    answer();
    await expect.poll(getOpacity).toBe("1");
  });
});

describeSite("websites of strangers", (open) => {
  it("are links that tell nobody where they were followed from, and none but to the web", async () => {
    const good = "https://stake.example/";
    const bad = [
      "javascript:alert(1)",
      "JavaScript://%0aalert(1)",
      "data:text/html,<script>alert(1)</script>",
    ];
    const websites = [good, ...bad].map((website) => ({ website }));
    const { visit, keys } = await openChanged(open, websites);
    const page = await visit(`/validators/${keys[0]!}`);
    const rel = await page.getByRole("main").locator(`a[href="${good}"]`).getAttribute("rel");
    expect(rel?.split(" ")).toEqual(expect.arrayContaining(["noreferrer"]));
    for (const key of keys.slice(1)) {
      await page.goto(`/validators/${key}`);
      await settle(page);
      const links = page.getByRole("link");
      const protocols = await links.evaluateAll((all) =>
        // Links of drawings have no protocol of their own.
        all.map((link) => new URL(link.getAttribute("href")!, document.baseURI).protocol),
      );
      expect(protocols.length).toBeGreaterThan(5);
      expect(protocols.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
    }
  });
});
