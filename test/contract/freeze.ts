/** Freezes what was added to v1: `npm run freeze`. Refuses when something is gone or changed. */
import { currentShape, extendShapeFile, FROZEN_SHAPE_FILE } from "./shape.ts";

const added = await extendShapeFile(FROZEN_SHAPE_FILE, currentShape());
process.stdout.write(added.length === 0 ? "Nothing to add.\n" : `Frozen:\n${added.join("\n")}\n`);
