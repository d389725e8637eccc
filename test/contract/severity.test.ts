import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RUG_PERCENT, RUG_RATE } from "../../generator/contract/severity.ts";

const root = new URL("../../", import.meta.url);
const FILES = globSync(
  ["generator/{contract,documents}/**/*.ts", "public/{format,pages,parts,shell}/**/*.{ts,tsx}"],
  { cwd: root },
);
const BY_HAND = new RegExp(String.raw`\b${RUG_PERCENT}\s?(?:%|percent)`);
/** The share of uptime checks on a day. */
const OTHER_THRESHOLDS = ["public/pages/validator/Calendar.tsx"];

const read = (file: string) => readFileSync(new URL(file, root), "utf8");

it("no sentence of the contract, the documents or the site states the threshold of a RUG by hand", () => {
  expect(FILES.length).toBeGreaterThan(150);
  const stating = FILES.filter((file) => BY_HAND.test(read(file)));
  expect(stating).toEqual(OTHER_THRESHOLDS);
});

it.each(["RUG", "CAUTION", "INFO"])("the glossary explains %s by the same threshold", (term) => {
  const [, text = ""] = new RegExp(`^## (?:${term})\n([^#]*)`, "m").exec(read("GLOSSARY.md")) ?? [];
  const rates = [...text.matchAll(/\d+ %/g)].map(([rate]) => rate);
  expect(rates.length).toBeGreaterThan(0);
  expect(new Set(rates)).toEqual(new Set([RUG_RATE]));
});
