import { ofObject, operation } from "./operation.ts";
import { RAW_TRANSACTIONS_MAX } from "./raw-transaction.ts";
import { searchDocumentSchema } from "./search.ts";

/** Operations on validators, in the order of the API reference. */
export const VALIDATOR_OPERATIONS = {
  validators: operation("Validators", ofObject("validators"), {
    operationId: "listValidators",
    summary: "Validators by active stake",
    description:
      "Lists the validators of the last snapshot, largest active stake first, page by page. " +
      "`meta.totalPages` is the number of pages. Pages with the same `meta.listVersion` form " +
      "one list: if it changes, start over. The parameters below filter the list and order it.",
    parameters: [
      "network",
      "page",
      "limit",
      "votePubkeys",
      "verdict",
      "delinquent",
      "commissionMin",
      "commissionMax",
      "order",
      "dir",
    ],
  }),
  search: operation(
    "Validators",
    { path: "/api/v1/search", document: searchDocumentSchema, cache: "snapshot" },
    {
      operationId: "searchValidators",
      summary: "Validators by name or key",
      description:
        "Finds at most 20 validators: exact matches first, then names and keys that begin " +
        "with the text, then those that contain it; ties by rank. Validators that left the " +
        "network come last.",
      parameters: ["q", "network"],
    },
  ),
  validator: operation("Validators", ofObject("validator"), {
    operationId: "getValidator",
    summary: "Profile of a validator",
    description:
      "Shows one validator: its row of the list, MEV commission, performance, and the " +
      "commission that rewards pay now. A validator that left the network keeps its profile, " +
      "with `listed: false` and its last `rank`. An unknown vote account is 404 " +
      "`validator_not_found`.",
    parameters: ["votePubkey", "network"],
    notFound: "validator_not_found",
  }),
  validatorTransactions: operation("Validators", ofObject("validatorTransactions"), {
    operationId: "listValidatorTransactions",
    summary: "Transactions that set a validator's commission, as bytes",
    description:
      `Lists the newest ${RAW_TRANSACTIONS_MAX} transactions that set the inflation commission ` +
      "of a validator, newest first, each with its bytes: verify the signatures yourself. " +
      "Empty for an unknown vote account.",
    parameters: ["votePubkey", "network"],
  }),
  commissionHistory: operation("Validators", ofObject("commissionHistory"), {
    operationId: "getCommissionHistory",
    summary: "Commissions of a validator by epoch",
    description:
      "Lists, for every epoch without gaps, oldest first: the inflation and MEV commission " +
      "announced at its end (running epoch: now), and the commission that its rewards pay. " +
      "Empty for an unknown vote account.",
    parameters: ["votePubkey", "network"],
  }),
  stakeHistory: operation("Validators", ofObject("stakeHistory"), {
    operationId: "getStakeHistory",
    summary: "Stake of a validator by epoch",
    description:
      "Lists active stake and rank at the first observation of each epoch, oldest first. " +
      "Empty for an unknown vote account.",
    parameters: ["votePubkey", "network"],
  }),
  uptime: operation("Validators", ofObject("uptime"), {
    operationId: "getUptime",
    summary: "Uptime of a validator by day",
    description:
      "Counts the checks (one a minute) of each UTC day, oldest first; today up to the last " +
      "full hour. Minutes with more than a third of the stake delinquent are outages of the " +
      "cluster and do not count.",
    parameters: ["votePubkey", "network", "days"],
  }),
  location: operation("Validators", ofObject("location"), {
    operationId: "getLocation",
    summary: "Location of a validator",
    description:
      "Shows where its node is now, and its latest 50 moves, newest first. 404 " +
      "`location_not_found` while no location is known.",
    parameters: ["votePubkey", "network"],
    notFound: "location_not_found",
  }),
  badge: operation("Validators", ofObject("badge"), {
    operationId: "getBadge",
    summary: "Badge of a validator",
    description:
      "Draws an SVG badge for a web page or README, 20 pixels high and as wide as its text: " +
      "the level of the profile's `verdict` and its first reason in a few words, as in “bad " +
      "· rug in epoch N” (red), “caution · takes 50 %” (amber), “good · no rise in 30 " +
      "epochs” (green) or “not known yet” (gray). It changes when the verdict does. Link it " +
      "to `/validators/{votePubkey}?network=…`. 404 `not_found` for an unknown vote account.",
    parameters: ["networkInPath", "votePubkey"],
    notFound: "not_found",
  }),
  picture: operation("Validators", ofObject("picture"), {
    operationId: "getPicture",
    summary: "Picture of a validator",
    description:
      "A PNG of 800 by 420 pixels for previews of links (`og:image`): `appliedCommissions` from 0 " +
      "to 100 %, filled. The band above has the color of the verdict, as in the badge. It has no " +
      "text. 404 `not_found` for an unknown vote account.",
    parameters: ["networkInPath", "votePubkey"],
    notFound: "not_found",
  }),
} as const;
