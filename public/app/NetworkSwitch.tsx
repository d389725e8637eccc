import { NETWORKS, toAddress } from "./url.ts";
import { useUrl } from "./use-url.ts";

/** The same page of another network. What else the address says belongs to the network left, and stays behind. */
export function NetworkSwitch() {
  const { path, network } = useUrl();
  return (
    <nav class="segments" aria-label="Network">
      {NETWORKS.map((name) => (
        <a key={name} href={toAddress(path, { network: name })} aria-current={name === network ? "true" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
