/**
 * Type of a column. `time` and `date` are in UTC: milliseconds and days since 1970 in Parquet, ISO
 * 8601 in CSV.
 */
export type CellType = "text" | "int64" | "uint64" | "double" | "boolean" | "time" | "date";

/** A column of an export. In CSV an empty field is null. */
export interface ExportColumn {
  type: CellType;
  isNullable: boolean;
}

/**
 * The exports and their columns, in order. Commissions are in percent, amounts in lamports. The
 * fields of the API have its names; `…Lamports` is the amount of a Stake. Add columns at the end
 * only.
 */
export const EXPORT_TABLES = {
  events: {
    id: known("text"),
    votePubkey: known("text"),
    severity: known("text"),
    source: known("text"),
    fromCommission: orNull("double"),
    toCommission: orNull("double"),
    fromDisabled: known("boolean"),
    toDisabled: known("boolean"),
    delta: orNull("double"),
    epoch: known("int64"),
    createdAt: orNull("time"),
    slot: known("int64"),
    previousSlot: orNull("int64"),
    previousSeenAt: orNull("time"),
    effectiveEpoch: orNull("int64"),
    confirmed: known("boolean"),
    effectiveEpochLatest: orNull("int64"),
    effectiveEpochFinal: known("boolean"),
    confirmedBy: orNull("text"),
    supersededBy: orNull("text"),
    transactionSignature: orNull("text"),
    transactionSlot: orNull("int64"),
    transactionBlockTime: orNull("time"),
    signer: orNull("text"),
    verified: orNull("text"),
    replacedBy: orNull("text"),
  },
  history: {
    epoch: known("int64"),
    votePubkey: known("text"),
    activeStakeLamports: orNull("uint64"),
    rank: orNull("int64"),
    commission: orNull("double"),
    mevCommission: orNull("double"),
    appliedCommission: orNull("double"),
    paid: orNull("boolean"),
    blockRevenueCommission: orNull("double"),
    paidCommission: orNull("double"),
    paidCommissionUnknown: orNull("text"),
  },
  validators: {
    votePubkey: known("text"),
    rank: known("int64"),
    name: orNull("text"),
    identityPubkey: orNull("text"),
    website: orNull("text"),
    commission: orNull("double"),
    appliedCommission: orNull("double"),
    blockRevenueCommission: orNull("double"),
    pattern: orNull("text"),
    verdict: known("text"),
    activeStakeLamports: known("uint64"),
    activatingStakeLamports: known("uint64"),
    deactivatingStakeLamports: known("uint64"),
    stakePercent: known("double"),
    stakeAccountCount: known("int64"),
    stakeAccountsAsOf: orNull("time"),
    inValidatorSet: known("boolean"),
    delinquent: known("boolean"),
    delinquentSince: orNull("time"),
    version: orNull("text"),
    clientType: orNull("text"),
    client: orNull("text"),
    mevVendorEnabled: known("boolean"),
    batchVendorEnabled: known("boolean"),
    firstSeenEpoch: orNull("int64"),
    updatedAt: orNull("time"),
  },
  locations: {
    votePubkey: known("text"),
    activeStakeLamports: known("uint64"),
    country: orNull("text"),
    countryCode: orNull("text"),
    city: orNull("text"),
    dataCenter: orNull("text"),
    asn: orNull("int64"),
    asnOrganization: orNull("text"),
  },
  uptime: {
    date: known("date"),
    votePubkey: known("text"),
    uptimeChecks: known("int64"),
    delinquentChecks: known("int64"),
    uptimePercent: known("double"),
  },
  epochs: {
    epoch: known("int64"),
    firstSlot: known("int64"),
    lastSlot: known("int64"),
    startedAt: orNull("time"),
    endedAt: orNull("time"),
    inflationRate: orNull("double"),
    supplyLamports: orNull("uint64"),
    activeStakeLamports: orNull("uint64"),
    epochsPerYear: orNull("double"),
    nakamotoCoefficient: orNull("int64"),
  },
  costs: {
    eventId: known("text"),
    votePubkey: known("text"),
    source: known("text"),
    epoch: known("int64"),
    lamportsPerEpoch: orNull("int64"),
    per1000SolLamports: orNull("int64"),
    leastLamportsPerEpoch: orNull("int64"),
    mostLamportsPerEpoch: orNull("int64"),
    fromCommission: orNull("double"),
    toCommission: orNull("double"),
    activeStakeLamports: known("uint64"),
    totalActiveStakeLamports: orNull("uint64"),
    inflationRate: orNull("double"),
    supplyLamports: orNull("uint64"),
    epochsPerYear: orNull("double"),
    voteCreditsRatio: orNull("double"),
    tipsLamports: orNull("uint64"),
    isSettled: known("boolean"),
    isUpperBound: orNull("boolean"),
  },
  rugs: {
    votePubkey: known("text"),
    name: orNull("text"),
    rugs: known("int64"),
    firstEpoch: known("int64"),
    lastEpoch: known("int64"),
    newestSignature: orNull("text"),
    standing: known("boolean"),
    verdict: known("text"),
    highestCommission: known("double"),
    unconfirmed: known("int64"),
    newestEventId: known("text"),
  },
} as const satisfies Record<string, Record<string, ExportColumn>>;

/** Key of an export in {@link EXPORT_TABLES}. */
export type ExportTable = keyof typeof EXPORT_TABLES;

/** Name of a column of an export. */
export type ColumnOf<Table extends ExportTable> = keyof (typeof EXPORT_TABLES)[Table] & string;

function known<Type extends CellType>(type: Type) {
  return { type, isNullable: false } as const;
}

function orNull<Type extends CellType>(type: Type) {
  return { type, isNullable: true } as const;
}
