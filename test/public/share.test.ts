import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { toDisputeAddress } from "../../public/format/dispute.ts";
import { toEmbedCode } from "../../public/pages/validator/Share.tsx";

const VOTE = "GntmGybdocMLzqfrH8LUYskuEzs4Ve6UWuo3coCZEFq4";
const OF_EVENT = {
  network: "testnet",
  votePubkey: VOTE,
  event: { id: "807f88f02fdd15df2afe918b", epoch: 1_071 },
} as const;
const at = (repository: string | null, contact: string | null = null) => ({ repository, contact });
const FORM = new URL("../../.github/ISSUE_TEMPLATE/wrong-accusation.yml", import.meta.url);

it("leads to the form with what is known filled in, by the names that its fields have", () => {
  const address = new URL(toDisputeAddress(OF_EVENT, at("https://github.com/o/r/"))!);
  expect(address.origin + address.pathname).toBe("https://github.com/o/r/issues/new");
  const { template, title, ...fields } = Object.fromEntries(address.searchParams);
  expect(FORM.pathname.endsWith(`/${template}`)).toBe(true);
  expect(title).toBe(`Wrong accusation: ${OF_EVENT.event.id}, epoch 1071`);
  expect(fields).toEqual({ network: "testnet", event: OF_EVENT.event.id, "vote-account": VOTE });
  const { body } = parse(readFileSync(FORM, "utf8")) as {
    body: { id?: string; attributes: { options?: string[] } }[];
  };
  for (const [id, value] of Object.entries(fields)) {
    const field = body.find((each) => each.id === id);
    expect(field, id).toBeDefined();
    expect(field!.attributes.options ?? [value]).toContain(value);
  }
});

it("names no event where all that is said of a validator is disputed", () => {
  const address = new URL(
    toDisputeAddress({ ...OF_EVENT, event: null }, at("https://github.com/o/r"))!,
  );
  expect(address.searchParams.has("event")).toBe(false);
  expect(address.searchParams.get("title")).toContain(VOTE);
});

it.each([null, "", "o/r", "http://github.com/o/r", "javascript:alert(1)"])(
  "leads nowhere by %j",
  (repository) => {
    expect(toDisputeAddress(OF_EVENT, at(repository))).toBeNull();
    expect(toDisputeAddress(OF_EVENT, at(null, repository))).toBeNull();
  },
);

it("without a repository writes a mail with what is known, or leads to a page", () => {
  const mail = toDisputeAddress(OF_EVENT, at(null, "mailto:me@example.org"))!;
  expect(new URL(mail).pathname).toBe("me@example.org");
  expect(mail).not.toContain("+");
  const text = new URL(mail).searchParams.get("body");
  expect(text).toContain(`vote account: ${VOTE}\r\nevent: ${OF_EVENT.event.id}, epoch 1071`);
  const ofNone = toDisputeAddress({ ...OF_EVENT, event: null }, at(null, "mailto:me@example.org"))!;
  expect(new URL(ofNone).searchParams.get("body")).toBe(
    `network: testnet\r\nvote account: ${VOTE}\r\nwhat is wrong: \r\ntransaction, or what else shows it: `,
  );
  expect(toDisputeAddress(OF_EVENT, at(null, "https://example.org/answer"))).toBe(
    "https://example.org/answer",
  );
});

it.each([
  ["mainnet", ""],
  ["testnet", "?network=testnet"],
] as const)(
  "gives the badge of %s as Markdown and as HTML, leading to the page",
  (network, query) => {
    const image = `https://rugwatch.example/badges/${network}/${VOTE}.svg`;
    const page = `https://rugwatch.example/validators/${VOTE}${query}`;
    expect(toEmbedCode("https://rugwatch.example", { network, votePubkey: VOTE })).toEqual({
      markdown: `[![rugwatch](${image})](${page})`,
      html: `<a href="${page}"><img src="${image}" alt="rugwatch" height="20"></a>`,
    });
  },
);
