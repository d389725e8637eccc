import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { useEpoch } from "../../app/use-epoch.ts";
import { useUrl } from "../../app/use-url.ts";
import { OldData } from "../../parts/OldData.tsx";
import "../../style/now.css";
import { EpochNow } from "./EpochNow.tsx";
import { NewestEvents } from "./NewestEvents.tsx";
import { RugsPerEpoch } from "./RugsPerEpoch.tsx";

/** As long as a CDN holds events. */
const EVENTS_MILLISECONDS = 60_000;
const CHART_EPOCHS = 100;

/** The first page: where the epoch is, who changed what, and whether that is more than usual. */
export default function Now() {
  const { network } = useUrl();
  const epoch = useEpoch(network);
  const events = useDocument(documents.events(network), { everyMilliseconds: EVENTS_MILLISECONDS });
  const rugs = useDocument(documents.rugsPerEpoch(network, { epochs: CHART_EPOCHS }));
  return (
    <div class="now">
      <h1 class="visually-hidden">Commission changes on {network} now</h1>
      <OldData network={network} />
      <EpochNow reading={epoch} />
      <NewestEvents reading={events} epoch={epoch.held?.document.data ?? null} />
      <RugsPerEpoch reading={rugs} />
    </div>
  );
}
