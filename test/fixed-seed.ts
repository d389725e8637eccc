import fc from "fast-check";

/*
 * Properties are tried with the same examples in each run: what is red is so for everybody, until
 * it is mended. Others are looked for on purpose, with FAST_CHECK_SEED set to another whole number.
 */
fc.configureGlobal({ seed: Number(process.env["FAST_CHECK_SEED"] ?? 1) });
