import type { PanelClosedTips, SnapshotEntry } from "../entries/entry.ts";
import { isWhole, toListed, type ClosedEvidence, type ClosedSections } from "./mev-evidence.ts";
import { findTip, hearTips } from "./panel-tips.ts";
import type { Step } from "./step.ts";
import type { Panel } from "./witnesses.ts";

/*
 * Who had no MEV record in a closed epoch, by the vendor's list and by the tip accounts as the panel reads them.
 */

/**
 * Takes in what each witness reads in the tip accounts of the epoch that closed before the running one.
 * @returns of whom, by ordinal
 */
export function hearClosed(step: Step, { closedTips }: ClosedSections): Set<number> {
  const told = toTold(step, closedTips);
  if (told === null) return new Set();
  const { epoch, votes, answers } = told;
  const whole = answers.filter(
    (answer) =>
      answer.state === "failed" ||
      isWhole(
        step,
        votes.map((vote, index) => ({ vote, exists: (answer.shares[index] ?? null) !== null })),
      ),
  );
  return hearTips(
    step,
    votes.map((vote) => ({ vote, epoch })),
    whole,
  );
}

/**
 * Weighs them. A majority of the witnesses decides; where none is, the vendor's list does, unless a witness contradicts it.
 * @returns null when nothing that can be believed is said
 */
export function toPanelEvidence(
  step: Step,
  panel: Panel,
  { closedMev, closedTips }: ClosedSections,
): ClosedEvidence | null {
  const epoch = step.moment.epoch - 1;
  const listed = toListed(step, closedMev);
  if (listed === null && toTold(step, closedTips) === null) return null;
  return {
    epoch,
    listLength: listed?.size ?? null,
    isMissing: (validator) => {
      const tip = findTip(step, panel, validator, epoch);
      if (tip !== null) return tip === "absent";
      // The list may show the record of the epoch before: who is on it may have had none all the same.
      if (listed === null || listed.has(validator.vote)) return null;
      const words = [...(validator.tipWords.get(epoch)?.values() ?? [])];
      return words.some(({ value }) => typeof value === "number") ? null : true;
    },
  };
}

function toTold({ moment }: Step, closedTips: SnapshotEntry["closedTips"]): PanelClosedTips | null {
  if (closedTips.state !== "ok" || !("answers" in closedTips.value)) return null;
  return closedTips.value.epoch === moment.epoch - 1 ? closedTips.value : null;
}
