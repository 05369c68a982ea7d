/** Every page of the console from a phone to a very wide screen, in the Chromium of this machine, with names as long as they may be: nothing is cut off, and nothing is in the way of those who do not see or point. */
import { text } from "node:stream/consumers";
import { defaultRegistrySettings } from "@plimsoll/registry/settings";
import { buildIndex } from "@plimsoll/testing";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { visitor } from "../support/console-server.ts";
import { debianImage } from "../support/sample-image.ts";
import { settled } from "../support/settled.ts";

const widths = [360, 768, 1024, 1440, 3840] as const;

const { freshLoginSeconds } = defaultRegistrySettings;

/** How few characters of a name a line may have. */
const shortestLine = 12;

const image = await debianImage([
  "libssl3 3.0.11-1 openssl",
  `${"long-".repeat(20)}name 1:1.2.13-4ubuntu5+deb12u14 zlib`,
]);

const long = (start: string, length: number) => start + "-of-many-words".repeat(20).slice(0, length - start.length);
const organization = long("acme", 80);
const repository = long("app", 120);
const tag = long("1.0", 128);

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser();
  const { server } = used;
  for (const each of ["1.0", tag]) await server.push(image, "app", each);
  await server.push(image, repository, tag);
  await server.push(buildIndex([image]), "app", "list");
  server.countPulls("app", [1, 20, 1_000_000]);
  server.putDeadJob("scan-manifest", `layer_too_costly: ${"a reason of many words ".repeat(20)}`);
  await api("POST", "/organization/", { name: organization });
  const own = `/organization/${organization}`;
  await api("PUT", `${own}/team/${long("builders", 80)}`, { role: "creator" });
  const delegate = { kind: "team", name: long("builders", 80) };
  await api("POST", `${own}/prototypes`, { role: "write", delegate });
  await api("PUT", `${own}/robots/${long("ci", 80)}`, { description: "What it is for, in many words. ".repeat(8) });
  await api("POST", `${own}/applications`, { name: "An application whose name is long ".repeat(3).trim() });
  await api("POST", "/superuser/users/", { username: long("bob", 80), email: `${long("bob", 60)}@example.com` });
  await api("PUT", `/repository/alice/app/permissions/user/${long("bob", 80)}`, { role: "read" });
  await api("POST", "/user/apptoken", { title: "The laptop under the desk in the room on the third floor ".repeat(3) });
  await api("PUT", "/repository/alice/app", { description: `# ${"word".repeat(100)}\n\n${"words ".repeat(200)}` });
  const rule = { vulnerability: "CVE-2023-9", reason: "Reasons in many words. ".repeat(30) };
  await api("POST", "/repository/alice/app/ignorerules", { ...rule, expires: new Date(Date.now() + 30 * 86_400_000) });
  const prune = { method: "number_of_tags", value: 10, tagPattern: `^${"v".repeat(100)}$`, tagPatternMatches: true };
  await api("POST", "/repository/alice/app/autoprunepolicy/", prune);
  await api("POST", `/repository/alice/app/manifest/${image.digest}/labels`, {
    ...{ key: `com.example.${"key".repeat(38)}ab`, value: long("value", 300), media_type: "text/plain" },
  });
  await api("POST", "/superuser/users/", reader);
  await api("PUT", "/superuser/users/rita", { password: reader.password });
  await api("PUT", "/repository/alice/app/permissions/user/rita", { role: "read" });
  await vi.waitUntil(() => server.makeNews() > 1, { timeout: 60_000, interval: 500 }); // so that the first page has their long tags
  await api("POST", "/messages", {
    message: { content: `${"Maintenance".repeat(30)} on Saturday`, media_type: "text/markdown", severity: "info" },
  });
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

/** Who may only read `alice/app`. */
const reader = { username: "rita", password: "sesame-open", email: "rita@example.com" } as const;

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

const views = (path: string, names: string) => names.split(" ").map((view) => `${path}?view=${view}`);
const parts = (path: string, names: string) => names.split(" ").map((part) => `${path}&part=${part}`);

