import { epochDocumentSchema } from "./epoch.ts";
import { openApiSchema } from "./json-schema.ts";
import { ofObject, operation } from "./operation.ts";
import { RUG_RATE } from "./severity.ts";
import { WALLET_ACCOUNTS_MAX, walletDocumentSchema } from "./wallets.ts";

/**
 * Operations on wallets, statistics and the network, in the order of the API reference.
 */
export const NETWORK_OPERATIONS = {
  wallet: operation(
    "Wallets",
    { path: "/api/v1/wallets/{pubkey}", document: walletDocumentSchema, cache: "snapshot" },
    {
      operationId: "getWallet",
      summary: "Stake accounts of a wallet",
      description:
        "Lists the delegated stake accounts that a wallet may withdraw, largest first, in pages; " +
        "`meta.total` and `meta.stake` count all, also of a wallet with more than can be listed " +
        `(${WALLET_ACCOUNTS_MAX.toLocaleString("en")}). The key of a stake account ` +
        "finds that account alone. Rugwatch reads the accounts once an epoch (`meta.epoch`), " +
        "from one endpoint, and leaves out those without a delegation; later changes are not " +
        "in the answer. 404 `wallet_not_found` for any other key, such as a vote account, " +
        "and until the first index is published.",
      parameters: ["pubkey", "network", "page", "walletLimit"],
      notFound: "wallet_not_found",
    },
  ),
  wallets: operation("Wallets", ofObject("wallets"), {
    operationId: "getWalletIndex",
    summary: "State of the wallet index",
    description:
      "Shows the epoch of all answers about wallets, and how many accounts they cover. 404 " +
      "`not_found` until the first index is published.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  rugsPerEpoch: operation("Statistics", ofObject("rugsPerEpoch"), {
    operationId: "getRugsPerEpoch",
    summary: "RUG events by epoch",
    description:
      "Counts RUG events by epoch and source, including epochs without one, oldest first on " +
      "a page. `meta.global` has the totals of all time; `meta.standing` lists the " +
      "validators that still take " +
      `${RUG_RATE} or more after a RUG, however old; \`meta.keeping\` also counts those that always did.`,
    parameters: ["network", "epochsPerPage", "offset"],
  }),
  stakeConcentration: operation("Statistics", ofObject("stakeConcentration"), {
    operationId: "getStakeConcentration",
    summary: "Concentration of stake",
    description:
      "Sums active stake by country, data center, city, autonomous system, validator and " +
      "client, with the Nakamoto coefficient of each: the fewest entities that together hold " +
      "33.33 %. 404 `not_found` while no stake is located.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  epochs: operation("Network", ofObject("epochs"), {
    operationId: "listEpochs",
    summary: "Epochs with their inflation",
    description:
      "Lists every tracked epoch, oldest first: its slots and times, and from what its staking " +
      "rewards are computed. A delegator's yearly yield is about inflationRate × supply / " +
      "activeStake × (1 − commission / 100), with the commission that rewards pay " +
      "(`appliedCommission`), before compounding and for average vote credits.",
    parameters: ["network"],
  }),
  epoch: operation(
    "Network",
    { path: "/api/v1/epoch", document: epochDocumentSchema, cache: "epoch" },
    {
      operationId: "getEpoch",
      summary: "Progress of the epoch",
      description:
        "Reads the progress from the cluster and keeps it for a few seconds. While the " +
        "cluster does not answer, extrapolates it from the last snapshot by the measured " +
        "slot time (`live: false`). 404 `not_found` for a cluster that nobody watches here.",
      parameters: ["network"],
      notFound: "not_found",
    },
  ),
  status: operation("Network", ofObject("status"), {
    operationId: "getStatus",
    summary: "Freshness of the data",
    description:
      "Shows when each source was last read, which changes are not confirmed yet, which " +
      "observations were refused and why, and the operators' rulings. 404 `not_found` until " +
      "something is published for the network.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  sitemap: operation("Network", ofObject("sitemap"), {
    operationId: "getSitemap",
    summary: "Pages of all listed validators",
    description: "A sitemap for search engines, with the time of each validator's newest event.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  openapi: {
    path: "/api/v1/openapi.json",
    tag: "Network",
    operationId: "getOpenApi",
    summary: "This document",
    description:
      "Describes the API in OpenAPI 3.1: generate a client from it, or read it as a reference.",
    parameters: [],
    document: openApiSchema,
    cache: "snapshot",
    errors: ["rate_limited"],
  },
} as const;
