/** Where a simulated node can stand. */
export interface Site {
  /** Autonomous system, as the ASN database knows it. */
  asn: number;
  organization: string;
  /** null: the city database does not know the addresses. */
  country: { code: string; name: string } | null;
  city: string | null;
}

const GERMANY = { code: "DE", name: "Germany" };
const FRANCE = { code: "FR", name: "France" };
const NETHERLANDS = { code: "NL", name: "The Netherlands" };
const UNITED_STATES = { code: "US", name: "United States" };
const UNITED_KINGDOM = { code: "GB", name: "United Kingdom" };
const JAPAN = { code: "JP", name: "Japan" };
const SINGAPORE = { code: "SG", name: "Singapore" };

/** Real providers, at places they have; neighbours differ in both, so that a move to the next one shows. */
export const SITES: readonly Site[] = [
  { asn: 20326, organization: "TeraSwitch Networks Inc.", country: UNITED_STATES, city: "Newark" },
  { asn: 24940, organization: "Hetzner Online GmbH", country: GERMANY, city: "Falkenstein" },
  { asn: 396356, organization: "Latitude.sh", country: UNITED_KINGDOM, city: "London" },
  { asn: 16276, organization: "OVH SAS", country: FRANCE, city: "Roubaix" },
  { asn: 16509, organization: "Amazon.com, Inc.", country: SINGAPORE, city: "Singapore" },
  { asn: 20326, organization: "TeraSwitch Networks Inc.", country: NETHERLANDS, city: "Amsterdam" },
  { asn: 396356, organization: "Latitude.sh", country: JAPAN, city: "Tokyo" },
  { asn: 24940, organization: "Hetzner Online GmbH", country: UNITED_STATES, city: "Hillsboro" },
  { asn: 16276, organization: "OVH SAS", country: GERMANY, city: "Frankfurt am Main" },
  { asn: 396356, organization: "Latitude.sh", country: UNITED_STATES, city: "Chicago" },
  // A country without a city, and a network that only the ASN database knows.
  { asn: 16509, organization: "Amazon.com, Inc.", country: UNITED_STATES, city: null },
  { asn: 64500, organization: "Example Backbone", country: null, city: null },
];

/** The site index of addresses that no database knows. */
export const UNKNOWN_SITE = SITES.length;

/**
 * The network of a site's IPv4 addresses. Addresses for documentation would be the obvious choice, but a careful reader
 * does not look those up; in this range no validator stands.
 */
export function toIpv4Network(site: number): string {
  return `11.${site + 1}.0.0/16`;
}

/** The network of a site's IPv6 addresses, in a part of the address space that is assigned to nobody. */
export function toIpv6Network(site: number): string {
  return `2d00:5:${(site + 1).toString(16)}::/48`;
}

/** @param host from 0 to 65535 */
export function toIpv4(site: number, host: number): string {
  return `11.${site + 1}.${host >> 8}.${host & 255}`;
}

/** @param host from 0 to 65535 */
export function toIpv6(site: number, host: number): string {
  return `2d00:5:${(site + 1).toString(16)}::${(host + 1).toString(16)}`;
}
