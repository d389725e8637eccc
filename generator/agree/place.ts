/** Healthy nodes differ by at most so many slots. */
const NODES_DIFFER_SLOTS = 150;

/**
 * The answers that are where the cluster is: of three or more those within reach of their median, and none from before
 * the observation.
 * @param slot of the observation
 */
export function inPlace<Answer extends { slot: number }>(answers: readonly Answer[], slot: number): Answer[] {
  const slots = answers.map((answer) => answer.slot).sort((a, b) => a - b);
  const median = slots[Math.floor(slots.length / 2)] ?? slot;
  const isNear = (answer: Answer) => answers.length < 3 || Math.abs(answer.slot - median) <= NODES_DIFFER_SLOTS;
  return answers.filter((answer) => isNear(answer) && answer.slot >= slot - NODES_DIFFER_SLOTS);
}
