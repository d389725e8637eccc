import { chromium } from "playwright-core";
import { expect, inject, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { RULINGS_MAX } from "../../generator/contract/status.ts";
import { card, describeSite, findVotePubkeys } from "./_setup.ts";

describeSite("what is shared of a validator", (open) => {
  it("is a page that tells without a script who it is and what it changed", async () => {
    const { world } = await open();
    const [votePubkey] = await findVotePubkeys(world);
    const { data } = await world.read<DocumentOf<"validator">>(`validators/${votePubkey}`);
    const browser = await chromium.connect(inject("ready")!.browserUrl);
    const page = await browser.newPage({ javaScriptEnabled: false });
    const response = await page.goto(`${world.origin}/validators/${votePubkey}`);
    expect(response?.status()).toBe(200);
    expect(await page.title()).toBe(`${data.name ?? votePubkey} · Rugwatch`);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(data.name ?? votePubkey);
    expect(await page.getByRole("listitem").count()).toBeGreaterThan(0);
    const title = page.locator('meta[property="og:title"]');
    expect(await title.getAttribute("content")).toContain(data.name ?? votePubkey);
    const picture = page.locator('meta[property="og:image"]');
    const address = new URL((await picture.getAttribute("content"))!);
    await page.goto(world.origin + address.pathname);
    const shown = page.getByRole("img");
    expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800);
    await page.goBack();
    // app.css leads to the build that is served.
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).not.toContain(
      "Times",
    );
    await browser.close();
  });

  it("is, of every other page, what the site is, with a picture and an address of its own", async () => {
    const { visit } = await open();
    const page = await visit("/validators?network=testnet&sort=name&page=1");
    const read = (selector: string, name = "content") =>
      page.locator(`head > ${selector}`).getAttribute(name);
    expect(await read('meta[name="description"]')).toContain(
      "which Solana validators raised their commission",
    );
    expect(await read('meta[property="og:description"]')).toBe(
      await read('meta[name="description"]'),
    );
    expect(await read('meta[property="og:title"]')).toContain("Rugwatch");
    expect(await read('meta[property="og:type"]')).toBe("website");
    expect(await read('meta[property="og:site_name"]')).toBe("Rugwatch");
    expect(await read('meta[property="og:image"]')).toBe("https://rugwatch.example/social.png");
    expect((await page.request.get("/social.png")).headers()["content-type"]).toBe("image/png");
    const address = "https://rugwatch.example/validators?network=testnet";
    await expect.poll(() => read('link[rel="canonical"]', "href")).toBe(address);
    await page.getByRole("link", { name: "Glossary", exact: true }).click();
    const other = "https://rugwatch.example/glossary?network=testnet";
    await expect.poll(() => read('link[rel="canonical"]', "href")).toBe(other);
  });

  it("becomes the site, with a badge to take along and the way to dispute", async () => {
    const { visit, world } = await open();
    const [votePubkey] = await findVotePubkeys(world);
    const page = await visit(`/validators/${votePubkey}`);
    expect(await page.getByRole("main").count()).toBe(1);
    const share = card(page, "Share this validator's badge");
    await share.getByText("Share this validator's badge").click();
    const image = share.getByRole("img", { name: "Badge of this validator" });
    await expect
      .poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth))
      .toBeGreaterThan(100);
    const text = await share.innerText();
    expect(text).toContain(`[![rugwatch](${world.origin}/badges/mainnet/${votePubkey}.svg)]`);
    expect(text).toContain(`<a href="${world.origin}/validators/${votePubkey}">`);
    const own = page.getByRole("link", { name: "Answer here" });
    expect(await own.getAttribute("href")).toContain(`/accused?votePubkey=${votePubkey}`);
    const any = page.getByRole("contentinfo").getByRole("link", { name: "Accused wrongly?" });
    expect(await any.getAttribute("href")).toBe("/accused");
  });

  it("leads its operator to an answer to the newest rug", async () => {
    const { visit, world } = await open();
    const { data } = await world.read<DocumentOf<"events">>("events?epochs=50&severity=RUG");
    const rugs = data.filter(({ replacedBy }) => replacedBy === null);
    const { votePubkey, id, epoch } = rugs.toSorted((one, other) => other.epoch - one.epoch)[0]!;
    const page = await visit(`/validators/${votePubkey}`);
    const answer = page.getByRole("link", { name: "Answer here" });
    await expect
      .poll(() => answer.getAttribute("href"))
      .toBe(`/accused?votePubkey=${votePubkey}&event=${id}&epoch=${epoch}`);
  });

  it("can be disputed event by event, by the event's name", async () => {
    const { visit, world } = await open();
    const [newest] = (await world.read<DocumentOf<"events">>("events")).data;
    const page = await visit(`/validators/${newest!.votePubkey}?event=${newest!.id}`);
    await card(page, "Changes").getByRole("link", { name: "Dispute this" }).click();
    await page.getByRole("heading", { level: 1, name: "Accused wrongly?" }).waitFor();
    const send = card(page, "What to send");
    for (const named of [`${newest!.id}, epoch ${newest!.epoch}`, newest!.votePubkey])
      expect(await send.innerText()).toContain(named);
    expect(await send.innerText()).toContain("the signature of the transaction");
    const contact = send.getByRole("link").last();
    expect(await contact.getAttribute("href")).toContain(
      `event=${newest!.id}&vote-account=${newest!.votePubkey}`,
    );
    expect(await contact.getAttribute("href")).toContain(`%2C+epoch+${newest!.epoch}&`);
    expect(await card(page, "What happens then").innerText()).toContain(
      `We show the newest ${RULINGS_MAX}, beside the changes`,
    );
  });
});
