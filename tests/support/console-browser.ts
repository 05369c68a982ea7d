import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { findChromium } from "../../scripts/find-chromium.ts";
import { type ConsoleData, openConsoleServer, visitor } from "./console-server.ts";

/** The console in the Chromium of this machine, beside a registry of its own in which the visitor has signed in. */
export interface ConsoleBrowser extends AsyncDisposable {
  readonly browser: Browser;
  readonly server: Awaited<ReturnType<typeof openConsoleServer>>;
  /** Of the visitor. */
  readonly signedIn: BrowserContext;
  /** Opens a page of the console, for the visitor where no other context is given. */
  open(path: string, context?: BrowserContext): Promise<OpenPage>;
}

/** A page, and what went wrong in it: errors, and requests to another host. */
export interface OpenPage {
  readonly page: Page;
  readonly problems: readonly string[];
  /** The addresses of all requests. */
  readonly requests: readonly string[];
}

/** Starts a registry and a browser, and signs the visitor in. */
export async function openConsoleBrowser(data: ConsoleData = {}): Promise<ConsoleBrowser> {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await openConsoleServer(data));
  const browser = resources.use(
    await chromium.launch({ executablePath: findChromium() ?? "", args: ["--no-sandbox"] }),
  );
  await server.makeVisitor();
  const signedIn = await browser.newContext();
  const page = await signedIn.newPage();
  await page.goto(server.address);
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await giveCredentials(page);
  await page.getByRole("button", { name: visitor.username, exact: true }).waitFor();
  await page.close();
  const owned = resources.move();
  return {
    browser,
    server,
    signedIn,
    open: (path, context = signedIn) => openPage(`${server.address}${path}`, context, server.address),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Fills the page where people sign in. */
export async function giveCredentials(page: Page): Promise<void> {
  await page.getByLabel("User name").fill(visitor.username);
  await page.getByLabel("Password").fill(visitor.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function openPage(url: string, context: BrowserContext, address: string): Promise<OpenPage> {
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("dialog", (dialog) => problems.push(dialog.message()));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(address)) problems.push(request.url());
  });
  await page.goto(url);
  return { page, problems, requests };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core finds in a page, light and dark, that must not be there, and whether the page is wider than its window. */
export async function findBarriers(page: Page): Promise<readonly object[]> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(axe);
  const found: object[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await page.evaluate(findSerious)).map((each) => ({ ...each, colorScheme })));
  }
  const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  return isWide ? [...found, { id: "scrolls sideways" }] : found;
}

/** Runs in the page. */
async function findSerious() {
  const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }));
}

/** The part of axe-core that is used. */
interface Axe {
  run(): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly impact: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}