const pages: readonly string[] = [
  ...[
    "/",
    "/alice",
    "/alice/app",
    "/alice/app:1.0",
    "/search?q=a",
    "/search?by=license&with=MIT",
    "/cve/CVE-2024-1",
    "/nowhere/at/all",
  ],
  ...[`/alice/app@${image.digest}`, "/alice/app:list", "/explorer", "/explorer?view=scanner"],
  ...[`/${organization}`, `/alice/${repository}`, `/alice/${repository}:${tag}`],
  ...views("/alice", "overview security robots notifications policies logs"),
  ...views(
    `/${organization}`,
    "overview security teams members robots permissions applications notifications policies logs settings",
  ),
  ...views("/alice/app", "history information suppressed permissions notifications policies mirror logs settings"),
  ...views("/alice/app:1.0", "packages layers labels artifacts compare"),
  ...views("/alice/app:list", "platforms labels artifacts"),
  `/alice/app:1.0?view=compare&compare=list`,
  ...parts("/alice?view=policies", "pruning quota"),
  ...parts(`/${organization}?view=policies`, "quota gate immutability cache mirror"),
  ...parts("/alice/app?view=policies", "immutability pruning"),
  "/?view=starred",
  ...views("/account", "organizations tokens applications notices settings"),
  ...views("/admin", "overview users organizations messages keys jobs feeds storage garbage logs settings"),
];

/** What of a page cannot be seen once its times are as long as they get: what sticks out of the window or of a box that hides it. Runs in the page. */
const cutOff = `(() => {
  const found = new Set();
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const time of document.querySelectorAll("time")) time.textContent = "59 minutes ago";
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.add("the page is " + scrollWidth + " pixels wide");
  for (const element of document.querySelectorAll("header *, nav *, main *")) {
    if (element.clientWidth === 0 || element.closest(".swagger-ui, svg, .skip, input")) continue;
    if (element.scrollWidth <= element.clientWidth + 1) continue;
    const { overflowX, textOverflow, clipPath } = getComputedStyle(element);
    if (clipPath === "inset(50%)") continue; // seen by screen readers alone
    const name = element.outerHTML.slice(0, 120);
    if (["hidden", "clip"].includes(overflowX) && textOverflow !== "ellipsis") found.add(name + " hides a part of what it has");
    if (element.matches(".table")) found.add(name + " scrolls");
    if (element.matches("button, select")) found.add(name + " is too narrow for its text");
  }
  for (const name of document.querySelectorAll(".table tbody th")) {
    const text = document.createRange();
    const middles = [];
    for (const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT); walker.nextNode(); ) {
      text.selectNode(walker.currentNode);
      middles.push(...[...text.getClientRects()].map(({ top, bottom }) => (top + bottom) / 2));
    }
    const lines = middles.sort((one, other) => one - other).filter((at, index) => index === 0 || at - middles[index - 1] > 8).length;
    if (lines > Math.max(2, Math.ceil(name.textContent.length / ${shortestLine})))
      found.add(name.outerHTML.slice(0, 200) + " is broken into " + lines + " lines");
  }
  return [...found];
})()`;

/** The title that a cell shows above its value; "none" where the head of the table has it. Runs in the page. */
const titleAbove = (cell: object): string =>
  (globalThis as unknown as { getComputedStyle(of: object, part: string): { content: string } }).getComputedStyle(
    cell,
    "::before",
  ).content;

/** What those see who have not signed in. */
const ofVisitors: readonly string[] = ["/", "/signin", "/account?view=new", "/cve/CVE-2024-1"];

describe("the pages of the console", () => {
  const rows = [
    ...pages.map((path) => ({ path, who: "the visitor" })),
    ...ofVisitors.map((path) => ({ path, who: "those who have not signed in" })),
  ];

  it.each(rows)(
    "show all of $path to $who on every screen, have nothing serious, and ask at most twice for it",
    async ({ path, who }) => {
      const context = who === "the visitor" ? used.signedIn : await used.browser.newContext();
      const { page, requests } = await used.open(path, context);
      await settled(page);
      const asked = requests.filter((url) => /\/api\/v1\/(?!user\/$|messages$)/.test(url)); // those two are asked once a visit

      const found: string[] = [];
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        const hidden = await page.evaluate<readonly string[]>(cutOff);
        found.push(...hidden.map((what) => `${width}: ${what}`));
      }

      expect(found.join("\n")).toBe("");
      expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(2);
      expect(await findBarriers(page)).toEqual([]);
      await (context === used.signedIn ? page : context).close();
    },
  );
});

