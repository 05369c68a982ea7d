/** The console in the Chromium of this machine, beside a registry with its scanner: journeys, bad input, and a budget. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, findBarriers, giveCredentials, openConsoleBrowser } from "../support/console-browser.ts";
import { openConsoleServer, visitor } from "../support/console-server.ts";
import { debianImage } from "../support/sample-image.ts";
import { settled } from "../support/settled.ts";

const image = await debianImage(["libssl3 3.0.11-1 openssl", "zlib1g 1:1.2.13 zlib", "<b>odd</b> 1"]);

let used: ConsoleBrowser;
let browser: ConsoleBrowser["browser"];
let server: ConsoleBrowser["server"];

beforeAll(async () => {
  used = await openConsoleBrowser();
  ({ browser, server } = used);
  await server.push(image, "app", "1.0");
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

const open: ConsoleBrowser["open"] = (...given) => used.open(...given);

describe("the first minutes", () => {
  it("makes the first account, says how to push, and shows the image once it is there", async () => {
    await using empty = await openConsoleServer();
    const page = await browser.newPage();
    await page.goto(empty.address);

    await page.getByLabel("User name").fill(visitor.username);
    await page.getByLabel("Password").fill(visitor.password);
    await page.getByRole("button", { name: "Create the first account" }).click();
    await page.getByText("docker login --username alice").waitFor();
    await empty.push(image, "app", "1.0");
    await page.getByRole("link", { name: "alice/app", exact: true }).click();
    await page.getByRole("link", { name: "1.0" }).click();

    await page.getByRole("button", { name: "CVE-2024-1" }).waitFor();
    await page.close();
  });

  it("says what is wrong with the account, and keeps what was typed", async () => {
    await using empty = await openConsoleServer();
    const page = await browser.newPage();
    await page.goto(empty.address);

    await page.getByLabel("User name").fill("Not A Name");
    await page.getByLabel("Password").fill(visitor.password);
    await page.getByRole("button", { name: "Create the first account" }).click();

    expect(await page.getByRole("alert").textContent()).toContain("name");
    expect(await page.getByLabel("User name").inputValue()).toBe("Not A Name");
    await page.close();
  });
});

describe("an image", () => {
  it("shows the most urgent finding first, and what the feeds say of it", async () => {
    const { page, problems } = await open("/alice/app:1.0");

    await page.getByRole("button", { name: "CVE-2024-1" }).click();
    const ids = await page.getByRole("button", { name: /^CVE-/ }).allTextContents();

    expect(ids).toEqual(["CVE-2024-1", "CVE-2024-2", "CVE-2023-9"]);
    expect(await page.getByText("1 finding has a fix, 2 have none").count()).toBe(1);
    await page.getByText("Reported by").waitFor();
    expect(problems).toEqual([]);
  });

  it("keeps filters in the address, on reload and on the way back", async () => {
    const { page } = await open("/alice/app:1.0");

    await page.getByRole("button", { name: "With a fix" }).click();
    await page.getByRole("searchbox", { name: "Filter by id or package" }).fill("2024");
    await page.reload();

    expect(new URL(page.url()).search).toBe("?fixed=yes&find=2024");
    await page.getByRole("button", { name: "CVE-2024-1" }).waitFor();
    expect(await page.getByRole("button", { name: /^CVE-/ }).count()).toBe(1);
    await page.getByRole("link", { name: "Packages" }).click();
    await page.getByRole("rowheader", { name: "zlib1g" }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "CVE-2024-1" }).waitFor();
    expect(await page.getByRole("button", { name: /^CVE-/ }).count()).toBe(1);
  });

  it("is found by its digest, and shows the layers", async () => {
    const { page, problems } = await open(`/alice/app@${image.digest}?view=layers`);

    await page.getByRole("columnheader", { name: "Layer" }).waitFor();

    expect(await page.getByRole("row").count()).toBe(1 + image.layers.length);
    await page.getByText("First pushed", { exact: true }).waitFor();
    await page.locator("dd", { hasText: / by alice$/ }).waitFor();
    expect(problems).toEqual([]);
  });
});

describe("a repository", () => {
  it("deletes a tag and restores it from the history", async () => {
    await server.push(image, "tags", "old");
    await server.push(image, "tags", "new");
    const { page, problems } = await open("/alice/tags");

    await page.getByRole("row", { name: "old" }).getByRole("button", { name: "Delete tag" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete tag" }).click();
    await page.getByRole("link", { name: "old" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Tags", exact: true }).click();

    await page.getByRole("link", { name: "old" }).waitFor();
    expect(problems).toEqual([]);
  });

  it("ends and deletes several chosen tags at once, but none that is immutable", async () => {
    for (const tag of ["1.0", "1.1", "1.2", "2.0"]) await server.push(image, "several", tag);
    const { page, problems } = await open("/alice/several");
    const choose = (name: string) => page.getByRole("checkbox", { name, exact: true });
    const locked = page.getByRole("row", { name: /^2\.0/ });

    await locked.getByRole("button", { name: "Change the expiration of 2.0" }).click();
    await locked.getByRole("button", { name: "Make immutable" }).click();
    await choose("2.0").waitFor({ state: "detached" });
    await choose("All of this page").check();
    await page.getByText("3 chosen").waitFor();
    await page.getByRole("button", { name: "Set expiration" }).click();
    await expect.poll(() => page.getByText(/^(?:next month|in 4 weeks|in \d{2} days)$/).count()).toBe(3);
    await choose("1.2").uncheck();
    await page.getByText("2 chosen").waitFor();
    await page.getByRole("button", { name: "Delete chosen tags" }).click();
    await page
      .getByRole("alertdialog")
      .getByText(/^2 tags will be deleted/)
      .waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete chosen tags" }).click();
    await page.getByRole("alertdialog").waitFor({ state: "detached" });

    const left = await page
      .getByRole("row")
      .filter({ has: page.getByRole("link") })
      .count();
    expect([left, await page.getByText("chosen", { exact: false }).count()]).toEqual([2, 0]);
    expect(problems).toEqual([]);
  });

  it("keeps a tag until a day, or for ever, and lets nothing change it", async () => {
    await server.push(image, "kept", "1.0");
    const { page, problems } = await open("/alice/kept");
    const row = page.getByRole("row", { name: /^1\.0/ });
    const lifetime = row.getByRole("button", { name: "Change the expiration of 1.0" });

    await lifetime.click();
    await row.getByLabel("Last day (UTC)").fill(new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10));
    await row.getByRole("button", { name: "Set expiration" }).click();
    await row.getByText(/^in (2|3) months$/).waitFor();
    await page.reload();
    await lifetime.click();
    await row.getByRole("button", { name: "Keep forever" }).click();
    await row.getByText("never").waitFor();
    await lifetime.click();
    await row.getByRole("button", { name: "Make immutable" }).click();
    await row.getByText("never, immutable").waitFor();
    expect(await row.getByRole("button", { name: "Delete tag" }).count()).toBe(0);
    await lifetime.click();
    await row.getByRole("button", { name: "Allow changes" }).click();

    await row.getByText("never, immutable").waitFor({ state: "detached" });
    await row.getByRole("button", { name: "Delete tag" }).waitFor();
    expect(problems.filter((problem) => !problem.includes("409") && !problem.includes("400"))).toEqual([]);
  });

  it("shows characters that change the direction of text as marks, and what was typed in its field", async () => {
    const description = "see \u202egpj.exe\u202c and \u2066more";
    await callApi(used.signedIn, server.address, ["PUT", "/repository/alice/app", { description }]);
    const { page } = await used.open("/alice/app?view=information");

    await page.getByText("see [U+202E]gpj.exe[U+202C] and [U+2066]more").waitFor();
    await page.getByRole("button", { name: "Edit the description" }).click();

    expect(await page.getByLabel("Description").inputValue()).toBe(description);
    await callApi(used.signedIn, server.address, ["PUT", "/repository/alice/app", { description: "" }]);
    await page.close();
  });

  it("says how its first image is pushed", async () => {
    await callApi(used.signedIn, server.address, [
      "POST",
      "/repository",
      { repository: "bare", visibility: "private", description: "" },
    ]);
    const { page } = await open("/alice/bare");

    await page.getByText(`docker push ${new URL(server.address).host}/alice/bare:1.0`).waitFor();
  });

  it("keeps its description, shown as Markdown without HTML", async () => {
    const { page, problems } = await open("/alice/app?view=information");

    await page.getByRole("button", { name: "Edit the description" }).click();
    await page.getByRole("textbox", { name: "Description" }).fill("<script>alert(1)</script> **the shop**");
    await page.getByRole("button", { name: "Save the description" }).click();

    await page.getByText("<script>alert(1)</script> the shop", { exact: true }).waitFor();
    await page.getByRole("strong").getByText("the shop", { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it("is deleted only by those who type its name", async () => {
    await server.push(image, "gone", "1");
    const { page } = await open("/alice/gone?view=settings");

    await page.getByRole("button", { name: "Delete repository" }).click();
    const dialog = page.getByRole("alertdialog");
    const confirm = dialog.getByRole("button", { name: "Delete repository" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("alice/gone");
    await confirm.click();

    await page.waitForURL(`${server.address}/alice`);
    await page.getByRole("link", { name: "app" }).waitFor();
    expect(await page.getByRole("link", { name: "gone" }).count()).toBe(0);
  });
});

describe("a visitor without an account", () => {
  it("makes one where the registry lets them, and is signed in", async () => {
    await using context = await browser.newContext();
    const { page } = await open("/", context);

    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("User name").fill("Not A Name");
    await page.getByLabel("Password", { exact: false }).fill("sesame-open");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("User name").fill("newcomer");
    await page.getByRole("button", { name: "Create account" }).click();

    await page.getByRole("button", { name: "newcomer", exact: true }).waitFor();
    await page.waitForURL(`${server.address}/`);
  });
});

describe("accounts of programs", () => {
  /** Whether a program signs in with them. */
  const isLetIn = async (username: string, secret: string) => {
    const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString("base64")}`;
    return (await fetch(`${server.address}/v2/auth?service=x`, { headers: { authorization } })).ok;
  };

  it("makes an app token, which works until it is revoked", async () => {
    const { page } = await open("/account?view=tokens");

    await page.getByLabel("Name of the new token").fill("laptop");
    await page.getByRole("button", { name: "Create app token" }).click();
    const secret = (await page.getByRole("status").locator(".command code").first().textContent()) ?? "";
    expect(await isLetIn("$app", secret)).toBe(true);
    await page.getByRole("button", { name: "Revoke token" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
    await page.getByText("You have no app token.").waitFor();

    expect(await isLetIn("$app", secret)).toBe(false);
  });

  it("makes a robot, renews its token, and deletes it", async () => {
    const { page } = await open("/alice?view=robots");
    const secret = page.getByRole("status").locator(".command code").first();

    await page.getByLabel("Name of the new robot").fill("ci");
    await page.getByRole("button", { name: "Create robot" }).click();
    const first = (await secret.textContent()) ?? "";
    expect(await isLetIn("alice+ci", first)).toBe(true);
    const ways = (await page.getByRole("status").locator(".command code").allTextContents()).join("\n");
    for (const way of ["docker login", "podman login", "kubectl create secret docker-registry"])
      expect(ways).toContain(way);
    const names = await page.getByRole("button", { name: /^Copy/ }).evaluateAll((found) => {
      return found.map((button) => (button as { ariaLabel?: string | null }).ariaLabel ?? "");
    });
    expect(names).toEqual([
      ...["Copy the password or token", "Copy docker login", "Copy podman login", "Copy kubectl create secret"],
    ]);
    await page.getByRole("button", { name: "Renew token" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Renew token" }).click();
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    expect(await isLetIn("alice+ci", first)).toBe(false);
    expect(await isLetIn("alice+ci", (await secret.textContent()) ?? "")).toBe(true);
    await page.getByRole("button", { name: "Delete robot" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete robot" }).click();

    await page.getByText("There is no robot yet.").waitFor();
  });

  it("lets a robot sign in with tokens of others, and ends it", async () => {
    const { page, problems } = await open("/alice?view=robots");
    await page.getByLabel("Name of the new robot").fill("federated");
    await page.getByRole("button", { name: "Create robot" }).click();
    await page.getByRole("button", { name: "alice+federated", exact: true }).click();
    const tokens = page.getByRole("region", { name: "Tokens that federated signs in with" });
    await tokens.getByText("It signs in with its own token only.").waitFor();

    for (const subject of ["one", "two"]) {
      await tokens.getByLabel("Issuer").fill("https://ci.example.org");
      await tokens.getByLabel("Subject").fill(subject);
      await tokens.getByRole("button", { name: "Accept tokens" }).click();
      await tokens.getByRole("cell", { name: subject, exact: true }).waitFor();
    }
    for (const subject of ["one", "two"]) {
      await tokens.getByRole("row", { name: subject }).getByRole("button", { name: "Refuse tokens" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Refuse tokens" }).click();
      await tokens.getByRole("cell", { name: subject, exact: true }).waitFor({ state: "detached" });
    }

    await tokens.getByText("It signs in with its own token only.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.getByRole("button", { name: "Delete robot" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete robot" }).click();
    await page.getByText("There is no robot yet.").waitFor();
  });

  it("says why a name is no robot's, and keeps it", async () => {
    const { page } = await open("/alice?view=robots");

    await page.getByLabel("Name of the new robot").fill("Not A Name");
    await page.getByRole("button", { name: "Create robot" }).click();

    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Name of the new robot").inputValue()).toBe("Not A Name");
  });
});

describe("an organization", () => {
  it("is made, gets a team with a member, and tells it in its usage log", async () => {
    const { page, problems } = await open("/account");

    await page.getByLabel("Name of the new organization").fill("acme");
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.getByRole("main").getByRole("link", { name: "acme" }).click();
    await page.getByRole("link", { name: "Teams" }).click();
    await page.getByLabel("Name of the new team").fill("builders");
    await page.getByLabel("Role").selectOption("creator");
    await page.getByRole("button", { name: "Create team" }).click();
    await page.getByRole("button", { name: "builders" }).click();
    await page.getByLabel("User or robot").fill(visitor.username);
    await page.getByRole("button", { name: "Add member" }).click();
    await page.getByRole("region", { name: "Members of builders" }).getByRole("rowheader", { name: "alice" }).waitFor();
    await page.getByRole("link", { name: "Usage log" }).click();

    await page.getByRole("rowheader", { name: "org create team" }).waitFor();
    expect(problems).toEqual([]);
  });

  it("has no member that the registry does not know", async () => {
    const { page } = await open("/acme?view=teams");

    await page.getByRole("button", { name: "owners" }).click();
    await page.getByLabel("User or robot").fill("nobody-here");
    await page.getByRole("button", { name: "Add member" }).click();

    await page.getByRole("alert").waitFor();
  });
});

describe("administration", () => {
  it("makes a user, disables it, and deletes it once its name is typed", async () => {
    const { page, problems } = await open("/admin?view=users");

    await page.getByLabel("Name of the new user").fill("carol");
    await page.getByRole("button", { name: "Create user" }).click();
    await page.getByRole("status").locator("code").waitFor();
    const row = page.getByRole("row", { name: "carol" });
    await row.getByRole("button", { name: "Disable user" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Disable user" }).click();
    await row.getByRole("cell", { name: "Disabled" }).waitFor();
    await row.getByRole("button", { name: "Delete user" }).click();
    await page.getByRole("alertdialog").getByRole("textbox").fill("carol");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete user" }).click();
    await row.waitFor({ state: "detached" });

    expect(problems).toEqual([]);
  });

  it("shows a message to all users until it is deleted", async () => {
    const { page } = await open("/admin?view=messages");
    const elsewhere = await open("/alice");

    await page.getByLabel("New message to all users").fill("Maintenance at <b>noon</b>, [see](https://example.org)");
    await page.getByLabel("Severity").selectOption("Warning");
    await page.getByRole("button", { name: "Show message" }).click();
    await page.getByRole("rowheader", { name: "Maintenance at <b>noon</b>" }).waitFor();
    await elsewhere.page.reload();
    await elsewhere.page.getByText("Maintenance at <b>noon</b>, see", { exact: true }).waitFor();
    expect(await elsewhere.page.getByRole("link", { name: "see", exact: true }).getAttribute("rel")).toContain(
      "noopener",
    );
    expect(await findBarriers(elsewhere.page)).toEqual([]);
    await elsewhere.page.getByRole("button", { name: "Put the message away" }).click();
    await elsewhere.page.getByText("Maintenance").waitFor({ state: "detached" });
    await elsewhere.page.reload();
    await elsewhere.page.getByRole("link", { name: "app", exact: true }).waitFor();
    expect(await elsewhere.page.getByText("Maintenance").count()).toBe(0);
    await page.getByRole("button", { name: "Delete message" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete message" }).click();

    await page.getByText("No message is shown.").waitFor();
  });

  it("lists jobs by state", async () => {
    const { page, problems } = await open("/admin?view=jobs&state=waiting");

    await page.getByRole("rowheader", { name: "registry.collect-expired" }).waitFor();

    expect(problems).toEqual([]);
  });

  it("tries jobs again that failed for good, or deletes them", async () => {
    server.putDeadJob("registry.send-mail", "no such host");
    const { page, problems } = await open("/admin?view=jobs&state=dead");
    const row = page.getByRole("row", { name: /^registry\.send-mail .* no such host/ });

    await row.getByRole("button", { name: "Delete job" }).click();
    await row.waitFor({ state: "detached" });
    server.putDeadJob("registry.collect-expired", "no disk");
    await page.reload();
    await page
      .getByRole("row", { name: /^registry\.collect-expired .* no disk/ })
      .getByRole("button", { name: "Try again" })
      .click();
    await page.getByRole("rowheader", { name: "registry.collect-expired" }).waitFor({ state: "detached" });

    expect(problems).toEqual([]);
  });

  it("does not exist for visitors", async () => {
    await using context = await browser.newContext();
    const { page } = await open("/admin", context);

    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });
});

describe("the explorer", () => {
  it("lists the operations of the registry, and tries them with the visitor's session", async () => {
    const { page, problems } = await open("/explorer");

    await page.getByRole("link", { name: "repository", exact: true }).click();
    expect(await page.locator("[id^=operations-tag-superuser]").count()).toBe(0);
    await page.locator("#operations-repository-listRepos").getByRole("button").first().click();
    await page.getByRole("button", { name: "Try it out" }).click();
    await page.getByRole("button", { name: "Execute" }).click();

    await page.locator(".live-responses-table").getByText('"namespace": "alice"').first().waitFor();
    expect(problems).toEqual([]);
  });
});

describe("bad input", () => {
  it("shows markup in names as text", async () => {
    const { page, problems } = await open("/alice/app:1.0?view=packages");

    await page.getByRole("rowheader", { name: "<b>odd</b>" }).waitFor();

    expect(problems).toEqual([]);
  });

  it.each([
    "/alice/nothing",
    "/nobody/nothing",
    "/alice/app:nothing",
    `/alice/app@sha256:${"0".repeat(64)}`,
    "/alice/app@nonsense",
  ])("says that there is nothing at %s", async (path) => {
    const { page } = await open(path);

    await page.getByRole("alert").waitFor();

    expect(await page.getByRole("alert").textContent()).toMatch(/does not exist|digest/);
  });

  it("asks visitors to sign in where that may help, and comes back after it", async () => {
    await using context = await browser.newContext();
    const { page } = await open("/alice/app:1.0?severity=Low", context);
    await page.getByRole("alert").waitFor();

    await page.getByRole("alert").getByRole("link", { name: "Sign in" }).click();
    await giveCredentials(page);

    await page.getByRole("button", { name: "CVE-2024-2" }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/alice/app:1.0?severity=Low");
  });

  it("says that the registry cannot be reached, and goes on once it can", async () => {
    const { page } = await open("/");
    await page.getByRole("link", { name: "alice/app", exact: true }).waitFor();
    await page.route("**/api/**", (route) => route.abort());

    await page.getByRole("link", { name: "alice/app", exact: true }).click();
    await page.getByText("The registry cannot be reached").waitFor();
    await page.unroute("**/api/**");
    await page.getByRole("button", { name: "Try again" }).click();

    await page.getByRole("link", { name: "1.0" }).waitFor();
  });
});

/** How long tasks of over 50 ms have held the thread of a page in all, beside a fixed piece of work. */
function blockedBesideWork(): number {
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: "longtask" as "mark", buffered: true }); // Node's types do not know those of browsers
  const blockedMs = observer.takeRecords().reduce((sum, { duration }) => sum + duration, 0);
  const work = () => {
    const beganAt = performance.now();
    let sum = 0;
    for (let term = 0; term < 100_000_000; term++) sum = (sum + term) | 0;
    return sum === 1 ? 0 : performance.now() - beganAt;
  };
  return blockedMs / Math.min(work(), work(), work());
}

describe("the budget", () => {
  it("loads the first page with at most 250 KB of compressed files", async () => {
    const { page } = await open("/");
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.includes("/-/console/"))
        .reduce((sum, entry) => sum + (entry as unknown as { readonly encodedBodySize: number }).encodedBodySize, 0),
    );

    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(250_000);
  });

  it("waits before its first paint for the page and what the page names: no file names another one", async () => {
    const document = await (await fetch(server.address, { headers: { accept: "text/html" } })).text();
    const named = [...document.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path = ""]) => path);
    const imports = await Promise.all(
      named.map(async (path) => {
        const text = await (await fetch(`${server.address}${path}`)).text();
        const found = text.matchAll(/(?:^|[;}])(?:import|export)[^"'();]*["'](\.[^"']+\.js)["']/g);
        return [...found].map(([, other = ""]) => new URL(other, `${server.address}${path}`).pathname);
      }),
    );

    expect(named.length).toBeGreaterThan(1);
    expect(named.length).toBeLessThanOrEqual(16);
    expect(imports.flat().length).toBeGreaterThan(named.length);
    expect(imports.flat().filter((path) => !named.includes(path))).toEqual([]);
  });

  it.each([
    ["/", 2],
    ["/alice", 1],
    ["/alice/app", 2],
    [`/alice/app@${image.digest}`, 2],
  ])(
    "asks at %s who the visitor is and what all are told, and %d times for what the page shows, and holds the thread no longer than 100 million additions do",
    async (path, asked) => {
      const ratios: number[] = [];
      while (ratios.length < 5 && !ratios.some((ratio) => ratio < 1)) {
        const { page, requests } = await open(path);
        await settled(page);
        expect(requests.filter((url) => url.includes("/api/v1/")).length).toBeLessThanOrEqual(2 + asked);
        ratios.push(await page.evaluate(blockedBesideWork));
        await page.close();
      }

      expect(Math.min(...ratios)).toBeLessThan(1); // what else runs on the machine disturbs some visits, not all
    },
  );
});
