import type { Profile } from "../../../generator/contract/validator.ts";
import "../../style/verdict.css";

type Level = Profile["verdict"]["level"];

/** A word and a sign, for colours alone do not tell everybody apart (WCAG 1.4.1). */
const WORDS = {
  bad: { sign: "✕", word: "Bad" },
  caution: { sign: "!", word: "Caution" },
  good: { sign: "✓", word: "Good" },
  unknown: { sign: "?", word: "Not known yet" },
} as const satisfies Record<Level, { sign: string; word: string }>;

/** What to know before staking with it, the weightiest reason first. It stands above the page's name, and so is no heading. */
export function Verdict({ verdict: { level, reasons } }: Pick<Profile, "verdict">) {
  const { sign, word } = WORDS[level];
  const [first, ...others] = reasons;
  return (
    <section class={`validator-verdict verdict-${level}`} aria-label={`Verdict: ${word}`}>
      <strong class="verdict-word">
        <span aria-hidden="true">{sign}</span> {word}
      </strong>
      <p class="verdict-first">{first?.text}</p>
      {others.length > 0 && (
        <ul class="verdict-others">
          {others.map(({ code, text }) => (
            <li key={code}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
