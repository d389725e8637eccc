import type { Epoch } from "../../../generator/contract/epoch.ts";
import { apiNow, useEpoch } from "../../api/clock.ts";
import { documents, NEWEST } from "../../api/documents.ts";
import { type Resource, useDocument } from "../../api/use-document.ts";
import { toCount, toDuration, toPercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Document, OldData } from "../../parts/Document.tsx";
import { Term } from "../../parts/Term.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { toTimeText } from "../../parts/zone.ts";
import { NewestEvents } from "./NewestEvents.tsx";
import { Opening } from "./Opening.tsx";
import { RugsPerEpoch } from "./RugsPerEpoch.tsx";
import { WorstNow } from "./WorstNow.tsx";
import "../../style/now.css";

const EVENTS_MILLISECONDS = 60_000;
const CHART_EPOCHS = 100;

export default function Now() {
  const { network } = useUrl();
  const epoch = useEpoch(network);
  const events = useDocument(documents.events(network, NEWEST), {
    everyMilliseconds: EVENTS_MILLISECONDS,
  });
  const rugs = useDocument(documents.rugsPerEpoch(network, { epochs: CHART_EPOCHS }), {
    everyMilliseconds: EVENTS_MILLISECONDS,
  });
  return (
    <div class="now">
      <Opening />
      <OldData network={network} />
      <WorstNow resource={rugs} epoch={epoch.held?.document.data ?? null} />
      <EpochNow resource={epoch} />
      <NewestEvents resource={events} epoch={epoch.held?.document.data ?? null} />
      <RugsPerEpoch resource={rugs} />
    </div>
  );
}

function EpochNow({ resource }: { resource: Resource<{ data: Epoch }> }) {
  return (
    <Card title="Epoch" class="epoch-now">
      <Document resource={resource} lines={2}>
        {({ data }) => <Progress epoch={data} />}
      </Document>
    </Card>
  );
}

function Progress({ epoch }: { epoch: Epoch }) {
  const now = apiNow.value;
  const progress = toProgress(epoch, now);
  const { epochEndsAt } = epoch;
  const left = epochEndsAt === null || now === null ? null : Date.parse(epochEndsAt) - now;
  return (
    <>
      <div class="epoch-line">
        <p class="epoch-number">
          <Term of="Epoch">Epoch</Term> {epoch.epoch}
        </p>
        <p>
          {left !== null && left > 0 && (
            <>
              <strong>{toDuration(left)}</strong> until epoch {epoch.epoch + 1}
            </>
          )}
          {left !== null && left <= 0 && <>Epoch {epoch.epoch + 1} is starting</>}
          {left === null && <>Time left: not known</>}
        </p>
        <p class="epoch-facts">
          {toPercent(Math.floor(progress * 10) / 10)} ·{" "}
          {epochEndsAt !== null && <>ends about {toTimeText(epochEndsAt)} · </>}
          slot {toCount(epoch.absoluteSlot)} ·{" "}
          {epoch.live ? (
            <span class="live">live</span>
          ) : (
            <span
              class="not-live"
              title="The cluster does not answer. We estimate from the last snapshot."
            >
              not live, estimated
            </span>
          )}
        </p>
      </div>
      <EpochBar percent={progress} label={`Epoch ${epoch.epoch}`} />
    </>
  );
}

/** `progress` needs no style attribute, which the CSP forbids. */
function EpochBar({ percent, label }: { percent: number; label: string }) {
  return <progress class="epoch-bar" max={100} value={percent} aria-label={label} />;
}

/** 0 to 100 percent by the clock; without known times, the progress when the epoch was read. */
export function toProgress(epoch: Epoch, now: number | null): number {
  const { epochStartedAt, epochEndsAt, progressPercent } = epoch;
  if (epochStartedAt === null || epochEndsAt === null || now === null) return progressPercent;
  const start = Date.parse(epochStartedAt);
  return Math.min(100, Math.max(0, (100 * (now - start)) / (Date.parse(epochEndsAt) - start)));
}
