/**
 * An address from the chain that a link or an image may have; null: none. The generator has checked it already. It is
 * checked again here, where a `javascript:` would do its harm.
 */
export function toWebAddress(text: string | null, schemes: readonly string[] = ["https:", "http:"]): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, href, username, password } = new URL(text);
  return schemes.includes(protocol) && username === "" && password === "" ? href : null;
}
