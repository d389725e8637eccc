/**
 * Says how far something long has come, each time another tenth of it is done.
 * @param what is counted, for example `entries folded`
 */
export function createProgress(what: string, say: (line: string) => void) {
  const told = new Map<string, number>();
  return ({ network, folded, total }: { network: string; folded: number; total: number }): void => {
    const tenth = total === 0 ? 10 : Math.floor((folded * 10) / total);
    if ((told.get(network) ?? 0) >= tenth) return;
    told.set(network, tenth);
    say(`${network}: ${folded} of ${total} ${what}`);
  };
}
