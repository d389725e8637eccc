/** What programs are started with beside their settings of compose.yaml: where others are found, and nothing of whoever starts them. */
export function readInherited(environment: Readonly<Record<string, string | undefined>> = process.env): {
  PATH: string;
} {
  return { PATH: environment["PATH"] ?? "" };
}
