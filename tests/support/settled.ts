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

/**
 * Runs in the page: two frames, and then a moment in which nothing else is to be done. A browser beside other work may draw no frame and
 * have no idle moment for long, so each is waited for only a second.
 */
const twoFrames = `new Promise((done) => {
  const idle = () => requestIdleCallback(() => done(), { timeout: 1000 });
  const late = setTimeout(idle, 1000);
  requestAnimationFrame(() => requestAnimationFrame(() => { clearTimeout(late); idle(); }));
})`;

/** Runs in the page: whether a part of it waits for what the registry answers, and not for what a dialog asks. */
const waits = `document.querySelector("[aria-busy=true]") !== null && document.querySelector("[role=dialog]") === null`;

/** For how long a page may load, in milliseconds, before the test fails with what the page waits for. */
const longest = 60_000;

/**
 * Waits until a page has all that it asked for and shows it: no request is under way, and what the last answers made of the page asks for
 * nothing more. Quicker than Playwright's `networkidle`, which waits for half a second without a request. Fails after a minute, with the
 * requests that are still under way.
 */
export async function settled(page: Page): Promise<void> {
  const requests = underWay.get(page);
  if (requests === undefined) throw new Error("the requests of this page are not watched");
  let waitsFor = "its load event or a frame";
  let isLate = false;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    isLate = true;
    const urls = [...requests].map((request) => `${request.method()} ${request.url()}`);
    reject(new Error(`${page.url()} waits for ${waitsFor}; requests under way: ${urls.join(", ") || "none"}`));
  }, longest);
  const settles = async () => {
    await page.waitForLoadState("load");
    for (let quiet = 0; quiet < 2 && !isLate; ) {
      await page.evaluate(twoFrames);
      const isLoading = await page.evaluate(waits);
      quiet = requests.size === 0 && !isLoading ? quiet + 1 : 0;
      if (quiet === 0) waitsFor = isLoading ? "a part that says aria-busy" : "its requests";
    }
  };
  try {
    await Promise.race([settles(), late]);
  } finally {
    clearTimeout(timer);
  }
}
