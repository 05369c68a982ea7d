/** Permissions in the console, in the Chromium of this machine: of a repository, and the default ones of an organization. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, openConsoleBrowser } from "../support/console-browser.ts";

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser();
  await api("POST", "/organization/", { name: "acme" });
  await api("PUT", "/organization/acme/team/builders", { role: "member" });
  await api("PUT", "/organization/acme/robots/ci", { description: "builds" });
  await api("POST", "/repository", { repository: "app", namespace: "acme", visibility: "private", description: "" });
  await api("POST", "/superuser/users/", { username: "carol" });
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

/** The permissions of the repository, as the registry has them. */
async function granted(kind: "user" | "team") {
  const { permissions } = (await api("GET", `/repository/acme/app/permissions/${kind}/`)) as {
    readonly permissions: Readonly<Record<string, { readonly role: string }>>;
  };
  return Object.fromEntries(Object.entries(permissions).map(([name, { role }]) => [name, role]));
}

describe("permissions of a repository", () => {
  it("are granted to users, robots and teams, changed, and taken away", async () => {
    const { page, problems } = await used.open("/acme/app?view=permissions");
    const users = page.getByRole("region", { name: "Users and robots" });
    const teams = page.getByRole("region", { name: "Teams" });

    await users.getByRole("combobox", { name: "User or robot" }).fill("acme+");
    await expect
      .poll(() => users.locator("datalist option").evaluateAll((all) => all.map((each) => each.outerHTML)))
      .toEqual(['<option value="acme+ci"></option>']);
    await users.getByRole("combobox", { name: "User or robot" }).fill("acme+ci");
    await users.getByLabel("Role").first().selectOption("write");
    await users.getByRole("button", { name: "Grant role" }).click();
    await users.getByRole("row", { name: "acme+ci Robot" }).waitFor();
    await users.getByRole("combobox", { name: "User or robot" }).fill("carol");
    await users.getByRole("button", { name: "Grant role" }).click();
    await users.getByRole("row", { name: "carol User outside the organization" }).waitFor();
    await page.getByRole("link", { name: "Teams" }).click();
    await teams.getByRole("combobox", { name: "Team" }).fill("builders");
    await teams.getByRole("button", { name: "Grant role" }).click();
    await teams.getByLabel("Role of builders").selectOption("admin");

    await expect.poll(() => granted("team")).toEqual({ builders: "admin" });
    expect(await granted("user")).toMatchObject({ "acme+ci": "write", carol: "read" });
    await page.getByRole("link", { name: "Users and robots" }).click();
    await users.getByRole("row", { name: "carol" }).getByRole("button", { name: "Remove permission" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove permission" }).click();
    await users.getByRole("rowheader", { name: "carol" }).waitFor({ state: "detached" });
    expect(await granted("user")).not.toHaveProperty("carol");
    expect(problems).toEqual([]);
  });

  it("are not granted to an account that does not exist; the name stays", async () => {
    const { page } = await used.open("/acme/app?view=permissions");
    const users = page.getByRole("region", { name: "Users and robots" });

    await users.getByRole("combobox", { name: "User or robot" }).fill("no-such-user");
    await users.getByRole("button", { name: "Grant role" }).click();

    await users.getByRole("alert").waitFor();
    expect(await users.getByRole("combobox", { name: "User or robot" }).inputValue()).toBe("no-such-user");
  });

  it("have no teams where the repository is of no organization", async () => {
    await api("POST", "/repository", { repository: "own", namespace: "alice", visibility: "private", description: "" });
    const { page } = await used.open("/alice/own?view=permissions");

    await page.getByRole("region", { name: "Users and robots" }).waitFor();

    expect(await page.getByRole("link", { name: "Teams" }).count()).toBe(0);
  });
});

describe("default permissions of an organization", () => {
  it("are granted on new repositories until they are removed", async () => {
    const { page, problems } = await used.open("/acme?view=permissions");

    await page.getByText("Add a default permission above.").waitFor();
    await page.getByLabel("Grant to").selectOption("team");
    await page.getByLabel("Name", { exact: true }).fill("builders");
    await page.getByLabel("Role").first().selectOption("write");
    await page.getByRole("button", { name: "Add default permission" }).click();
    await page.getByRole("row", { name: "builders Team" }).waitFor();
    await page.reload();
    await page.getByLabel("Role of builders").selectOption("admin");
    await expect
      .poll(async () => JSON.stringify(await api("GET", "/organization/acme/prototypes")))
      .toContain('"role":"admin"');
    await page.getByRole("button", { name: "Remove default permission" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove default permission" }).click();

    await page.getByText("Add a default permission above.").waitFor();
    expect(problems).toEqual([]);
  });
});
