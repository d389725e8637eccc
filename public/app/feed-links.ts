import { useEffect } from "preact/hooks";
import type { Network } from "../../generator/contract/networks.ts";

/**
 * Has the feeds that index.html names be those of the network that is shown. They stand there, and not here, for feed readers
 * run no script: they find those of mainnet.
 */
export function useFeedLinks(network: Network): void {
  useEffect(() => {
    for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[rel="alternate"]')) {
      link.href = new URL(link.href).pathname.replace(/^\/feeds\/\w+/, `/feeds/${network}`);
      link.title = link.title.replace(/\w+$/, network);
    }
  }, [network]);
}
