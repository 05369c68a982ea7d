/** Applications in the console, in the Chromium of this machine: tokens are ticked, reviewed, authorized, used and ended. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";

let used: ConsoleBrowser;
/** The client id of an application that was made before. */
let client: string;

beforeAll(async () => {
  used = await openConsoleBrowser();
  await api("POST", "/organization/", { name: "acme" });
  await api("POST", "/repository", { repository: "app", namespace: "acme", visibility: "private", description: "" });
  const redirect_uri = `${used.server.address}/oauth/localapp`;
  const made = await api("POST", "/organization/acme/applications", { name: "Shop <b>1</b>", redirect_uri });
  client = (made as { readonly client_id: string }).client_id;
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

/** What the registry answers to a program with a token. */
async function statusWith(token: string, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${used.server.address}/api/v1${path}`, { headers })).status;
}

describe("the applications of an organization", () => {
  it("get a token by ticks, a review and a confirmation; it is shown once, works as far as was ticked, and is revoked", async () => {
    const { page, problems } = await used.open("/acme?view=applications");

    await page.getByLabel("Name of the application").fill("Deploys");
    await page.getByLabel("Homepage (optional)").fill("https://deploys.example");
    await page.getByRole("button", { name: "Create application" }).click();
    await page.getByLabel("Name of the token").fill("pipeline");
    await page.getByLabel("View all visible repositories").check();
    await page.getByLabel("Read User Information").check();
    await page.getByRole("button", { name: "Generate access token" }).click();
    await page.getByText("lets the holder of Deploys act as alice").waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "See and pull" }).count()).toBe(1);
    await page.getByRole("button", { name: "Back" }).click();
    expect(await page.getByLabel("Read User Information").isChecked()).toBe(true);
    await page.getByLabel("Read User Information").uncheck();
    await page.getByRole("button", { name: "Generate access token" }).click();
    await page.getByRole("button", { name: "Authorize" }).click();
    const token = (await page.getByRole("status").locator(".command code").first().textContent()) ?? "";

    expect(await statusWith(token, "/repository/acme/app")).toBe(200);
    expect(await statusWith(token, "/user/robots")).toBe(403);
    await page.getByRole("row", { name: "pipeline View all visible repositories alice" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Revoke token" }).waitFor();
    expect(await page.getByText(token).count()).toBe(0);
    await page.getByRole("button", { name: "Revoke token" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
    await page.getByText("The application has no token.").waitFor();
    expect(await statusWith(token, "/repository/acme/app")).toBe(401);
    expect(problems).toEqual([]);
  });

  it("want at least one tick for a token, and warn where it can change accounts", async () => {
    const { page } = await used.open(`/acme?view=applications&application=${client}`);

    await page.getByLabel("Name of the token").fill("wide");
    await page.getByRole("button", { name: "Generate access token" }).click();
    await page.getByText("Select at least one scope").waitFor();
    await page.getByLabel("Administer User").check();
    await page.getByRole("button", { name: "Generate access token" }).click();

    await page.getByText("This can change accounts, organizations or the registry.").waitFor();
  });

  it("are changed, get another secret, and are deleted", async () => {
    const { client_id: id } = (await api("POST", "/organization/acme/applications", { name: "Old" })) as {
      readonly client_id: string;
    };
    const { page, problems } = await used.open(`/acme?view=applications&application=${id}`);
    const details = page.getByRole("region", { name: "Details of" });

    await details.getByLabel("Name of the application").fill("New");
    await details.getByRole("button", { name: "Save application" }).click();
    await page.getByRole("button", { name: "New", exact: true }).waitFor();
    await details.getByText("Show the client secret").click();
    const secret = (await details.locator("details code").textContent()) ?? "";
    await details.getByRole("button", { name: "Create a new secret" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Create a new secret" }).click();
    await expect.poll(() => details.locator("details code").textContent()).not.toBe(secret);
    expect(await findBarriers(page)).toEqual([]);
    const row = page.getByRole("row").filter({ has: page.getByRole("button", { name: "New", exact: true }) });
    await row.getByRole("button", { name: "Delete application" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete application" }).click();

    await row.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });
});

describe("the page that asks whether an application may act for a user", () => {
  const asked = () =>
    `/oauth/authorize?${new URLSearchParams({
      client_id: client,
      redirect_uri: `${used.server.address}/oauth/localapp`,
      response_type: "token",
      scope: "repo:read user:admin",
    })}`;

  it("looks like the console and has nothing serious", async () => {
    const { page } = await used.open(asked());
    await page.getByRole("button", { name: "Allow" }).waitFor();
    const accent = await page.evaluate('getComputedStyle(document.querySelector(".choice button")).backgroundColor');

    expect(accent).toBe("rgb(26, 96, 121)");
    expect(await findBarriers(page)).toEqual([]);
  });

  it("shows the token once it is allowed, and the account lists it until it is ended", async () => {
    const { page } = await used.open(asked());

    await page.getByRole("button", { name: "Allow" }).click();
    const token = (await page.locator("#token").textContent()) ?? "";
    expect(await statusWith(token, "/user/")).toBe(200);
    await page.goto(`${used.server.address}/account?view=applications`);
    const row = page.getByRole("row", { name: "Shop <b>1</b> acme" });
    await row.getByRole("button", { name: "End access" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "End access" }).click();

    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await row.waitFor({ state: "detached" });
    expect(await statusWith(token, "/user/")).toBe(401);
  });
});
