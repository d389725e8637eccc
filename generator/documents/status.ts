import { toPercent, toPercentOrNull } from "../contract/numbers.ts";
import type { DocumentOf } from "../contract/objects.ts";
import {
  BUSY_AUTHORITIES_MAX,
  RULINGS_MAX,
  STATUS_SOURCES,
  type Status,
} from "../contract/status.ts";
import { toPlainLine } from "../contract/strangers-text.ts";
import { FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import { pendingChanges } from "../ledger/pending-changes.ts";
import { summarisePaid } from "../views/paid.ts";
import { summariseSweep, type Sweep } from "../views/sweep.ts";
import { toFailureCodes } from "./failure-codes.ts";
import { RENDER_VERSION, toBytes } from "./render.ts";
import { createView } from "./view.ts";

interface StatusFacts {
  generatedAt: string;
  quarantined: Status["quarantined"];
}

/**
 * Renders status.json. Texts are cleaned here, because entries keep some of strangers' texts raw.
 */
export function renderStatus(ledger: Ledger, facts: StatusFacts): Uint8Array {
  const { network } = ledger;
  const document: DocumentOf<"status"> = { data: toStatus(ledger, facts), meta: { network } };
  return toBytes(document);
}

function toStatus(ledger: Ledger, { generatedAt, quarantined }: StatusFacts): Status {
  const { network, acceptance, position, snapshot, sources } = ledger;
  return {
    network,
    generatedAt,
    foldVersion: FOLD_VERSION,
    renderVersion: RENDER_VERSION,
    epoch: acceptance.newest?.epoch ?? null,
    slot: acceptance.newest?.slot ?? null,
    observedAt: acceptance.newest?.time ?? null,
    journal: position === null ? null : { entry: position.name, hash: position.hash },
    snapshotAt: snapshot?.time ?? null,
    observations: { accepted: acceptance.accepted, refused: acceptance.refused },
    sources: STATUS_SOURCES.map((name) => toSource(name, sources[name])),
    pending: toPending(ledger),
    dropped: ledger.dropped,
    refused: acceptance.refusedObservations
      .toReversed()
      .map(({ name, time, reason }) => ({ observation: name, time, reason: toPlainLine(reason) })),
    rulings: toRulings(ledger).slice(0, RULINGS_MAX),
    rulingsTotal: ledger.rulings.events.size + ledger.rulings.observations.size,
    withdrawn: ledger.withdrawn.length,
    quarantined: quarantined.map(({ object, reason }) => ({
      object: toPlainLine(object),
      reason: toPlainLine(reason),
    })),
    paid: summarisePaid(createView(ledger)),
    swept: toSwept(summariseSweep(ledger)),
  };
}

function toRulings({ rulings }: Ledger): Status["rulings"] {
  const ofEvents = [...rulings.events].map(([subject, ruling]) => ({
    subject,
    of: "event" as const,
    ruling,
  }));
  const ofObservations = [...rulings.observations].map(([subject, ruling]) => ({
    subject,
    of: "observation" as const,
    ruling,
  }));
  return [...ofEvents, ...ofObservations]
    .sort((a, b) => (a.ruling.name < b.ruling.name ? 1 : -1))
    .map(({ subject, of, ruling: { verdict, reason, ruledAt } }) => ({
      subject,
      of,
      verdict,
      reason,
      ruledAt,
    }));
}

/**
 * The status document's summary of the sweep; it names at most `BUSY_AUTHORITIES_MAX` busy
 * authorities.
 */
export function toSwept({
  validators,
  covered,
  upToSlot,
  busy,
  refused,
  contradictions,
}: Sweep): Status["swept"] {
  const named = busy.slice(0, BUSY_AUTHORITIES_MAX);
  return {
    validators,
    covered,
    upToSlot,
    busy: named.map(({ authority, votes }) => ({ authority, votePubkeys: votes })),
    busyTotal: busy.length,
    refused,
    contradictions,
  };
}

function toSource(name: Status["sources"][number]["name"], health: Ledger["sources"][typeof name]) {
  const { state, lastSuccessAt, reason } = health;
  return { name, state, lastSuccessAt, reason: reason === null ? null : toFailureCodes(reason) };
}

function toPending(ledger: Ledger): Status["pending"] {
  return pendingChanges(ledger).map(({ vote, source, from, to, first, answers, disputed }) => ({
    votePubkey: vote,
    source,
    fromCommission: toPercentOrNull(from),
    toCommission: toPercent(to),
    firstSeenAt: first.time,
    disputed,
    witnesses: answers.map(({ endpoint, commission }) => ({
      endpoint,
      commission: toPercentOrNull(commission),
    })),
  }));
}
