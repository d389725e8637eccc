import { useEffect, useId, useRef } from "preact/hooks";
import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { isSwept } from "../../format/proof.ts";
import { Ago } from "../../parts/Ago.tsx";
import { Change } from "../../parts/Change.tsx";
import { EffectText } from "../../parts/EffectText.tsx";
import { SeverityBadge } from "../../parts/SeverityBadge.tsx";
import { Evidence } from "./Evidence.tsx";

interface EventEntryProps {
  event: CommissionEvent;
  epoch: Epoch | null;
  network: Network;
  isOpen: boolean;
  onToggle: () => void;
}

/** One change in a line, and its evidence below when it is asked for. */
export function EventEntry({ event, epoch, network, isOpen, onToggle }: EventEntryProps) {
  const id = useId();
  const entry = useRef<HTMLLIElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // Who was given this address is led to the change it names; who opened it by hand is there already.
    if (isFirst.current && isOpen) entry.current?.scrollIntoView({ block: "center" });
    isFirst.current = false;
  }, [isOpen]);
  return (
    <li ref={entry} class={isOpen ? "event-entry event-entry-open" : "event-entry"}>
      <div class="event-entry-line">
        <SeverityBadge severity={event.severity} />
        <Change event={event} />
        <EffectText event={event} epoch={epoch} />
        <span class="quiet">
          {event.createdAt === null ? (
            `in epoch ${event.epoch}`
          ) : (
            <>
              {isSwept(event) ? "found" : "seen"} <Ago time={event.createdAt} />
            </>
          )}
        </span>
        <button type="button" class="link-button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          Evidence<span class="visually-hidden"> of the change in epoch {event.epoch}</span>
        </button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Evidence event={event} network={network} />}
      </div>
    </li>
  );
}
