/** Outlines of the countries: paths in a box, and dots for those too small for an outline. */
export interface World {
  width: number;
  height: number;
  countries: { name: string; path: string }[];
  dots: { name: string; x: number; y: number }[];
}
