import type { BrowserContext, Request } from "playwright-core";

/** Of an icon that cannot be had. */
export const BROKEN_HOST = "broken.example";
/** One pixel. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`;

/**
 * Whatever no page may cause, collected from all pages of a context: errors, also those of the Content-Security-Policy, which
 * browsers tell the console; script of strangers that opens a dialog; requests to anywhere but the site's own origin. Icons of
 * validators are the one exception, and answered here: only images, over https, without a Referer.
 */
export async function collectComplaints(context: BrowserContext, origin: string): Promise<string[]> {
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(`script: ${error.error().message}`));
  context.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await context.route(
    (url) => url.origin !== origin,
    async (route, request) => {
      if (new URL(request.url()).hostname === BROKEN_HOST) return route.abort();
      if (isIcon(request)) return route.fulfill({ contentType: "image/svg+xml", body: ICON });
      complaints.push(`request: ${request.resourceType()} ${request.url()}`);
      return route.abort();
    },
  );
  return complaints;
}

function isIcon(request: Request): boolean {
  return (
    request.resourceType() === "image" && request.url().startsWith("https://") && !("referer" in request.headers())
  );
}
