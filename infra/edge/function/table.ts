import type { EdgeTable } from "../table.ts";

/** The build puts the table in its place. */
declare const EDGE_TABLE: EdgeTable;

/** What the function knows of the API. */
export const table: EdgeTable = EDGE_TABLE;
