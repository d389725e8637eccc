import type { Status } from "../../generator/contract/status.ts";
import { toPercent } from "./values.ts";

/** A change that no majority of the endpoints has confirmed. */
export type PendingChange = Status["pending"][number];

type Source = PendingChange["source"];

const WITHIN_SENTENCE = { COMMISSION: "inflation", MEV: "MEV" } as const;

/** A commission before or after a change. */
export function toSideText(commission: number | null, source: Source): string {
  return commission === null && source === "MEV" ? "off" : toPercent(commission);
}

/** "one.example 100 %, other.example no answer" */
export function toWitnessesText({
  witnesses,
  source,
}: Pick<PendingChange, "witnesses" | "source">): string {
  const answers = witnesses.map(({ endpoint, commission }) => {
    const isSilent = commission === null && source === "COMMISSION";
    const answer = isSilent ? "no answer" : toSideText(commission, source);
    return `${endpoint.replace(/^https?:\/\//, "")} ${answer}`;
  });
  return answers.length === 0 ? "not asked yet" : answers.join(", ");
}

/**
 * What readers of the validator's own page are told of a change that is not believed.
 * @returns a word, and sentences without when it was first seen
 */
export function toPendingText(change: PendingChange): { word: string; text: string } {
  const { source, fromCommission, toCommission, disputed } = change;
  const [from, to] = [toSideText(fromCommission, source), toSideText(toCommission, source)];
  const what = `its ${WITHIN_SENTENCE[source]} commission at ${to} instead of ${from}`;
  const asked = `We asked: ${toWitnessesText(change)}.`;
  const until = `Until it is settled, every page shows ${from}.`;
  if (!disputed)
    return { word: "Not confirmed yet.", text: `An endpoint shows ${what}. ${asked} ${until}` };
  const why = isContradicted(change)
    ? "the endpoints contradict each other"
    : "no transaction made that change";
  return { word: "Disputed.", text: `An endpoint shows ${what}, but ${why}. ${asked} ${until}` };
}

function isContradicted({ witnesses }: Pick<PendingChange, "witnesses">): boolean {
  const answers = witnesses.flatMap(({ commission }) => commission ?? []);
  return new Set(answers).size > 1;
}
