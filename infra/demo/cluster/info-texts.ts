import type { Random } from "./random.ts";

/** What a validator says about itself: the JSON of a validator info account, before any encoding. */
export type InfoText = Record<string, unknown>;

const FIRST_WORDS = [
  "North",
  "Copper",
  "Quiet",
  "Harbour",
  "Granite",
  "Meadow",
  "Lantern",
  "Cobalt",
  "Juniper",
  "Tidal",
  "Amber",
  "Summit",
];
const SECOND_WORDS = ["Relay", "Staking", "Node", "Validators", "Labs", "Stake", "Forge", "Signal"];

/** An ordinary text, another for each number. */
export function toOrdinaryText(index: number, random: Random): InfoText {
  const first = FIRST_WORDS[random.whole(FIRST_WORDS.length, "first word", index)] ?? "";
  const second = SECOND_WORDS[random.whole(SECOND_WORDS.length, "second word", index)] ?? "";
  const host = `${first}-${second}-${index}.example`.toLowerCase();
  return {
    name: `${first} ${second} ${index}`,
    website: `${index % 7 === 3 ? "http" : "https"}://${host}`,
    iconUrl: `https://${host}/icon.png`,
    details: "A validator of the simulated cluster.",
  };
}

/** Texts that attack whoever shows or fetches them, the most instructive first. */
export const HOSTILE_TEXTS: readonly InfoText[] = [
  { name: "<script>alert('stake')</script>", website: "javascript:alert(1)", iconUrl: "data:text/html,<b>x</b>" },
  { name: "Right \u202eot tfeL\u202c Stake", website: "https://bidi.example", iconUrl: "http://bidi.example/icon.png" },
  {
    name: "Bell\u0007 and\u0000 Null\u001b[31m",
    website: "https://control.example",
    iconUrl: "https://10.0.0.1/icon.png",
  },
  { name: "Zero\u200bWidth\u200d\ufeff Node", website: "ftp://zero.example", iconUrl: "https://zero.example/icon.png" },
  {
    name: "Endless ".repeat(40),
    website: `https://endless.example/${"a".repeat(300)}`,
    iconUrl: "https://endless.example/i.png",
  },
  {
    name: "Credentials",
    website: "https://user:secret@credentials.example",
    iconUrl: "https://user@credentials.example/i.png",
  },
  { name: 42, website: ["https://array.example"], iconUrl: { url: "https://object.example" } },
  {
    name: '"><img src=x onerror=alert(1)>',
    website: 'https://quote.example/"onclick=',
    iconUrl: "https://quote.example/i.svg",
  },
  { name: " \t\u3000 ", website: "", iconUrl: " " },
  {
    name: "A\u0301gne\u0300s Stake e\u0301tage",
    website: "HTTPS://Compose.Example",
    iconUrl: "https://compose.example/i.png",
  },
];
