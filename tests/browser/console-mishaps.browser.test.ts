/** The console when things go wrong around it: sessions that end, other tabs, a slow registry. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleBrowser, giveCredentials, openConsoleBrowser } from "../support/console-browser.ts";
import { visitor } from "../support/console-server.ts";
import { debianImage } from "../support/sample-image.ts";

const image = await debianImage(["zlib1g 1:1.2.13 zlib"]);

let used: ConsoleBrowser;

beforeAll(async () => {
  used = await openConsoleBrowser();
  await used.server.push(image, "app", "1.0");
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

/** A page of a visitor whose session nothing else uses. */
async function openSignedIn(path: string) {
  const context = await used.signIn();
  const { page } = await used.open(path, context);
  return { context, page };
}

describe("a page that is left while something is typed", () => {
  it("is asked for by the browser, and stays as it was", async () => {
    const { context, page } = await openSignedIn("/account?view=tokens");
    const asked = Promise.withResolvers<string>();
    page.once("dialog", async (dialog) => {
      asked.resolve(dialog.type());
      await dialog.dismiss();
    });
    const field = page.getByLabel("Name of the new token");
    await field.pressSequentially("laptop");

    await page.reload({ timeout: 5000 }).catch(() => {}); // it does not go on

    expect(await asked.promise).toBe("beforeunload");
    expect(await field.inputValue()).toBe("laptop");
    await context.close();
  });

  it("is asked for by the console before another page of it is shown, by a link or back, and goes on where that is wanted", async () => {
    const { context, page } = await openSignedIn("/account");
    await page.getByRole("link", { name: "Tokens" }).click();
    const field = page.getByLabel("Name of the new token");
    await field.pressSequentially("laptop");
    const asked: string[] = [];
    let isWanted = false;
    page.on("dialog", async (dialog) => {
      asked.push(dialog.message());
      await (isWanted ? dialog.accept() : dialog.dismiss());
    });

    await page.getByRole("link", { name: "Settings" }).click();
    await page.evaluate("history.back()");
    await expect.poll(() => asked.length).toBe(2);
    expect(await field.inputValue()).toBe("laptop");
    expect(new URL(page.url()).search).toBe("?view=tokens");
    isWanted = true;
    await page.getByRole("link", { name: "Settings" }).click();

    await page.getByRole("textbox", { name: "E-mail address" }).waitFor();
    expect(new Set(asked)).toEqual(new Set([expect.stringContaining("has not been sent")]));
    await context.close();
  });

  it("is not asked for once it was sent", async () => {
    const { context, page } = await openSignedIn("/account?view=tokens");
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => void dialogs.push(dialog.type()));
    await page.getByLabel("Name of the new token").pressSequentially("phone");
    await page.getByRole("button", { name: "Create app token" }).click();
    await page.getByRole("status").locator(".command code").first().waitFor();

    await page.reload();

    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(dialogs).toEqual([]);
    await context.close();
  });
});

