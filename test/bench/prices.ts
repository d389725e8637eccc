interface Price {
  dollars: number;
  per: number;
  unit: string;
  /** A month, without end. */
  freeUnits?: number;
}

/**
 * Read on this day from copies of the vendors' pages,
 * or common knowledge. Check before you rely on one.
 */
export const PRICES_OF = "2026-11-22";

export const PRICES = {
  // https://aws.amazon.com/s3/pricing/, us-east-1.
  s3Storage: { dollars: 0.023, per: 1, unit: "GB" },
  s3Writes: { dollars: 0.005, per: 1_000, unit: "requests" },
  s3Reads: { dollars: 0.0004, per: 1_000, unit: "requests" },
  s3Egress: { dollars: 0.09, per: 1, unit: "GB", freeUnits: 100 },
  // https://aws.amazon.com/cloudfront/pricing/, North America and Europe.
  cloudFrontEgress: { dollars: 0.085, per: 1, unit: "GB", freeUnits: 1_000 },
  cloudFrontRequests: { dollars: 1, per: 1e6, unit: "requests", freeUnits: 10e6 },
  cloudFrontFunctions: { dollars: 0.1, per: 1e6, unit: "requests", freeUnits: 2e6 },
  // https://aws.amazon.com/waf/pricing/
  wafAcl: { dollars: 5, per: 1, unit: "pieces" },
  wafRule: { dollars: 1, per: 1, unit: "pieces" },
  wafRequests: { dollars: 0.6, per: 1e6, unit: "requests" },
  // https://aws.amazon.com/lambda/pricing/, ARM.
  lambdaRequests: { dollars: 0.2, per: 1e6, unit: "requests", freeUnits: 1e6 },
  lambdaTime: { dollars: 0.0000133334, per: 1, unit: "GB-seconds", freeUnits: 400_000 },
  // https://aws.amazon.com/cloudwatch/pricing/
  metrics: { dollars: 0.3, per: 1, unit: "pieces", freeUnits: 10 },
  alarms: { dollars: 0.1, per: 1, unit: "pieces", freeUnits: 10 },
  logs: { dollars: 0.5, per: 1, unit: "GB", freeUnits: 5 },
  // https://developers.cloudflare.com/r2/pricing/, class A and class B.
  r2Storage: { dollars: 0.015, per: 1, unit: "GB", freeUnits: 10 },
  r2Writes: { dollars: 4.5, per: 1e6, unit: "requests", freeUnits: 1e6 },
  r2Reads: { dollars: 0.36, per: 1e6, unit: "requests", freeUnits: 10e6 },
  // https://www.digitalocean.com/pricing/droplets: 2 shared cores, 4 GB, 80 GB of disk.
  machine: { dollars: 24, per: 1, unit: "pieces" },
  machineEgress: { dollars: 0.01, per: 1, unit: "GB", freeUnits: 4_000 },
  // https://docs.github.com/en/billing/reference/actions-runner-pricing:
  // private repository, Linux, 2 cores.
  actionsMinutes: { dollars: 0.006, per: 1, unit: "minutes", freeUnits: 2_000 },
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof PRICES;

export function toDollars(name: PriceName, units: number): number {
  const { dollars, per, freeUnits = 0 }: Price = PRICES[name];
  return (Math.max(0, units - freeUnits) * dollars) / per;
}

/**
 * A first visit, compressed: page, files and four documents.
 * test/browser/loading.test.ts enforces the limit.
 */
export const FIRST_PAGE = { bytes: 100_000, requests: 40 };
