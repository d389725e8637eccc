import { listEpochEvents, listEpochs, listOfValidator, listUptime } from "./lists.ts";
import type { Network } from "./networks.ts";

/**
 * Makes what is answered while an object does not exist: an empty document, or the message of an
 * error. `name` is the validator or epoch of the object; the empty text if it has none.
 */
export type Missing = (network: Network, name: string | number) => object | string;

/** Message of `validator_not_found`. */
export const unknownValidator = (network: Network, votePubkey: string | number): string =>
  `No validator of ${network} has the vote account ${votePubkey}.`;

/**
 * An empty list with the requested vote account in `meta`, for known and unknown validators alike.
 */
export const nothingOfValidator: Missing = (network, votePubkey) =>
  listOfValidator({ network, votePubkey: String(votePubkey) }, []);

/** The uptime of an unknown vote account: no days, 0 percent. */
export const noUptime: Missing = (network, votePubkey) =>
  listUptime({ network, votePubkey: String(votePubkey) }, [], { known: false });

/** Message of `location_not_found`. */
export const unknownLocation: Missing = (network, votePubkey) =>
  `No location is known of ${votePubkey} on ${network}.`;

/** Message of the feed of a vote account that nobody has. */
export const unknownFeed: Missing = (network, votePubkey) =>
  `No feed shows ${votePubkey} on ${network}: we never saw a validator with this vote account.`;

/** An empty list of an epoch's RUG events, for any epoch without one. */
export const noEpochEvents: Missing = (network, epoch) =>
  listEpochEvents({ network, epoch: Number(epoch) }, []);

/** An empty list of epochs. */
export const noEpochs: Missing = (network) => listEpochs({ network }, []);

/** Message of an export of an epoch that is not tracked or still open. */
export const notExported: Missing = (network, epoch) =>
  `Epoch ${epoch} of ${network} has no export, because it is not tracked or has not closed. ` +
  `/api/v1/exports?network=${network} lists all files.`;

/** Message of an export of a month without a check. */
export const noExportOfMonth: Missing = (network, month) =>
  `No check of ${network} is known in ${month}. ` +
  `/api/v1/exports?network=${network} lists all files.`;

/** Message of the exports of all epochs, before any tracked epoch has closed. */
export const nothingClosed: Missing = (network) =>
  `No tracked epoch of ${network} has closed yet, so there are no exports.`;

/** Message of an object that the first publication will make. */
export const unpublished: Missing = (network) => `This has not been published for ${network} yet.`;
