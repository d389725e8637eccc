import { listEpochEvents, listOfValidator, listUptime } from "./lists.ts";
import type { Network } from "./networks.ts";

/**
 * What is answered where there is no object: an empty document, or an error with
 * this message. An object has one name at most; none is the empty text.
 */
export type Missing = (network: Network, name: string | number) => object | string;

export const unknownValidator = (network: Network, votePubkey: string | number): string =>
  `No validator of ${network} has the vote account ${votePubkey}.`;

export const nothingOfValidator: Missing = (network, votePubkey) =>
  listOfValidator({ network, votePubkey: String(votePubkey) }, []);

export const noUptime: Missing = (network, votePubkey) =>
  listUptime({ network, votePubkey: String(votePubkey) }, []);

export const unknownLocation: Missing = (network, votePubkey) =>
  `No location is known of ${votePubkey} on ${network}.`;

export const emptyFeed: Missing = (network, votePubkey) =>
  `No feed shows ${votePubkey} on ${network}: it has no confirmed event, or no validator has ` +
  `this vote account. /api/v1/validators/${votePubkey}?network=${network} tells which.`;

export const noEpochEvents: Missing = (network, epoch) =>
  listEpochEvents({ network, epoch: Number(epoch) }, []);

export const notExported: Missing = (network, epoch) =>
  `Epoch ${epoch} of ${network} has no export, because it is not tracked or has not closed. ` +
  `/api/v1/exports?network=${network} lists all files.`;

export const nothingClosed: Missing = (network) =>
  `No tracked epoch of ${network} has closed yet, so there are no exports.`;

export const unpublished: Missing = (network) => `This has not been published for ${network} yet.`;
