import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { useEpoch } from "../../app/use-epoch.ts";
import { NETWORKS } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import "../../style/status.css";
import "../../style/wide-table.css";
import { NetworkCard } from "./NetworkCard.tsx";
import { Record } from "./Record.tsx";
import { SourceGuide } from "./SourceGuide.tsx";

/** As long as caches hold the status. */
const STATUS_MILLISECONDS = 15_000;

/** How fresh everything is on each network, and of the one that is chosen what is pending and what was not believed. */
export default function Status() {
  const { network } = useUrl();
  useEpoch(network);
  const chosen = useDocument(documents.status(network), { everyMilliseconds: STATUS_MILLISECONDS });
  return (
    <div class="status-page">
      <header class="status-header">
        <h1>How fresh this is</h1>
        <p class="quiet">
          Every network is observed each minute, and in full every ten minutes. What one source does not tell keeps its
          last value, and the rest goes on. The same as a document:{" "}
          <a href={documents.status(network).url}>{documents.status(network).url}</a>
        </p>
      </header>
      <div class="networks">
        {NETWORKS.map((name) => (
          <NetworkCard key={name} network={name} isChosen={name === network} />
        ))}
      </div>
      <Record reading={chosen} network={network} />
      <SourceGuide />
    </div>
  );
}
