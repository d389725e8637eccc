/** The list price of one thing, in US dollars without taxes and discounts. */
export interface Price {
  vendor: string;
  /** What is paid for. */
  of: string;
  dollars: number;
  /** So many units cost that. */
  per: number;
  unit: string;
  /** Units of a month that cost nothing, for good and not for a first year. */
  freeUnits: number;
  url: string;
  /** Whether it was read on a copy of the vendor's own page, which may be older; else it is what is widely known. */
  isRead: boolean;
}

/** When this table was made. Look the prices up again before you rely on them. */
export const PRICES_OF = "2026-11-22";

const S3 = { vendor: "AWS S3, us-east-1", freeUnits: 0, url: "https://aws.amazon.com/s3/pricing/", isRead: false };
const CLOUDFRONT = {
  vendor: "AWS CloudFront, North America and Europe",
  url: "https://aws.amazon.com/cloudfront/pricing/",
  isRead: false,
};
const WAF = { vendor: "AWS WAF", freeUnits: 0, url: "https://aws.amazon.com/waf/pricing/", isRead: false };
const LAMBDA = { vendor: "AWS Lambda, ARM", url: "https://aws.amazon.com/lambda/pricing/", isRead: false };
const CLOUDWATCH = {
  vendor: "AWS CloudWatch",
  freeUnits: 10,
  url: "https://aws.amazon.com/cloudwatch/pricing/",
  isRead: false,
};
const R2 = { vendor: "Cloudflare R2", url: "https://developers.cloudflare.com/r2/pricing/", isRead: true };

/** Every price that the costs in infra/README.md are computed from. */
export const PRICES = {
  s3Storage: { ...S3, of: "storage", dollars: 0.023, per: 1, unit: "GB" },
  s3Writes: { ...S3, of: "PUT and LIST", dollars: 0.005, per: 1000, unit: "requests" },
  s3Reads: { ...S3, of: "GET and HEAD", dollars: 0.0004, per: 1000, unit: "requests" },
  s3Egress: { ...S3, of: "transfer to the internet", dollars: 0.09, per: 1, unit: "GB", freeUnits: 100 },
  cloudFrontEgress: {
    ...CLOUDFRONT,
    of: "transfer to readers",
    dollars: 0.085,
    per: 1,
    unit: "GB",
    freeUnits: 1000,
    isRead: true,
  },
  cloudFrontRequests: { ...CLOUDFRONT, of: "HTTPS requests", dollars: 1, per: 1e6, unit: "requests", freeUnits: 10e6 },
  cloudFrontFunctions: {
    ...CLOUDFRONT,
    of: "runs of the edge function",
    dollars: 0.1,
    per: 1e6,
    unit: "requests",
    freeUnits: 2e6,
    isRead: true,
  },
  wafAcl: { ...WAF, of: "web ACL", dollars: 5, per: 1, unit: "pieces" },
  wafRule: { ...WAF, of: "rule", dollars: 1, per: 1, unit: "pieces" },
  wafRequests: { ...WAF, of: "requests looked at", dollars: 0.6, per: 1e6, unit: "requests" },
  lambdaRequests: { ...LAMBDA, of: "calls", dollars: 0.2, per: 1e6, unit: "requests", freeUnits: 1e6 },
  lambdaTime: {
    ...LAMBDA,
    of: "memory by time",
    dollars: 0.0000133334,
    per: 1,
    unit: "GB-seconds",
    freeUnits: 400_000,
  },
  metrics: { ...CLOUDWATCH, of: "metric", dollars: 0.3, per: 1, unit: "pieces" },
  alarms: { ...CLOUDWATCH, of: "alarm", dollars: 0.1, per: 1, unit: "pieces" },
  r2Storage: { ...R2, of: "storage", dollars: 0.015, per: 1, unit: "GB", freeUnits: 10 },
  r2Writes: { ...R2, of: "PUT and LIST (class A)", dollars: 4.5, per: 1e6, unit: "requests", freeUnits: 1e6 },
  r2Reads: { ...R2, of: "GET and HEAD (class B)", dollars: 0.36, per: 1e6, unit: "requests", freeUnits: 10e6 },
  machine: {
    vendor: "DigitalOcean, basic droplet",
    of: "2 shared cores, 4 GB, 80 GB of disk",
    dollars: 24,
    per: 1,
    unit: "pieces",
    freeUnits: 0,
    url: "https://www.digitalocean.com/pricing/droplets",
    isRead: false,
  },
  machineEgress: {
    vendor: "DigitalOcean, basic droplet",
    of: "transfer beyond the 4,000 GB included",
    dollars: 0.01,
    per: 1,
    unit: "GB",
    freeUnits: 4000,
    url: "https://docs.digitalocean.com/products/droplets/details/pricing/",
    isRead: true,
  },
  actionsMinutes: {
    vendor: "GitHub Actions, private repository, Linux, 2 cores",
    of: "minutes of a job; of a public repository nothing",
    dollars: 0.006,
    per: 1,
    unit: "minutes",
    freeUnits: 2000,
    url: "https://docs.github.com/en/billing/reference/actions-runner-pricing",
    isRead: true,
  },
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof PRICES;

/** Dollars for so many units of a month. */
export function toDollars(name: PriceName, units: number): number {
  const { dollars, per, freeUnits } = PRICES[name];
  return (Math.max(0, units - freeUnits) * dollars) / per;
}
