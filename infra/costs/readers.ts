/**
 * The first page of the site for somebody who never was here, compressed: the most that test/browser/first-page.test.ts
 * lets it be. The page and its files, three documents, and a profile for each of twelve rows.
 */
export const FIRST_PAGE = { bytes: 100_000, requests: 40 };

/** Assumed: how much a month is read. No service can know it before it is there. */
export const READERS = {
  firstPages: 100_000,
  /** By programs. */
  apiRequests: 1_000_000,
  /** Of those requests, and one of each page, so many in a hundred ask for what only the proxy can answer. */
  proxyPercent: 20,
};
