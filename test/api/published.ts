import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../generator/contract/endpoints.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { fromObjectKey } from "../../generator/contract/objects.ts";
import { readSite } from "../service/documents.ts";
import type { Api } from "./_setup.ts";

/** The address of a published object at the API; null: it is not one of its documents. */
function addressOf(network: Network, key: string): string | null {
  if (fromObjectKey(network, key)?.kind === "index") return null;
  const start = `api/v1/${network}/`;
  if (!key.startsWith(start)) return `/${key}`;
  return `/api/v1/${key.slice(start.length, -".json".length)}?network=${network}`;
}

export function describePublished(api: () => Api): void {
  describe("the API at its defaults", () => {
    it.each(NETWORKS)(
      "gives each published object of %s byte for byte, and every object has an address",
      async (network) => {
        const site = await readSite(api().site(network));
        const kinds = new Set<string>();
        for (const [key, text] of site) {
          const address = addressOf(network, key);
          if (address === null) continue;
          const response = await api().request(address);
          expect(response.status, address).toBe(200);
          expect(await response.text(), address).toBe(text);
          kinds.add(fromObjectKey(network, key)?.kind ?? key);
        }
        const made = ["epoch", "search", "openapi"];
        expect([...kinds, ...made].sort()).toEqual(Object.keys(ENDPOINTS).sort());
        expect(site.size).toBeGreaterThan(70);
      },
    );
  });
}
