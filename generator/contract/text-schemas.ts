import { z } from "zod";

/** An object of `/badges`. The schema checks its own address and that it is whole. */
export const badgeSchema = z
  .string()
  .regex(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" data-address="\/badges\/[^"]*"[\s\S]*<\/svg>$/,
  )
  .meta({
    description:
      "An SVG image, 20 pixels high: `rugwatch`, and whether the validator ever raised a " +
      "commission.",
  });

/** Of a picture, in pixels. */
export const PICTURE = { width: 800, height: 420 } as const;

/**
 * The schema checks its own address and that it is whole, whether the bytes are read as Latin-1 or as
 * UTF-8.
 */
export const pictureSchema = z
  .string()
  .regex(/^.PNG\r\n[^]*Comment[^"]"\/badges\/[^"]*"[^]*IEND.B`.$/)
  .meta({
    description:
      "A PNG image, 800 by 420 pixels: what each of the newest epochs paid, below the color of the " +
      "verdict.",
  });

/** The page of a validator. The schema checks its own address and that it is whole. */
export const pageSchema = z
  .string()
  .regex(/^<!doctype html>\n<html lang="en" data-address="\/pages\/[^"]*">[\s\S]*<\/html>\n$/)
  .meta({ description: "The page of a validator, complete without scripts." });

/** The sitemap of a network, by https://www.sitemaps.org/protocol.html. */
export const sitemapSchema = z
  .string()
  .regex(
    /^<\?xml version="1\.0" encoding="utf-8"\?>\n<!-- "\/pages\/\w+\/sitemap\.xml" -->\n<urlset [\s\S]*<\/urlset>\n$/,
  )
  .meta({
    description:
      "The pages of all listed validators, each with the time of its newest event before " +
      "today (UTC).",
  });

/** Most addresses of a sitemap, by the same protocol. */
export const SITEMAP_ADDRESSES_MAX = 50_000;
