import { loadS3Client, type S3Client, type S3Settings } from "./client.ts";
import { codeOf, statusOf } from "./errors.ts";

/** The one client of a store, there when it is first needed. */
export interface Connection {
  client: () => Promise<S3Client>;
  /** Takes note of what went wrong with a request: where it may help, the next one has a new client. */
  heed: (error: unknown) => void;
}

/** What is said of credentials that are not, not yet, or no longer the right ones. */
const REFUSALS = {
  statuses: new Set([401, 403]),
  codes: new Set(["CredentialsProviderError", "ExpiredToken", "InvalidToken", "TokenRefreshRequired"]),
};

/**
 * Connects to S3 with the first request. The SDK renews credentials that say when they expire. Others, such as keys in a
 * file, it keeps for ever: after a refusal they are looked for anew, so that who replaces the file need not restart us.
 */
export function createConnection(settings: S3Settings): Connection {
  let loading: Promise<S3Client> | undefined;
  return {
    async client() {
      loading ??= loadS3Client(settings);
      try {
        return await loading;
      } catch (error) {
        // A profile's file that was being written just then.
        loading = undefined;
        throw error;
      }
    },
    heed(error) {
      if (REFUSALS.statuses.has(statusOf(error) ?? 0) || REFUSALS.codes.has(codeOf(error))) loading = undefined;
    },
  };
}
