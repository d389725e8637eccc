/** Enter in a search: presses what alone was found; of several, the reader chooses. */
export function chooseResult(results: Iterable<HTMLElement>): void {
  const [first, ...others] = results;
  if (others.length === 0) first?.click();
  else first?.focus();
}
