import type { BrowserContext, Page, Request } from "playwright";

/** What pages wait for; a page is watched from its first request on. */
const underWay = new WeakMap<Page, Set<Request>>();

/** Watches the requests of all pages of a context, so that {@link settled} knows when they have ended. */
export function watchRequests(context: BrowserContext): void {
  if (watched.has(context)) return;
  watched.add(context);
  context.on("page", (page) => {
    const requests = new Set<Request>();
    underWay.set(page, requests);
    page.on("request", (request) => void requests.add(request));
    page.on("requestfinished", (request) => void requests.delete(request));
    page.on("requestfailed", (request) => void requests.delete(request));
  });
}

const watched = new WeakSet<BrowserContext>();

/** Runs in the page: two frames, and then a moment in which nothing else is to be done. */
const twoFrames = `new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => done()))))`;

/**
 * Waits until a page has all that it asked for and shows it: no request is under way, and what the last answers made of the page asks for
 * nothing more. Quicker than Playwright's `networkidle`, which waits for half a second without a request.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  const requests = underWay.get(page);
  if (requests === undefined) throw new Error("the requests of this page are not watched");
  for (let quiet = 0; quiet < 2; ) {
    await page.evaluate(twoFrames);
    const isLoading = await page.evaluate("document.querySelector('[aria-busy=true]') !== null");
    quiet = requests.size === 0 && !isLoading ? quiet + 1 : 0;
  }
}
