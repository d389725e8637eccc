import { ofObject, operation } from "./operation.ts";

/** Operations on exports, in the order of the API reference. */
export const EXPORT_OPERATIONS = {
  exports: operation("Exports", ofObject("exports"), {
    operationId: "listExports",
    summary: "Files to download",
    description:
      "Lists every export with its rows, size and SHA-256: tables of one file, then uptime by " +
      "month and history by epoch, newest first. 404 `not_found` until the first observation " +
      "of the network.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  eventsCsv: operation("Exports", ofObject("eventsCsv"), {
    operationId: "getEventsCsv",
    summary: "All events as CSV",
    description:
      "Every event of all closed epochs, newest first, with the API's fields except " +
      "`validatorName`, `pattern`, `incident`, `cost`, `mevCost` and `transaction.steps`; " +
      "`transaction` is split into five columns. `confirmed` is false for events known only " +
      "from a public history. Percentages and times are written as in the API; an empty field " +
      "is null; lines end in CR LF. 404 `not_found` until an epoch has closed.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  eventsParquet: operation("Exports", ofObject("eventsParquet"), {
    operationId: "getEventsParquet",
    summary: "All events as Parquet",
    description:
      "The same table; times are timestamps in milliseconds, UTC, epochs and slots 64-bit " +
      "integers.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  costsCsv: operation("Exports", ofObject("costsCsv"), {
    operationId: "getCostsCsv",
    summary: "What events cost as CSV",
    description:
      "One row for each event of a closed epoch whose cost is known, newest first: the fields " +
      "of `cost` and its `basis`, or of `mevCost` and its `basis`. `eventId` is the `id` of " +
      "the event. `epoch`, the commissions and amounts are those of the basis. 404 " +
      "`not_found` until an epoch has closed.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  costsParquet: operation("Exports", ofObject("costsParquet"), {
    operationId: "getCostsParquet",
    summary: "What events cost as Parquet",
    description:
      "The same table; lamports are 64-bit integers, times are timestamps in milliseconds, " +
      "UTC.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  rugsCsv: operation("Exports", ofObject("rugsCsv"), {
    operationId: "getRugsCsv",
    summary: "Validators that rugged as CSV",
    description:
      "One row for each validator with a RUG, the newest first: how many, first and last " +
      "epoch, the transaction of the newest, the highest commission that one of them " +
      "announced or, for MEV, took, and how many are known only from a public history. " +
      "`standing`: a RUG is still in force, or ahead. Name, verdict and `standing` are those " +
      "of now. RUG events of epochs that are not tracked count here, and not in " +
      "`/stats/rugs-per-epoch`. 404 `not_found` until the first observation of the network.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  rugsParquet: operation("Exports", ofObject("rugsParquet"), {
    operationId: "getRugsParquet",
    summary: "Validators that rugged as Parquet",
    description:
      "The same table; lamports are 64-bit integers, times are timestamps in milliseconds, " +
      "UTC.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  validatorsCsv: operation("Exports", ofObject("validatorsCsv"), {
    operationId: "getValidatorsCsv",
    summary: "The list of validators as CSV",
    description:
      "A row for each validator of `/validators`, by rank; `pattern` is its kind. An " +
      "apostrophe stands before a name that a spreadsheet would run as a formula. Lamports " +
      "are exact. 404 `not_found` until the first observation of the network.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  validatorsParquet: operation("Exports", ofObject("validatorsParquet"), {
    operationId: "getValidatorsParquet",
    summary: "The list of validators as Parquet",
    description:
      "The same table; lamports are 64-bit integers, times are timestamps in milliseconds, " +
      "UTC. Names are as they are.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  locationsCsv: operation("Exports", ofObject("locationsCsv"), {
    operationId: "getLocationsCsv",
    summary: "Where validators are as CSV",
    description:
      "One row for each listed validator whose place is known, by rank, with the active " +
      "stake. 404 `not_found` until the first observation of the network.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  locationsParquet: operation("Exports", ofObject("locationsParquet"), {
    operationId: "getLocationsParquet",
    summary: "Where validators are as Parquet",
    description:
      "The same table; lamports are 64-bit integers, times are timestamps in milliseconds, " +
      "UTC.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  epochsCsv: operation("Exports", ofObject("epochsCsv"), {
    operationId: "getEpochsCsv",
    summary: "Epochs with their inflation as CSV",
    description:
      "The rows of `/epochs`, oldest first. Lamports are exact. 404 `not_found` until the " +
      "first observation of the network.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  epochsParquet: operation("Exports", ofObject("epochsParquet"), {
    operationId: "getEpochsParquet",
    summary: "Epochs with their inflation as Parquet",
    description:
      "The same table; lamports are 64-bit integers, times are timestamps in milliseconds, " +
      "UTC.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  historyCsv: operation("Exports", ofObject("historyCsv"), {
    operationId: "getHistoryCsv",
    summary: "Stake and commissions of an epoch as CSV",
    description:
      "One row for each validator of a closed epoch, largest stake first: its stake history " +
      "and commission history at that epoch. Lamports are exact. 404 `not_found` for the " +
      "running epoch and for epochs that are not tracked.",
    parameters: ["networkInPath", "epoch"],
    notFound: "not_found",
  }),
  historyParquet: operation("Exports", ofObject("historyParquet"), {
    operationId: "getHistoryParquet",
    summary: "Stake and commissions of an epoch as Parquet",
    description: "The same table; lamports are unsigned 64-bit integers.",
    parameters: ["networkInPath", "epoch"],
    notFound: "not_found",
  }),
  uptimeCsv: operation("Exports", ofObject("uptimeCsv"), {
    operationId: "getUptimeCsv",
    summary: "Uptime of a month as CSV",
    description:
      "One row for each validator and UTC day of the month, oldest first: its checks and how " +
      "many found it delinquent; of the running day, those of the hours that have ended. 404 " +
      "`not_found` for a month without a check.",
    parameters: ["networkInPath", "month"],
    notFound: "not_found",
  }),
  uptimeParquet: operation("Exports", ofObject("uptimeParquet"), {
    operationId: "getUptimeParquet",
    summary: "Uptime of a month as Parquet",
    description: "The same table; numbers of checks are 64-bit integers.",
    parameters: ["networkInPath", "month"],
    notFound: "not_found",
  }),
} as const;