describe("a table", () => {
  it("has a card for each row where it is narrow, and stays a table for screen readers", async () => {
    const { page } = await used.open("/alice/app");
    await settled(page);
    const table = page.getByRole("table");
    const cell = table.locator("td.number").first();
    const parts = [4, 9, 3, 24]; // rows with the head, titles, names, other cells
    const seen: Record<number, readonly unknown[]> = {};
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const counts = (["row", "columnheader", "rowheader", "cell"] as const).map((role) =>
        table.getByRole(role).count(),
      );
      seen[width] = [await cell.evaluate(titleAbove), ...(await Promise.all(counts))];
    }

    expect(seen).toEqual({ 360: ['"Size" / ""', ...parts], 1440: ["none", ...parts] });
    await page.close();
  });
});

describe("the tags of a repository", () => {
  it("are ordered by the heads of their columns, which the address keeps, and saved with all their pages in that order", async () => {
    const { page } = await used.open("/alice/app");
    await settled(page);
    const head = page.getByRole("columnheader", { name: "Tag", exact: true });
    const names = page.getByRole("rowheader");
    const before = [await names.allInnerTexts(), await head.getAttribute("aria-sort")];

    await head.getByRole("button").click();
    await page.waitForURL(/[?]order=name$/);
    await head.getByRole("button").click();
    await page.waitForURL(/[?]order=-name$/);
    await page.reload();
    await settled(page);
    const after = [await names.allInnerTexts(), await head.getAttribute("aria-sort")];
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    const lines = (await text(await saved.createReadStream())).split("\r\n");

    expect([before, after]).toEqual([
      [["list", tag, "1.0"], null],
      [["list", tag, "1.0"], "descending"],
    ]);
    expect(lines[0]).toBe('"Tag","Digest","Vulnerabilities","Size","Platforms","Changed","Expires"');
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(['"list"', `"${tag}"`, '"1.0"', ""]);
    await page.close();
  });
});

/** Shows another page of the console without loading it anew, as its links do. */
async function goTo(page: Page, path: string) {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
  await settled(page);
}

/** The errors that a page shows, and whether it still waits. */
async function failuresOf(page: Page): Promise<readonly string[]> {
  const waits = await page.locator("[aria-busy=true]").count();
  return [...(await page.locator("main .failure").allInnerTexts()), ...(waits > 0 ? ["waits"] : [])];
}

describe("every page of the console", () => {
  it("asks for the password where it is needed again, and then shows all", async () => {
    const { page } = await used.open("/search", await used.signIn());
    const found: Record<string, readonly string[]> = {};
    let questions = 0;
    for (const path of pages) {
      used.server.pass(freshLoginSeconds + 1);
      await goTo(page, path);
      const dialog = page.getByRole("dialog");
      if ((await dialog.count()) > 0) {
        questions += 1;
        await dialog.getByLabel("Password").fill(visitor.password);
        await dialog.getByRole("button", { name: "Continue" }).click();
        await dialog.waitFor({ state: "detached" });
        await settled(page);
      }
      const failures = await failuresOf(page);
      if (failures.length > 0) found[path] = failures;
    }

    expect(found).toEqual({ "/nowhere/at/all": [expect.stringContaining("This does not exist")] });
    expect(questions).toBeGreaterThan(4);
    await page.context().close();
  });

  it("says that it cannot be fetched where there is no network, and is shown when there is one again", async () => {
    const { page } = await used.open("/search", await used.signIn());
    const found: Record<string, readonly string[]> = {};
    await page.context().setOffline(true);
    for (const path of pages) {
      await goTo(page, path);
      const failures = await failuresOf(page);
      if (failures.some((text) => !/cannot be (reached|loaded)/.test(text))) found[path] = failures;
    }
    await goTo(page, "/alice/app");
    const offline = await failuresOf(page);
    await page.context().setOffline(false);
    await page.getByRole("link", { name: "1.0", exact: true }).waitFor();

    expect(found).toEqual({});
    expect(offline).toEqual([expect.stringContaining("cannot be reached")]);
    await page.context().close();
  });

  it.each(["a reader", "an anonymous visitor"])("says to %s what may not be seen", async (who) => {
    const context = who === "a reader" ? await used.signIn(reader) : await used.browser.newContext();
    const { page, problems } = await used.open("/search", context);
    const found: Record<string, readonly string[]> = {};
    for (const path of pages) {
      await goTo(page, path);
      const failures = (await failuresOf(page)).filter(
        (text) => !/does not exist|may not see|Sign in: your account may have access/.test(text),
      );
      if (failures.length > 0 || (await page.getByRole("dialog").count()) > 0) found[path] = failures;
    }

    expect(found).toEqual({});
    expect(problems.filter((each) => !/status of 40[134]/.test(each))).toEqual([]);
    await context.close();
  });
});
