import type { Profile } from "../../generator/contract/validator.ts";
import "../style/verdict.css";

type Level = Profile["verdict"]["level"];

/** Colour alone does not reach everybody (WCAG 1.4.1). */
export const VERDICT_WORDS = {
  bad: { sign: "✕", word: "Bad" },
  caution: { sign: "!", word: "Caution" },
  good: { sign: "✓", word: "Good" },
  unknown: { sign: "?", word: "Not known" },
} as const satisfies Record<Level, { sign: string; word: string }>;

export function VerdictWord({ level }: { level: Level }) {
  const { sign, word } = VERDICT_WORDS[level];
  return (
    <strong class={`verdict-word verdict-word-${level}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </strong>
  );
}
