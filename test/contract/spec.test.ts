import { expect, it } from "vitest";
import { currentShape } from "./shape.ts";

/** The fields that the specification of the API names, typed by hand from its tables. A question mark: nullable. */
const STAKE = (name: string) => ({ [name]: "object", [`${name}.lamports`]: "string", [`${name}.sol`]: "number" });

const VALIDATOR = {
  votePubkey: "string",
  identityPubkey: "string?",
  name: "string?",
  iconUrl: "string?",
  website: "string?",
  version: "string?",
  clientType: "'agave' | 'firedancer' | 'frankendancer' | 'unknown'?",
  clientId: "integer?",
  client: "string?",
  rank: "integer",
  commission: "number?",
  ...STAKE("activeStake"),
  ...STAKE("activatingStake"),
  ...STAKE("deactivatingStake"),
  stakePercent: "number",
  stakeAccountCount: "integer",
  delinquent: "boolean",
  delinquentSince: "string date-time?",
  mevVendorEnabled: "boolean",
  batchVendorEnabled: "boolean",
  firstSeenEpoch: "integer?",
  updatedAt: "string date-time?",
  location: "object?",
  "location.country": "string?",
  "location.countryCode": "string?",
  "location.city": "string?",
  "location.dataCenter": "string?",
};

const EVENT = {
  id: "string",
  votePubkey: "string",
  validatorName: "string?",
  severity: "'CAUTION' | 'INFO' | 'RUG'",
  source: "'COMMISSION' | 'MEV'",
  fromCommission: "number?",
  toCommission: "number?",
  fromDisabled: "boolean",
  toDisabled: "boolean",
  delta: "number?",
  epoch: "integer",
  createdAt: "string date-time?",
};

const SPECIFIED: Record<string, Record<string, string>> = {
  validators: {
    ...below("data[]", VALIDATOR),
    ...below("meta", { page: "integer", limit: "integer", total: "integer", totalPages: "integer" }),
    ...below("meta", STAKE("networkStake")),
  },
  validator: {
    ...below("data", VALIDATOR),
    ...below("data.mev", { epoch: "integer", mevCommission: "number?", priorityFeeCommission: "number?" }),
    ...below("data.performance", { epoch: "integer", skipRate: "number", voteCredits: "integer" }),
  },
  validatorEvents: { ...below("data[]", EVENT), ...below("meta", { total: "integer", votePubkey: "string" }) },
  commissionHistory: {
    ...below("data[]", { epoch: "integer", commission: "number?", mevCommission: "number?" }),
    ...below("meta", { total: "integer", votePubkey: "string" }),
  },
  stakeHistory: {
    ...below("data[]", { epoch: "integer", ...STAKE("activeStake"), rank: "integer?" }),
    ...below("meta", { total: "integer", votePubkey: "string" }),
  },
  uptime: {
    ...below("data[]", {
      date: "string date",
      uptimeChecks: "integer",
      delinquentChecks: "integer",
      uptimePercent: "number",
    }),
    ...below("meta", { daysTracked: "integer", overallUptimePercent: "number" }),
  },
  location: {
    ...below("data.current", { country: "string?", city: "string?", dataCenter: "string?" }),
    ...below("data.changes[]", { dataCenter: "string?", city: "string?", detectedAt: "string date-time" }),
  },
  events: {
    ...below("data[]", EVENT),
    ...below("meta", {
      total: "integer",
      latestEpoch: "integer?",
      epochs: "integer",
      severity: "'CAUTION' | 'INFO' | 'RUG'?",
    }),
  },
  epochEvents: {
    ...below("data[]", EVENT),
    ...below("meta", { epoch: "integer", total: "integer", uniqueValidators: "integer" }),
  },
  rugsPerEpoch: {
    ...below("data[]", {
      epoch: "integer",
      uniqueValidators: "integer",
      commissionEvents: "integer",
      mevEvents: "integer",
    }),
    ...below("meta", { latestEpoch: "integer?" }),
    ...below("meta.global", { totalRuggedValidators: "integer", repeatOffenders: "integer" }),
  },
  stakeConcentration: {
    ...below("data.summary", { uniqueCountries: "integer", geoCoveragePercent: "number" }),
    ...below("data.nakamotoCoefficients", { byCountry: "integer", byDataCenter: "integer" }),
    ...below("data.byCountry[]", { name: "string", stakePercent: "number" }),
  },
  epoch: below("data", {
    epoch: "integer",
    slotIndex: "integer",
    slotsInEpoch: "integer",
    absoluteSlot: "integer",
    progressPercent: "number",
  }),
  search: {
    ...below("data[]", { votePubkey: "string", name: "string?" }),
    ...below("meta", { total: "integer", query: "string" }),
  },
};

it.each(Object.entries(SPECIFIED))(
  "the schemas have every specified field of %s, with its type",
  (document, fields) => {
    const specified = Object.entries(fields).map(([path, type]) => [
      `${document}: ${path}`,
      type.replace("?", " | null"),
    ]);
    specified.push([`${document}: meta.network`, "'alpenglow' | 'mainnet' | 'testnet'"]);
    expect(currentShape()).toMatchObject(Object.fromEntries(specified) as Record<string, string>);
  },
);

function below(parent: string, fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [`${parent}.${name}`, type]));
}
