import type { z } from "zod";
import type { epochDocumentSchema } from "../../generator/contract/epoch.ts";
import type { Network } from "../../generator/contract/networks.ts";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import type { searchDocumentSchema } from "../../generator/contract/search.ts";
import type { WalletDocument } from "../../generator/contract/wallets.ts";
import { toAddress } from "../format/url.ts";

export interface DocumentAddress<Document> {
  url: string;
  /** null: a document without network, data and meta. */
  network: Network | null;
  /** Never set; carries the type. */
  readonly holds?: Document;
}

type Parameters = Readonly<Record<string, string | number | null>>;

/**
 * Five days of mainnet. All pages share this answer:
 * ten epochs with all repeats are four times as large.
 */
export const NEWEST = { epochs: 5, collapse: "true" } as const;

export const documents = {
  epoch: (network: Network) => at<z.infer<typeof epochDocumentSchema>>("epoch", network),
  events: (network: Network, parameters: { epochs?: number; collapse?: "true" } = {}) =>
    at<DocumentOf<"events">>("events", network, parameters),
  rugsPerEpoch: (network: Network, parameters: { epochs?: number; offset?: number } = {}) =>
    at<DocumentOf<"rugsPerEpoch">>("stats/rugs-per-epoch", network, parameters),
  epochs: (network: Network) => at<DocumentOf<"epochs">>("epochs", network),
  epochEvents: (network: Network, epoch: number) =>
    at<DocumentOf<"epochEvents">>(`epochs/${epoch}/events`, network),
  validators: (
    network: Network,
    parameters: { page?: number; limit?: number; votePubkeys?: string } = {},
  ) => at<DocumentOf<"validators">>("validators", network, parameters),
  validator: (network: Network, votePubkey: string) =>
    at<DocumentOf<"validator">>(`validators/${encodeURIComponent(votePubkey)}`, network),
  validatorEvents: (network: Network, votePubkey: string) =>
    at<DocumentOf<"validatorEvents">>(
      `validators/${encodeURIComponent(votePubkey)}/events`,
      network,
    ),
  validatorTransactions: (network: Network, votePubkey: string) =>
    at<DocumentOf<"validatorTransactions">>(
      `validators/${encodeURIComponent(votePubkey)}/transactions`,
      network,
    ),
  commissionHistory: (network: Network, votePubkey: string) =>
    at<DocumentOf<"commissionHistory">>(
      `validators/${encodeURIComponent(votePubkey)}/commission-history`,
      network,
    ),
  stakeHistory: (network: Network, votePubkey: string) =>
    at<DocumentOf<"stakeHistory">>(
      `validators/${encodeURIComponent(votePubkey)}/stake-history`,
      network,
    ),
  uptime: (network: Network, votePubkey: string, parameters: { days?: number } = {}) =>
    at<DocumentOf<"uptime">>(
      `validators/${encodeURIComponent(votePubkey)}/uptime`,
      network,
      parameters,
    ),
  location: (network: Network, votePubkey: string) =>
    at<DocumentOf<"location">>(`validators/${encodeURIComponent(votePubkey)}/location`, network),
  stakeConcentration: (network: Network) =>
    at<DocumentOf<"stakeConcentration">>("stats/stake-concentration", network),
  search: (network: Network, q: string) =>
    at<z.infer<typeof searchDocumentSchema>>("search", network, { q }),
  wallet: (network: Network, pubkey: string) =>
    at<WalletDocument>(`wallets/${encodeURIComponent(pubkey)}`, network),
  status: (network: Network) => at<DocumentOf<"status">>("status", network),
  exports: (network: Network) => at<DocumentOf<"exports">>("exports", network),
  description: (): DocumentAddress<object> => ({ url: "/api/v1/openapi.json", network: null }),
};

function at<Document>(
  path: string,
  network: Network,
  parameters: Parameters = {},
): DocumentAddress<Document> {
  return { url: toAddress(`/api/v1/${path}`, { ...parameters, network }), network };
}
