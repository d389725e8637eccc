/** Uses what the browser keeps for the site; null where it is forbidden: a choice then lasts as long as the page. */
export function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(localStorage);
  } catch {
    // Forbidden or full.
    return null;
  }
}
