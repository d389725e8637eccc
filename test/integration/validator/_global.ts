import type { TestProject } from "vitest/node";
import { hasValidator } from "./validator.ts";

/** Says why nothing runs. */
export function setup(project: TestProject): void {
  if (hasValidator) return;
  project.vitest.logger.warn(
    "No validator, so every test is skipped: RUGWATCH_TEST_VALIDATOR names the program that starts one, see CONTRIBUTING.md.",
  );
}
