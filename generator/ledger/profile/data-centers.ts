/** Providers with several autonomous systems or a better-known name. */
const PROVIDERS = new Map<number, string>([
  [24940, "Hetzner"],
  [213230, "Hetzner"],
  [212317, "Hetzner"],
  [16276, "OVH"],
  [35540, "OVH"],
  [16509, "Amazon Web Services"],
  [14618, "Amazon Web Services"],
  [15169, "Google Cloud"],
  [396982, "Google Cloud"],
  [8075, "Microsoft Azure"],
  [20326, "TeraSwitch"],
  [397391, "TeraSwitch"],
  [396356, "Latitude.sh"],
  [262287, "Latitude.sh"],
  [60781, "LeaseWeb"],
  [28753, "LeaseWeb"],
  [30633, "LeaseWeb"],
  [54825, "Equinix Metal"],
  [14061, "DigitalOcean"],
  [20473, "Vultr"],
  [63949, "Akamai (Linode)"],
  [31898, "Oracle Cloud"],
  [45102, "Alibaba Cloud"],
  [51167, "Contabo"],
  [12876, "Scaleway"],
  [59642, "Cherry Servers"],
  [18450, "WebNX"],
  [19318, "Interserver"],
  [36352, "HostPapa"],
  [8100, "QuadraNet"],
]);

/**
 * The provider's known name, or else the organization of the autonomous system; null: neither
 * is known.
 */
export function dataCenterOf(network: {
  asn: number | null;
  asnOrganization: string | null;
}): string | null {
  return (network.asn === null ? undefined : PROVIDERS.get(network.asn)) ?? network.asnOrganization;
}
