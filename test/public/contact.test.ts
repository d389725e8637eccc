import { expect, it } from "vitest";
import { readContact } from "../../public/vite-contact.config.ts";

it.each([
  [{ RUGWATCH_CONTACT: "mailto:me@example.org" }, [null, "mailto:me@example.org"]],
  [{ RUGWATCH_CONTACT: "https://example.org/answer" }, [null, "https://example.org/answer"]],
  [{ RUGWATCH_REPOSITORY_URL: "https://forge.example/r/" }, ["https://forge.example/r", null]],
])("the site is built with a way to answer: %j", (environment, [repositoryUrl, contact]) => {
  expect(readContact(environment)).toEqual({ repositoryUrl, contact });
});

it.each([
  [{}, "Set RUGWATCH_CONTACT"],
  [{ RUGWATCH_CONTACT: "", RUGWATCH_REPOSITORY_URL: "" }, "Set RUGWATCH_CONTACT"],
  [{ RUGWATCH_CONTACT: "me@example.org" }, "RUGWATCH_CONTACT must be"],
  [{ RUGWATCH_CONTACT: "mailto:me" }, "RUGWATCH_CONTACT must be"],
  [{ RUGWATCH_CONTACT: "javascript:alert(1)" }, "RUGWATCH_CONTACT must be"],
  [{ RUGWATCH_CONTACT: "http://example.org" }, "RUGWATCH_CONTACT must be"],
  [{ RUGWATCH_REPOSITORY_URL: "http://forge.example/r" }, "RUGWATCH_REPOSITORY_URL must be"],
])("and not without one: %j", (environment, complaint) => {
  expect(() => readContact(environment)).toThrow(complaint);
});
