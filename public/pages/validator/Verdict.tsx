import type { Profile } from "../../../generator/contract/validator.ts";
import { VERDICT_WORDS, VerdictWord } from "../../parts/VerdictWord.tsx";

/** No heading, because it stands above the h1. */
export function Verdict({ verdict: { level, reasons } }: Pick<Profile, "verdict">) {
  const [first, ...others] = reasons;
  return (
    <section class={`validator-verdict verdict-${level}`} aria-label={`Verdict: ${VERDICT_WORDS[level].word}`}>
      <VerdictWord level={level} />
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
