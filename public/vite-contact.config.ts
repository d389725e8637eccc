import { parseSiteUrl } from "../generator/contract/site-url.ts";

/**
 * Where a validator's operator answers an accusation, and anybody reports a vulnerability. One of
 * the two is never null.
 */
export interface Contact {
  /** With a form for wrong accusations; https, without a slash at its end. */
  repositoryUrl: string | null;
  /** A page over https, or `mailto:` with an address. */
  contact: string | null;
}

/**
 * Nobody is accused without a way to answer, so that a site without one is not built.
 * @throws {RangeError} neither is named, or one is malformed
 */
export function readContact(environment: Readonly<Record<string, string | undefined>>): Contact {
  const { RUGWATCH_REPOSITORY_URL: repository = "", RUGWATCH_CONTACT: text = "" } = environment;
  const repositoryUrl = parseSiteUrl(repository);
  if (repository !== "" && repositoryUrl?.startsWith("https:") !== true)
    throw new RangeError("RUGWATCH_REPOSITORY_URL must be the https address of your repository.");
  if (text !== "" && !isContact(text))
    throw new RangeError(
      "RUGWATCH_CONTACT must be mailto: with an address, or the https address of a page.",
    );
  if (repositoryUrl === null && text === "")
    throw new RangeError(
      "Set RUGWATCH_CONTACT, for example to mailto:you@example.org, or RUGWATCH_REPOSITORY_URL: " +
        "where does the operator of a validator answer an accusation?",
    );
  return { repositoryUrl, contact: text === "" ? null : text };
}

function isContact(text: string): boolean {
  return parseSiteUrl(text)?.startsWith("https:") ?? /^mailto:[^\s@?&]+@[^\s@?&]+$/.test(text);
}