describe("a session that ends while something is typed", () => {
  it("is begun again by the password, and the change is made with what was typed", async () => {
    const { context, page } = await openSignedIn("/account?view=tokens");
    await page.getByLabel("Name of the new token").fill("laptop");
    await context.clearCookies();

    await page.getByRole("button", { name: "Create app token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Your session has ended").waitFor();
    await dialog.getByLabel("Password").fill(visitor.password);
    await dialog.getByRole("button", { name: "Continue" }).click();

    await page.getByRole("status").locator(".command code").first().waitFor();
    await context.close();
  });

  it("stays ended where the visitor gives up, and what was typed stays", async () => {
    const { context, page } = await openSignedIn("/account?view=tokens");
    await page.getByLabel("Name of the new token").fill("tablet");
    await context.clearCookies();

    await page.getByRole("button", { name: "Create app token" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

    await page.getByText("The change was not made: no password was entered.").waitFor();
    expect(await page.getByLabel("Name of the new token").inputValue()).toBe("tablet");
    await context.close();
  });

  it("may be begun in another tab", async () => {
    const { context, page } = await openSignedIn("/account?view=tokens");
    await page.getByLabel("Name of the new token").fill("phone");
    await context.clearCookies();
    await page.getByRole("button", { name: "Create app token" }).click();

    const [other] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("dialog").getByRole("link", { name: "in another tab" }).click(),
    ]);
    await giveCredentials(other);
    await other.getByRole("button", { name: visitor.username, exact: true }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();

    await page.getByRole("status").locator(".command code").first().waitFor();
    await context.close();
  });
});

describe("two tabs of which one has signed in anew", () => {
  it("lets the other go on", async () => {
    const { context, page } = await openSignedIn("/account?view=tokens");
    await page.getByLabel("Name of the new token").fill("desk");
    await context.clearCookies();
    const { page: other } = await used.open("/signin?next=/", context);
    await giveCredentials(other);
    await other.getByRole("button", { name: visitor.username, exact: true }).waitFor();

    await page.getByRole("button", { name: "Create app token" }).click();

    await page.getByRole("status").locator(".command code").first().waitFor();
    await context.close();
  });
});

describe("a registry that is slow", () => {
  it("is waited for, and says so", async () => {
    const { page } = await used.open("/account");
    const answered = Promise.withResolvers<void>();
    await page.route("**/api/v1/repository/**", async (route) => {
      await answered.promise;
      await route.continue();
    });

    await page.goto(`${used.server.address}/alice/app`);
    await page.locator("[aria-busy=true]").first().waitFor();
    answered.resolve();

    await page.getByRole("link", { name: "1.0" }).waitFor();
    expect(await page.locator("[aria-busy=true]").count()).toBe(0);
  });
});

describe("a double click", () => {
  it("makes one token, which is shown", async () => {
    const { context, page } = await openSignedIn("/account?view=tokens");
    const requests: string[] = [];
    page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
    await page.getByLabel("Name of the new token").fill("clicked twice");

    await page.getByRole("button", { name: "Create app token" }).dblclick();

    await page.getByRole("status").locator(".command code").first().waitFor();
    expect(requests).toEqual([`${used.server.address}/api/v1/user/apptoken`]);
    await context.close();
  });
});

describe("a registry that does not say who the visitor is", () => {
  it.each(["/account", "/admin", "/alice?view=policies"])("is not waited for without a word: %s", async (path) => {
    const { page } = await used.open("/search");
    const isUser = ({ pathname }: URL) => pathname === "/api/v1/user/";
    await page.route(isUser, (route) => route.fulfill({ status: 503, json: { detail: "The database is down" } }));

    await page.goto(`${used.server.address}${path}`);
    await page.getByRole("alert").getByText("The database is down").waitFor();
    await page.unroute(isUser);
    await page.getByRole("button", { name: "Try again" }).click();

    await page.getByRole("main").locator("[aria-current=page]").first().waitFor();
  });
});

describe("a page that cannot be shown", () => {
  it("says so in its place, and keeps the links to other pages", async () => {
    const { page } = await used.open("/alice");
    await page.getByRole("link", { name: "app", exact: true }).waitFor();
    const isTags = ({ pathname }: URL) => pathname === "/api/v1/repository/alice%2Fapp/tag/";
    await page.route(isTags, (route) => route.fulfill({ json: {} })); // of a registry whose answers are others

    await page.getByRole("link", { name: "app", exact: true }).click();
    await page.getByRole("alert").getByText("This page cannot be shown").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "app", exact: true }).waitFor();
    await page.goForward();
    await page.unroute(isTags);
    await page.getByRole("button", { name: "Try again" }).click();

    await page.getByRole("link", { name: "1.0" }).waitFor();
  });
});

describe("a part of the console that is not loaded yet", () => {
  it.each([
    ["a view", "/alice/app", "Policies", "Pruning"],
    ["the explorer", "/alice/app", "API", "Plimsoll API"],
  ])("is said to be missing, and loaded by another try: %s", async (_what, path, link, content) => {
    const { page } = await used.open(path);
    await page.getByRole("link", { name: "1.0" }).waitFor();
    const isFile = ({ pathname }: URL) => pathname.startsWith("/-/console/");
    await page.route(isFile, (route) => route.fulfill({ status: 404 })); // an updated registry has other files

    await page.getByRole("link", { name: link, exact: true }).click();
    await page.getByRole("alert").getByText("A part of the console cannot be loaded").waitFor();
    await page.unroute(isFile);
    await page.getByRole("button", { name: "Try again" }).click();

    await page.getByText(content).first().waitFor();
  });
});

describe("an address that chooses a view or part that is none", () => {
  it.each([
    ["/alice?view=constructor", "Repositories"],
    ["/alice?view=policies&part=constructor", "Pruning"],
    ["/alice/app?view=toString", "Tags"],
    ["/alice/app?view=policies&part=__proto__", "Pull gate"],
    ["/alice/app:1.0?view=constructor", "Vulnerabilities"],
    ["/account?view=valueOf", "Organizations"],
    ["/admin?view=constructor", "Overview"],
  ])("shows the first: %s", async (path, first) => {
    const { page, problems } = await used.open(path);

    await page.getByRole("main").locator("[aria-current=page]", { hasText: first }).last().waitFor();
    await page.close();
    expect(problems.filter((each) => !each.includes("404"))).toEqual([]); // a repository may have no gate
  });
});
