/**
 * Returns the origin of an endpoint. One origin is one witness, wherever it stands in the list of
 * endpoints.
 * @param label `ORIGIN#POSITION`
 */
export function originOf(label: string): string {
  return label.replace(/#\d+$/, "");
}
