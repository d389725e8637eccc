/** Under the year that RFC 9116 recommends (section 2.5.5). */
const VALID_DAYS = 360;
const DAY_MILLISECONDS = 24 * 60 * 60_000;

interface SecurityTextOptions {
  /** Address of the repository on GitHub, https, without a slash at its end. */
  repositoryUrl: string;
  /** Without a slash at its end; null: not known. */
  siteUrl: string | null;
  /** When the site was built, in milliseconds since 1970. */
  builtAt: number;
}

/** Says where to report a vulnerability (RFC 9116), as SECURITY.md does. */
export function toSecurityText({ repositoryUrl, siteUrl, builtAt }: SecurityTextOptions): string {
  const lastDay = new Date(builtAt + VALID_DAYS * DAY_MILLISECONDS).toISOString().slice(0, 10);
  const lines = [
    `Contact: ${repositoryUrl}/security/advisories/new`,
    `Expires: ${lastDay}T00:00:00Z`,
    "Preferred-Languages: en",
    `Policy: ${repositoryUrl}/security/policy`,
    ...(siteUrl === null ? [] : [`Canonical: ${siteUrl}/.well-known/security.txt`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
