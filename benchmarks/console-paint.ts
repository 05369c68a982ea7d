/**
 * Measures pages of the console in Chromium: the time until the first contentful paint and until the main content is shown, and the
 * number of requests and bytes. "Cold" is a browser with an empty cache, "warm" one that has visited the page before. For comparison: a
 * page of one word from a bare `node:http` server, which is the minimum for this browser.
 *
 *     npm run build:console && node --conditions=plimsoll-source benchmarks/console-paint.ts
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg } from "node:os";
import type { BrowserContext, Page } from "playwright";
import { openConsoleBrowser } from "../tests/support/console-browser.ts";
import { debianImage } from "../tests/support/sample-image.ts";
import { percentile } from "./lib/percentile.ts";

const rounds = 15;

/** A page, and an element that shows that its content is loaded. */
interface Subject {
  readonly path: string;
  readonly content: (page: Page) => ReturnType<Page["getByRole"]>;
}

const subjects: readonly Subject[] = [
  { path: "/", content: (page) => page.getByRole("row", { name: /^alice\/app / }) },
  { path: "/alice", content: (page) => page.getByRole("row", { name: /^app / }) },
  { path: "/alice/app", content: (page) => page.getByRole("row", { name: /^1\.0 / }) },
  { path: "/alice/app:1.0", content: (page) => page.getByRole("button", { name: "CVE-2024-1" }) },
  { path: "/admin", content: (page) => page.getByRole("row", { name: /^alice / }) },
];

/** Measurements of one visit to a page. */
interface Visit {
  readonly paintMs: number;
  readonly contentMs: number;
  readonly requests: number;
  readonly bytes: number;
}

await using used = await openConsoleBrowser();
const { browser, server, signedIn } = used;
await server.push(await debianImage(["libssl3 3.0.11-1 openssl", "zlib1g 1:1.2.13 zlib"]), "app", "1.0");
const cookies = await signedIn.storageState();
const word = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<p>Plimsoll</p>"));
await new Promise<void>((resolve) => word.listen(0, "127.0.0.1", resolve));
const wordAddress = `http://127.0.0.1:${(word.address() as AddressInfo).port}/`;
try {
  for (const { path, content } of subjects) {
    const [cold, warm, least]: [Visit[], Visit[], Visit[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      await using context = await browser.newContext({ storageState: cookies });
      cold.push(await visit(context, `${server.address}${path}`, content));
      warm.push(await visit(context, `${server.address}${path}`, content));
      least.push(await visit(context, wordAddress, (page) => page.getByText("Plimsoll")));
    }
    const base = median(least, "paintMs");
    console.log(
      `${path.padEnd(16)} cold ${shown(cold, base)}; warm ${shown(warm, base)}; one word ${base.toFixed(0)} ms`,
    );
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  word.close();
}

/** Opens a page in a new tab and measures the visit. */
async function visit(context: BrowserContext, url: string, content: Subject["content"]): Promise<Visit> {
  const page = await context.newPage();
  await page.goto(url);
  await content(page).first().waitFor();
  const contentMs = await page.evaluate(() => performance.now());
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  const told = await page.evaluate(() => {
    const sizes = (type: "navigation" | "resource") =>
      performance
        .getEntriesByType(type as "resource")
        .map((entry) => (entry as unknown as { readonly transferSize: number }).transferSize);
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN;
    return { paint, sent: [...sizes("navigation"), ...sizes("resource")] };
  });
  await page.close();
  const fetched = told.sent.filter((size) => size > 0); // the others come from the browser's cache
  const bytes = fetched.reduce((sum, size) => sum + size, 0);
  return { paintMs: told.paint, contentMs, requests: fetched.length, bytes };
}

function median(visits: readonly Visit[], member: keyof Visit): number {
  return percentile(
    visits.map((each) => each[member]),
    0.5,
  );
}

function shown(visits: readonly Visit[], base: number): string {
  const paint = median(visits, "paintMs");
  const slowest = percentile(
    visits.map(({ paintMs }) => paintMs),
    0.95,
  );
  const kilobytes = (median(visits, "bytes") / 1000).toFixed(0);
  return `paint ${paint.toFixed(0)} ms (p95 ${slowest.toFixed(0)}, ${(paint / base).toFixed(1)} of one word), content ${median(visits, "contentMs").toFixed(0)} ms, ${median(visits, "requests")} requests, ${kilobytes} kB`;
}
