/** Uses localStorage; null where the browser forbids it or it is full: a choice then lasts as long as the page. */
export function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(localStorage);
  } catch {
    // See above.
    return null;
  }
}
