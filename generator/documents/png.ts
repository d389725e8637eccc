import { constants, crc32, deflateSync } from "node:zlib";

/** An image of at most 16 colours, as the lines of a PNG hold it. */
export interface Raster {
  /** In pixels, even. */
  width: number;
  height: number;
  /** "#rrggbb" each. */
  palette: readonly string[];
  /** Of each row its filter, none, and then two pixels a byte. */
  lines: Uint8Array;
}

/** A raster in the first colour of its palette. */
export function createRaster(size: Pick<Raster, "width" | "height" | "palette">): Raster {
  return { ...size, lines: new Uint8Array(toRowBytes(size) * size.height) };
}

function toRowBytes({ width }: Pick<Raster, "width">): number {
  return 1 + width / 2;
}

/** In pixels; right and bottom are the first outside. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Fills what of a box lies in the raster, from left and right rounded to two pixels.
 * @param color index in the palette
 */
export function fill(raster: Raster, { left, top, right, bottom }: Box, color: number): void {
  const { width, height, lines } = raster;
  const rowBytes = toRowBytes(raster);
  const from = 1 + toWithin(left / 2, width / 2);
  const to = 1 + toWithin(right / 2, width / 2);
  for (let y = toWithin(top, height); y < toWithin(bottom, height); y += 1)
    lines.fill(color * 0x11, y * rowBytes + from, y * rowBytes + to);
}

function toWithin(value: number, most: number): number {
  return Math.min(most, Math.max(0, Math.round(value)));
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const BIT_DEPTH = 4;
const INDEXED_COLOR = 3;

/**
 * A PNG (https://www.w3.org/TR/png-3/).
 * @param comment Latin-1 text that it carries
 */
export function toPng({ width, height, palette, lines }: Raster, comment: string): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BIT_DEPTH, INDEXED_COLOR], 8);
  return Buffer.concat([
    SIGNATURE,
    toChunk("IHDR", header),
    toChunk("PLTE", Buffer.from(palette.map((color) => color.slice(1)).join(""), "hex")),
    toChunk("tEXt", Buffer.from(`Comment\0${comment}`, "latin1")),
    // A thousand are drawn when an epoch begins: the default level takes five times as long.
    toChunk("IDAT", deflateSync(lines, { level: constants.Z_BEST_SPEED })),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, data: Uint8Array): Uint8Array {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const checked = Buffer.concat([Buffer.from(type, "latin1"), data]);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, checksum]);
}
