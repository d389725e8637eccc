import { parseAtomFeed, parseJsonFeed } from "feedsmith";
import { expect } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { Feed } from "../../generator/contract/feed.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";

export const SITE = "https://rugwatch.example/see";

export function textOf(ledger: Ledger, kind: "atomFeed" | "jsonFeed", feed: Feed): string | null {
  const bytes = createRenderer(ledger, { siteUrl: SITE }).render({ kind, names: { feed } });
  return bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

export function readFeeds(ledger: Ledger, feed: Feed) {
  const [atom, json] = [
    parseAtomFeed(textOf(ledger, "atomFeed", feed) ?? ""),
    parseJsonFeed(textOf(ledger, "jsonFeed", feed) ?? ""),
  ];
  const fromAtom = (atom.entries ?? []).map((entry) => ({
    id: entry.id,
    title: toText(entry.title?.value),
    content: entry.content?.value,
    link: entry.links?.map(({ href }) => href).join(),
    times: [entry.published, entry.updated],
    categories: entry.categories?.map(({ term }) => term),
  }));
  const fromJson = (json.items ?? []).map((item) => ({
    id: item.id,
    title: item.title,
    content: item.content_html,
    link: item.url,
    times: [item.date_published, item.date_modified],
    categories: item.tags,
  }));
  return { atom, json, fromAtom, fromJson };
}

/** The text of HTML that has no markup but paragraphs. */
export function toText(html = ""): string {
  return html
    .replaceAll(/<\/?p>/g, "")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

type Entry = ReturnType<typeof readFeeds>["fromAtom"][number];

const TITLE =
  /^(?<severity>[A-Z]+): (?<who>.+) (?<verb>raised|lowered|changed) its (?<what>inflation|MEV) commission from (?<from>[^;]+?) to (?<to>[^;]+)(?:; (?:never paid|(?<starts>costs delegators|applies) from (?<epochs>[^;]+)))?(?:; (?<found>seen only in its transaction))?$/;

/** Compares every field of an entry with the API's event. */
export function expectToTell(entry: Entry, event: CommissionEvent): void {
  const { delta, supersededBy } = event;
  const epochs = supersededBy === null ? toEpochs(event) : undefined;
  expect(entry).toMatchObject({
    id: `urn:rugwatch:${event.id}`,
    link: `${SITE}/validators/${event.votePubkey}?network=mainnet`,
    times: [event.createdAt, event.createdAt],
    categories: [event.severity, event.source],
  });
  expect({ ...TITLE.exec(entry.title)?.groups }).toEqual({
    severity: event.severity,
    who: event.validatorName,
    verb: delta === null ? "changed" : delta > 0 ? "raised" : "lowered",
    what: event.source === "MEV" ? "MEV" : "inflation",
    from: toRate(event.fromCommission, event.fromDisabled),
    to: toRate(event.toCommission, event.toDisabled),
    starts:
      epochs === undefined
        ? undefined
        : delta !== null && delta > 0
          ? "costs delegators"
          : "applies",
    epochs,
    found: isSwept(event) ? "seen only in its transaction" : undefined,
  });
  const content = toText(entry.content);
  const evidence = [
    ...(isSwept(event)
      ? [`read at ${event.createdAt}`]
      : [`${event.createdAt}, slot ${event.slot}`]),
    ...toProof(event),
    event.votePubkey,
    `epoch ${event.epoch}`,
    `event ${event.id}`,
  ];
  if (event.previousSeenAt !== null)
    evidence.push(`${event.previousSeenAt}, slot ${event.previousSlot}`);
  if (delta !== null) evidence.push(`by ${Math.abs(delta)} percentage points`);
  if (epochs !== undefined) evidence.push(`applies to rewards from ${epochs} on.`);
  if (supersededBy !== null) evidence.push(`event ${supersededBy} replaced it`);
  expect(content.includes("provisional")).toBe(epochs !== undefined && !event.effectiveEpochFinal);
  for (const piece of evidence) expect(content).toContain(piece);
}

function isSwept({ transaction, previousSlot }: CommissionEvent): boolean {
  return transaction !== null && previousSlot === null;
}

function toProof({ source, transaction }: CommissionEvent): string[] {
  if (transaction === null)
    return source === "MEV" ? [] : ["Its transaction has not been found yet."];
  const { signature, slot, blockTime, signer, steps } = transaction;
  const where = `Transaction ${signature} in slot ${slot}${blockTime === null ? "" : `, at ${blockTime}`}`;
  const each =
    steps.length < 2 ? [] : steps.map((step) => `to ${step.commission} % in slot ${step.slot}`);
  return [`${where}, signed by ${signer}: `, ...each];
}

function toEpochs({ effectiveEpoch, effectiveEpochLatest }: CommissionEvent): string | undefined {
  if (effectiveEpoch === null || effectiveEpochLatest === null) return undefined;
  if (effectiveEpoch === effectiveEpochLatest) return `epoch ${effectiveEpoch}`;
  if (effectiveEpochLatest === effectiveEpoch + 1)
    return `epoch ${effectiveEpoch} or ${effectiveEpochLatest}`;
  return `one of the epochs ${effectiveEpoch} to ${effectiveEpochLatest}`;
}

const toRate = (percent: number | null, isDisabled: boolean) =>
  isDisabled ? "disabled" : percent === null ? "unknown" : `${percent} %`;
