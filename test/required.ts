/**
 * Whether tests that need something outside of the repository can run. With RUGWATCH_REQUIRE_ALL=1, as on GitHub, what
 * is missing is an error, because tests that are skipped show nothing.
 * @param what as an error names it: `nginx`
 * @throws {Error} when it is missing and required
 */
export function isPresent(what: string, found: boolean): boolean {
  if (!found && process.env["RUGWATCH_REQUIRE_ALL"] === "1")
    throw new Error(`${what} is missing, and RUGWATCH_REQUIRE_ALL=1 lets no test be skipped`);
  return found;
}
