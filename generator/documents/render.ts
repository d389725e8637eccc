import type { ObjectReference } from "../contract/objects.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { toBytes } from "./bytes.ts";
import { renderCommissionHistory } from "./commission-history.ts";
import { renderConcentration } from "./concentration.ts";
import { renderEpochEvents } from "./epoch-events.ts";
import { renderEvents } from "./events.ts";
import { renderLocation } from "./location.ts";
import { renderProfile } from "./profile.ts";
import { renderRugsPerEpoch } from "./rugs-per-epoch.ts";
import { renderSnapshotIndex } from "./snapshot-index.ts";
import { renderStakeHistory } from "./stake-history.ts";
import { renderUptime } from "./uptime.ts";
import { renderValidatorEvents } from "./validator-events.ts";
import { renderValidators } from "./validators.ts";
import { createView, type View } from "./view.ts";

/**
 * Version of the documents' rules. Raise it with every change that renders the same ledger to other bytes: the next run
 * then renders everything, and a generator of an older version does not publish.
 */
export const RENDER_VERSION = 2;

/** Renders objects from one state of a ledger. */
export interface Renderer {
  /**
   * The bytes of an object; null: there is none, because the validator is not known, was never located, the epoch is not
   * tracked, or no stake is located yet. Equal ledgers give equal bytes. `status` is always null here: it carries the time
   * of its own making, see status.ts.
   */
  render: (reference: ObjectReference) => Uint8Array | null;
}

/** What several objects need is worked out once for them all. Make a new renderer after every fold. */
export function createRenderer(ledger: Ledger): Renderer {
  const view = createView(ledger);
  return {
    render: (reference) => {
      const document = toDocument(view, reference);
      return document === null ? null : toBytes(document);
    },
  };
}

function toDocument(view: View, { kind, names }: ObjectReference): object | null {
  switch (kind) {
    case "validators":
      return renderValidators(view);
    case "validator":
      return renderProfile(view, names.votePubkey);
    case "validatorEvents":
      return renderValidatorEvents(view, names.votePubkey);
    case "commissionHistory":
      return renderCommissionHistory(view, names.votePubkey);
    case "stakeHistory":
      return renderStakeHistory(view, names.votePubkey);
    case "uptime":
      return renderUptime(view, names.votePubkey);
    case "location":
      return renderLocation(view, names.votePubkey);
    case "events":
      return renderEvents(view);
    case "epochEvents":
      return renderEpochEvents(view, names.epoch);
    case "rugsPerEpoch":
      return renderRugsPerEpoch(view);
    case "stakeConcentration":
      return renderConcentration(view);
    case "index":
      return renderSnapshotIndex(view);
    case "status":
      return null;
  }
}
