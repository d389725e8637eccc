import { getU16 } from "./columns.ts";
import { recordMevEvent } from "./events.ts";
import type { Ledger } from "./ledger.ts";
import {
  type ClosedEvidence,
  type ClosedSections,
  findLeaders,
  hearClosed,
  type Leader,
  toPanelEvidence,
} from "./mev-evidence.ts";
import { isKnownEnabled, recordMev, settleMev } from "./mev-held.ts";
import { decideMev } from "./panel-mev.ts";
import { dropPending, isMass } from "./pending.ts";
import type { MevState } from "./records.ts";
import type { Step } from "./step.ts";
import { toPanel } from "./witnesses.ts";

/** If a mass is missing at once, this many answers in a row must agree. */
const MASS_ANSWERS = 3;

/**
 * Decides once for each closed epoch who led slots in it without a tip account: MEV disabled. A failed, empty or short
 * answer decides nothing.
 */
export function foldClosedMev(step: Step, sections: ClosedSections): void {
  const epoch = step.moment.epoch - 1;
  if (step.ledger.mevLists.decidedEpoch >= epoch) return;
  const panel = toPanel(step.ledger, sections.panel);
  const heard = hearClosed(step, sections);
  decide(step, toPanelEvidence(step, panel, sections));
  decideMev(step, panel, heard);
}

function decide(step: Step, evidence: ClosedEvidence | null): void {
  if (evidence === null) return;
  const { epoch } = evidence;
  const { mevLists } = step.ledger;
  // Their tip account of that epoch was read while it ran.
  const open = findLeaders(step.ledger, epoch).filter(({ validator }) => validator.mevSettledEpoch !== epoch);
  const said = open.map((leader) => ({ ...leader, isMissing: evidence.isMissing(leader.validator) }));
  const missing = said.filter(({ isMissing }) => isMissing === true);
  if (!isBelieved(step, epoch, missing.filter(({ validator }) => isKnownEnabled(validator)).length)) return;
  mevLists.listLength = evidence.listLength ?? mevLists.listLength;
  mevLists.doubt = null;
  if (said.every(({ isMissing }) => isMissing !== null)) mevLists.decidedEpoch = epoch;
  for (const leader of missing) disable(step, leader, epoch);
}

/**
 * The closed epoch and whose tip accounts to read; null: nothing to decide. Never an earlier one: tip accounts expire.
 */
export function closedMevToDecide(ledger: Ledger, epoch: number): { epoch: number; votes: string[] } | null {
  const closed = epoch - 1;
  if (closed < 0 || ledger.mevLists.decidedEpoch >= closed) return null;
  return { epoch: closed, votes: findLeaders(ledger, closed).map(({ validator }) => validator.vote) };
}

/** @param missing of those known to be enabled */
function isBelieved({ ledger }: Step, epoch: number, missing: number): boolean {
  const { mevLists } = ledger;
  const enabled = ledger.validators.filter(isKnownEnabled).length;
  if (!isMass(missing, enabled)) return true;
  const count = mevLists.doubt?.epoch === epoch ? mevLists.doubt.count + 1 : 1;
  mevLists.doubt = { epoch, count };
  return count >= MASS_ANSWERS;
}

function disable(step: Step, { ordinal, validator }: Leader, epoch: number): void {
  // A commission that only lists showed is not settled.
  const from: MevState = validator.mevSettled ? validator.mev : null;
  const end = step.ledger.epochs.find((tracked) => tracked.epoch === epoch)?.last ?? step.moment;
  const isShownLater = validator.mevShown !== null && validator.mevShown.epoch > epoch;
  // A value first shown after the closed epoch cannot have been lost in it.
  if (typeof from === "number" && isShownLater && getU16(step.ledger.mev, epoch, ordinal) !== from) return;
  const previous = isShownLater ? end : validator.mevShown;
  validator.mev = "disabled";
  // A list of the running epoch that shows it again is a change since then.
  validator.mevShown = end;
  validator.mevEpoch = epoch;
  settleMev(validator, epoch);
  step.touched.profiles.add(ordinal);
  // The closed epoch does not deny what a later epoch's list shows.
  if ((validator.pendingMev?.first.epoch ?? epoch) <= epoch) dropPending(step.ledger, validator, "pendingMev");
  recordMev(step, ordinal, epoch, "disabled");
  if (step.moment.epoch > epoch) recordMev(step, ordinal, step.moment.epoch, "disabled");
  if (typeof from !== "number" || previous === null) return;
  const change = { from, to: "disabled", epoch, first: step.moment, previous } as const;
  recordMevEvent(step, ordinal, { ...change, confirmedBy: "observations" });
}
