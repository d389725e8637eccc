import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { Reading } from "../../api/use-document.ts";
import { apiNow } from "../../app/clock.ts";
import { toCount, toPercent } from "../../format/amounts.ts";
import { toProgress } from "../../format/epochs.ts";
import { toDuration, toUtc } from "../../format/times.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { EpochBar } from "../../parts/EpochBar.tsx";

/** How far the running epoch is, and when the next one begins: that is when what was announced begins to cost. */
export function EpochNow({ reading }: { reading: Reading<{ data: Epoch }> }) {
  return (
    <Card title="Epoch" class="epoch-now">
      <Document reading={reading} lines={2}>
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
          <span class="epoch-word">Epoch</span> {epoch.epoch}
        </p>
        <p class="epoch-left">
          {left !== null && left > 0 && (
            <>
              <strong>{toDuration(left)}</strong> until epoch {epoch.epoch + 1}
            </>
          )}
          {left !== null && left <= 0 && <>Epoch {epoch.epoch + 1} begins now</>}
          {left === null && <>The length of epochs is not measured yet</>}
        </p>
        <p class="epoch-facts">
          {toPercent(Math.floor(progress * 10) / 10)} ·{" "}
          {epochEndsAt !== null && <>ends about {toUtc(epochEndsAt)} · </>}
          slot {toCount(epoch.absoluteSlot)} ·{" "}
          {epoch.live ? (
            <span class="live">live</span>
          ) : (
            <span class="not-live" title="The cluster does not answer: extrapolated from the last snapshot.">
              not live, estimated
            </span>
          )}
        </p>
      </div>
      <EpochBar percent={progress} label={`Epoch ${epoch.epoch}`} />
    </>
  );
}
