import { changeSchema, SEGMENT_CHANGES, type Change } from "../../generator/contract/change.ts";
import { DEFAULT_NETWORK } from "../../generator/contract/networks.ts";
import { makeEvent, publish, SEEN_AT, toPubkey, type PublishedObject } from "./fixtures.ts";

export const EDITION = "1.2.3";

function makeChange(seq: number): Change {
  return changeSchema.parse({
    seq,
    at: SEEN_AT,
    kind: "event",
    event: makeEvent({ votePubkey: toPubkey(seq % 250) }),
  });
}

/** A log as the generator publishes it. */
export function makeLog(head: number, edition = EDITION): PublishedObject[] {
  const network = DEFAULT_NETWORK;
  const changes = Array.from({ length: head }, (_, index) => makeChange(index + 1));
  const full = Math.floor(head / SEGMENT_CHANGES);
  const segments = Array.from({ length: full }, (_, index) => {
    const data = changes.slice(index * SEGMENT_CHANGES, (index + 1) * SEGMENT_CHANGES);
    return publish(
      "changeSegment",
      { segment: index + 1 },
      { data, meta: { network, edition, segment: index + 1 } },
    );
  });
  const data = changes.slice(full * SEGMENT_CHANGES);
  return [...segments, publish("newestChanges", {}, { data, meta: { network, edition, head } })];
}
