import "./at-once.ts";
import { describeInterleavings } from "./interleaved-cases.ts";

describeInterleavings({ generators: 2, from: 501, count: 250 });
describeInterleavings({ generators: 3, from: 751, count: 250 });
