/**
 * Parses the address of a read-only store. http is allowed on this machine only.
 * @returns an address with a slash at its end, to which a key can be appended
 * @throws {Error} that never shows the address, which may hold a secret
 */
export function parseHttpsAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error("It must be https://HOST/PATH.");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new Error(
      "https://HOST/PATH must be without user, password, ? and #: what is public needs no secret.",
    );
  }
  if (url.protocol === "http:" && !isThisMachine(url)) {
    throw new Error(
      "http://HOST/PATH must be on this machine (localhost, 127.0.0.1, [::1]): elsewhere it " +
        "must be https.",
    );
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

function isThisMachine({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
