import { originOf } from "../contract/origin.ts";
import { witnessesNeeded } from "../contract/panel.ts";
import type { PanelRow } from "../entries/entry.ts";

/** Returns why no change can be confirmed: too few witnesses answered. null: enough did. */
export function describeSilence(panel: readonly PanelRow[]): string | null {
  const silent = panel.filter(({ reason }) => reason !== null);
  if (panel.length === 0 || panel.length - silent.length >= witnessesNeeded(panel.length))
    return null;
  const reasons = silent.map(({ endpoint, reason }) => reason ?? originOf(endpoint));
  const found = `${silent.length} of ${panel.length} witnesses silent, so that no change can be confirmed`;
  return `${found}: ${reasons.join("; ")}`;
}
