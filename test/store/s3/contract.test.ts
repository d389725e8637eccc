import { describeStore } from "../contract.ts";
import { startMisbehavingS3, type MisbehavingS3 } from "./misbehaving.ts";
import { open } from "./setup.ts";

describeStore("S3", async () => {
  const server = await startMisbehavingS3();
  return { store: open(server), dispose: server.stop };
});

describeStore(
  "S3 of a whole bucket, in small pages and with ETags spelt otherwise in answers to HEAD and PUT,",
  async () => {
    const decide: MisbehavingS3["decide"] = ({ operation }) =>
      operation === "head" || operation === "put" ? { kind: "bare-etag" } : null;
    const server = await startMisbehavingS3({ pageKeysMax: 7, decide });
    return { store: open(server, {}, "s3://bucket"), dispose: server.stop };
  },
);
