import { toCounted } from "../../format/amounts.ts";
import { SERIAL_TURNS } from "./marks.ts";

/** How the columns are to be read. @param epochs that the changes cover; null: not read */
export function Legend({ epochs }: { epochs: number | null }) {
  return (
    <dl class="legend">
      <div>
        <dt>Commission</dt>
        <dd>
          Of inflation rewards, as announced now. What is paid may follow two epochs later: the validator’s page shows
          both. MEV: it runs a client that takes part in MEV.
        </dd>
      </div>
      <div>
        <dt>Changes</dt>
        <dd>
          Of inflation and MEV commission{epochs !== null && <> in the last {toCounted(epochs, "epoch")}</>}: the worst
          severity, how many, and the newest.
        </dd>
      </div>
      <div>
        <dt>Flips</dt>
        <dd>
          How often one commission turned round in these epochs: a rise after a fall or a fall after a rise, inflation
          and MEV each for itself. Marked from {SERIAL_TURNS} on, which is up, down and up again. Switching MEV on or
          off does not count.
        </dd>
      </div>
    </dl>
  );
}
