import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { inject } from "vitest";
import { callApi } from "./console-api.ts";
import { type ConsoleData, openConsoleServer, visitor } from "./console-server.ts";
import { settled, watchRequests } from "./settled.ts";

/** The console in the Chromium of this machine, beside a registry of its own in which the visitor has signed in. */
export interface ConsoleBrowser extends AsyncDisposable {
  readonly browser: Browser;
  readonly server: Awaited<ReturnType<typeof openConsoleServer>>;
  /** Of the visitor. */
  readonly signedIn: BrowserContext;
  /** Opens a page of the console, for the visitor where no other context is given. */
  open(path: string, context?: BrowserContext): Promise<OpenPage>;
  /** A context of its own in which a user has signed in, the visitor where none is named: what happens to its session happens to no other. */
  signIn(credentials?: Credentials): Promise<BrowserContext>;
}

type Credentials = Readonly<Record<"username" | "password", string>>;

/** The Chromium of the run. What is opened in it is closed with this connection. */
export function connectChromium(): Promise<Browser> {
  return chromium.connect(inject("chromium"));
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
  const browser = resources.use(await connectChromium());
  await server.makeVisitor();
  const signIn: ConsoleBrowser["signIn"] = async (credentials = visitor) => {
    const context = await browser.newContext();
    await callApi(context, server.address, ["POST", "/signin", credentials]);
    return context;
  };
  const signedIn = await signIn();
  const owned = resources.move();
  return {
    browser,
    server,
    signedIn,
    signIn,
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
  watchRequests(context);
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

/** A phone, a tablet and a desk: how wide a page is when it is looked at for barriers. */
const widths = [360, 768, 1440] as const;

/**
 * What axe-core finds in a page that must not be there, at three widths, light and dark, and whether the page is wider than its window.
 * One page is enough for all of them: loading it takes longer than looking at it.
 */
export async function findBarriers(page: Page): Promise<readonly object[]> {
  await settled(page);
  await page.evaluate(axe);
  const found: object[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page); // what follows the width, such as whether a table scrolls
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      found.push(...(await page.evaluate(findSerious)).map((each) => ({ ...each, colorScheme, width })));
    }
    if (await page.evaluate("document.documentElement.scrollWidth > innerWidth"))
      found.push({ id: "scrolls sideways", width });
  }
  return found;
}

/** Runs in the page. Swagger UI has a button in a button for each operation, which is its own to mend. */
async function findSerious() {
  const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => {
      return { id, at: nodes.map(({ html }) => html).filter((html) => !html.includes("opblock-summary-control")) };
    })
    .filter(({ at }) => at.length > 0);
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
