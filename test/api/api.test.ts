import { afterAll, beforeAll, describe, expect } from "vitest";
import { openApi, type Api } from "./_api.ts";
import { describeDocuments } from "./documents.ts";
import { describeOperations } from "./operations.ts";

// The API over the documents of three simulated clusters, which are played once; the files beside this one say what it must
// answer.

describe("the API", () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi();
  });
  afterAll(async () => {
    await api.close();
    expect(api.bugs).toEqual([]);
  });

  describeOperations(() => api);
  describeDocuments(() => api);
});
