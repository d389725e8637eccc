import { useEpoch } from "../../api/clock.ts";
import { documents, NEWEST } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { OldData } from "../../parts/Document.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { NewestEvents } from "./NewestEvents.tsx";
import { Numbers } from "./Numbers.tsx";
import { Opening } from "./Opening.tsx";
import { RugsPerEpoch } from "./RugsPerEpoch.tsx";
import { WorstNow } from "./WorstNow.tsx";
import "../../style/now.css";

const EVENTS_MILLISECONDS = 60_000;
const SHOWN_EPOCHS = 50;

export default function Now() {
  const { network } = useUrl();
  const epoch = useEpoch(network);
  const events = useDocument(documents.events(network, NEWEST), {
    everyMilliseconds: EVENTS_MILLISECONDS,
  });
  const rugs = useDocument(documents.rugsPerEpoch(network, { epochs: SHOWN_EPOCHS }), {
    everyMilliseconds: EVENTS_MILLISECONDS,
  });
  const running = epoch.held?.document.data ?? null;
  return (
    <div class="now">
      <Opening />
      <OldData network={network} />
      <Numbers rugs={rugs} epoch={epoch} />
      <RugsPerEpoch resource={rugs} />
      <WorstNow resource={rugs} events={events.held?.document.data ?? []} epoch={running} />
      <NewestEvents resource={events} epoch={running} />
    </div>
  );
}
