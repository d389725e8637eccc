import type { Location, LocationChange } from "../../../generator/contract/history.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { documents } from "../../api/documents.ts";
import type { Problem } from "../../api/envelope.ts";
import { useDocument } from "../../api/use-document.ts";
import { toCounted } from "../../format/amounts.ts";
import { toUtc } from "../../format/times.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Fact } from "./Fact.tsx";

/** Where the node is, and where it came from. */
export function Place({ network, votePubkey }: { network: Network; votePubkey: string }) {
  const reading = useDocument(documents.location(network, votePubkey));
  return (
    <Card title="Location" class="place">
      <Document reading={reading} lines={4} describe={describe}>
        {({ data }) => (
          <>
            <Current current={data.current} />
            <Moves changes={data.changes} />
          </>
        )}
      </Document>
    </Card>
  );
}

function describe(problem: Problem) {
  if (problem.kind !== "refused" || problem.code !== "location_not_found") return undefined;
  return "It is not known where its node is: it announced no address, or one that no database places.";
}

function Current({ current }: { current: Location["current"] }) {
  const { city, country, countryCode, dataCenter, asn, asnOrganization } = current;
  return (
    <dl class="facts">
      <Fact name="City">{city}</Fact>
      <Fact name="Country">
        {country === null ? countryCode : `${country}${countryCode === null ? "" : ` (${countryCode})`}`}
      </Fact>
      <Fact name="Data centre">{dataCenter}</Fact>
      <Fact name="Network">
        {asn === null ? asnOrganization : `AS${asn}${asnOrganization === null ? "" : ` ${asnOrganization}`}`}
      </Fact>
    </dl>
  );
}

function Moves({ changes }: { changes: readonly LocationChange[] }) {
  if (changes.length === 0) return <p class="quiet">It was never seen to move.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Moves">
      <table class="moves">
        <caption>{toCounted(changes.length, "move")}, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Seen</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.detectedAt}>
              <th scope="row">
                <time dateTime={change.detectedAt}>{toUtc(change.detectedAt)}</time>
              </th>
              <td>{toPlaceText(change.previousCity, change.previousDataCenter)}</td>
              <td>{toPlaceText(change.city, change.dataCenter)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toPlaceText(city: string | null, dataCenter: string | null): string {
  return `${city ?? "unknown city"}, ${dataCenter ?? "unknown data centre"}`;
}
