/** What superusers administer, in the console and the Chromium of this machine. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settingsInForce } from "../../packages/server/src/config/resolve-service-settings.ts";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { debianImage } from "../support/sample-image.ts";

const image = await debianImage(["zlib1g 1:9 none"]);

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser();
  await used.server.push(image, "app", "1.0");
  for (const name of ["acme", "gone"]) await api("POST", "/organization/", { name });
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

/** Changes of several chosen rows, and what of them the page then shows how often. */
const ofSeveral = [
  {
    path: "/alice?view=robots",
    rows: ["alice+one", "alice+two"],
    button: "Delete chosen robots",
    shown: ["alice+one", 0],
  },
  {
    path: "/alice/app?view=notifications",
    rows: ["first", "second"],
    button: "Delete chosen notifications",
    shown: ["first", 0],
  },
  { path: "/alice", rows: ["alice/more", "alice/most"], button: "Make chosen public", shown: ["Public", 2] },
  { path: "/alice", rows: ["alice/more", "alice/most"], button: "Make chosen private", shown: ["Public", 0] },
  {
    path: "/alice",
    rows: ["alice/more", "alice/most"],
    button: "Delete chosen repositories",
    typed: "delete 2",
    shown: ["more", 0],
  },
  { path: "/acme?view=teams", open: "some", rows: ["bob", "eve"], button: "Remove chosen members", shown: ["bob", 0] },
  {
    path: "/acme?view=members",
    rows: ["carol", "dave"],
    button: "Remove chosen from organization",
    shown: ["carol", 0],
  },
  { path: "/admin?view=users", rows: ["carol", "dave"], button: "Disable chosen users", shown: ["Disabled", 2] },
  { path: "/admin?view=users", rows: ["carol", "dave"], button: "Enable chosen users", shown: ["Disabled", 0] },
] as const;

describe("a list that is filtered by a part of the name", () => {
  it.each([
    { path: "/admin?view=users", part: "LIC", found: "alice" },
    { path: "/admin?view=organizations", part: "cm", found: "acme" },
    { path: "/alice", part: "pp", found: "app" },
  ])("shows on $path what the registry finds, and keeps the filter in the address", async ({ path, part, found }) => {
    const { page, problems } = await used.open(path);
    const field = page.getByRole("searchbox", { name: "Filter by name" });

    await field.fill(part);
    await page.getByText("1 of 1", { exact: true }).waitFor();
    await page.reload();
    await page.getByRole("rowheader", { name: found }).waitFor();
    await page.getByText("1 of 1", { exact: true }).waitFor();
    await field.fill("_");
    await page.getByText("None has “_” in its name.").waitFor();

    expect(page.url()).toContain("filter=_");
    expect(problems).toEqual([]);
  });
});

describe("what is done with several rows at once", () => {
  beforeAll(async () => {
    for (const name of ["bob", "carol", "dave", "eve"])
      await api("POST", "/superuser/users/", { username: name, email: `${name}@example.com` });
    for (const name of ["one", "two"]) await api("PUT", `/user/robots/${name}`, { description: "" });
    for (const team of ["some", "others"]) await api("PUT", `/organization/acme/team/${team}`, { role: "member" });
    for (const name of ["bob", "eve"]) await api("PUT", `/organization/acme/team/some/members/${name}`);
    for (const name of ["carol", "dave"]) await api("PUT", `/organization/acme/team/others/members/${name}`);
    for (const name of ["more", "most"]) await used.server.push(image, name, "1.0");
    const config = { target: { kind: "user", name: "alice" } };
    for (const title of ["first", "second"])
      await api("POST", "/repository/alice/app/notification/", {
        ...{ title, event: "repo_push", method: "quay_notification", config, eventConfig: {} },
      });
  });

  it.each(ofSeveral)("is $button on $path", async ({ path, rows, button, shown: [text, count], ...more }) => {
    const { page, problems } = await used.open(path);
    if ("open" in more) await page.getByRole("button", { name: more.open, exact: true }).click();

    for (const name of rows) await page.getByRole("checkbox", { name, exact: true }).check();
    await page.getByText("2 chosen").waitFor();
    await page.getByRole("button", { name: button }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText(/: 2\./).waitFor();
    if ("typed" in more) await dialog.getByRole("textbox").fill(more.typed);
    await dialog.getByRole("button", { name: button }).click();
    await dialog.waitFor({ state: "detached" });

    await expect.poll(() => page.getByRole("table").getByText(text, { exact: true }).count()).toBe(count);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe("administration", () => {
  it("sets quotas of organizations, and deletes one once its name is typed", async () => {
    const { page, problems } = await used.open("/admin?view=organizations");
    const row = page.getByRole("row", { name: "acme" });

    await row.getByRole("button", { name: "Quota" }).click();
    const region = page.getByRole("region", { name: "Quota of acme" });
    await region.getByLabel("Quota", { exact: true }).fill("2");
    await region.getByRole("button", { name: "Set quota" }).click();
    await row.getByText("0 B of 2.0 GiB used (0 %).").waitFor();
    await page.reload();
    await region.getByRole("button", { name: "Remove quota" }).waitFor();
    const gone = page.getByRole("row", { name: "gone" });
    await gone.getByRole("button", { name: "Delete organization" }).click();
    await page.getByRole("alertdialog").getByRole("textbox").fill("gone");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete organization" }).click();

    await gone.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("sets the quota of a user with a limit, and takes it away again", async () => {
    const { page, problems } = await used.open("/admin?view=users");
    const row = page.getByRole("row", { name: "alice" });

    await row.getByRole("button", { name: "Quota" }).click();
    const region = page.getByRole("region", { name: "Quota of alice" });
    await region.getByLabel("Quota", { exact: true }).fill("3");
    await region.getByRole("button", { name: "Set quota" }).click();
    await row.getByText(/^[\d.]+ \S+ of 3\.0 GiB used/).waitFor();
    await region.getByLabel("At percent of the quota").fill("80");
    await region.getByRole("button", { name: "Add limit" }).click();
    await region.getByRole("rowheader", { name: "Administrators are warned" }).waitFor();
    await page.reload();
    await region.getByRole("button", { name: "Remove quota" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove quota" }).click();
    await row.getByText(/used\. There is no quota\.$/).waitFor();

    expect(problems).toEqual([]);
  });

  it("makes a service key, shows its private part once, and deletes it", async () => {
    const { page, problems } = await used.open("/admin?view=keys");

    await page.getByText("There is no service key.").waitFor();
    await page.getByLabel("Service").fill("my_builder");
    await page.getByLabel("Name of the key").fill("first");
    await page.getByLabel("Days of validity").fill("30");
    await page.getByRole("button", { name: "Create service key" }).click();
    await page.getByRole("status").getByText("BEGIN PRIVATE KEY").waitFor();
    await page.getByRole("row", { name: "first my_builder" }).getByText("Approved by alice").waitFor();
    await page.reload();
    await page.getByRole("row", { name: "first my_builder" }).waitFor();
    expect(await page.getByText("BEGIN PRIVATE KEY").count()).toBe(0);
    await page.getByRole("button", { name: "Delete key" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete key" }).click();

    await page.getByText("There is no service key.").waitFor();
    expect(problems).toEqual([]);
  });

  it("counts the stored bytes", async () => {
    const { page } = await used.open("/admin?view=storage");

    await page.getByRole("button", { name: "Count again" }).click();

    await page.getByText(/^\d[\d.]* (?:B|KiB)$/).waitFor();
  });

  it("plans a collection of garbage, says what stays and why, and collects", async () => {
    const { page, problems } = await used.open("/admin?view=garbage");

    await page.getByRole("button", { name: "Plan a collection" }).click();
    await page.getByRole("region", { name: "What a collection would remove" }).waitFor();
    const kept = page.getByRole("region", { name: "What stays, and why" });
    await kept.getByRole("row", { name: /^Stored blobs [1-9]\d* \(.*\) Repositories use them\.$/ }).waitFor();
    await page.getByRole("button", { name: "Collect garbage now" }).click();
    await page
      .getByRole("region", { name: "Last collection", exact: true })
      .getByText("Repositories checked")
      .waitFor();
    await page.getByRole("button", { name: "Collect garbage now" }).waitFor();

    expect(problems).toEqual([]);
  });

  it("shows how old the feeds are, and how much they bring", async () => {
    const { page, problems } = await used.open("/admin?view=feeds");

    await page
      .getByRole("row", {
        name: /^debian Advisories [1-9]\d* 0 .* Up to date Records of the last update: [1-9]\d* read/,
      })
      .waitFor();
    await page.getByRole("row", { name: /^epss Facts about vulnerabilities/ }).waitFor();
    expect(problems).toEqual([]);
  });

  it("shows the usage log of the whole registry, and the settings in force", async () => {
    const { page, problems } = await used.open("/admin?view=logs");

    await page.getByRole("rowheader", { name: "org create" }).first().waitFor();
    expect(await page.getByRole("button", { name: "Export log" }).count()).toBe(0);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { name: "Settings in force" }).waitFor();
    await page.getByText("This registry runs inside another program").waitFor();
    expect(problems).toEqual([]);
  });

  it("shows every setting with its value, where it was given and what it means, but no secret", async () => {
    const settings = { port: 5000, smtpUrl: "smtps://me:sesame@mail.example", superusers: ["alice"] };
    const sources = { flags: { port: 1 }, environment: {}, files: settings, fileOf: { superusers: "plimsoll.yaml" } };
    await using other = await openConsoleBrowser({ settings: settingsInForce(sources) });
    const { page, problems } = await other.open("/admin?view=settings");

    await page.getByRole("row", { name: "port 1 a flag The port of the API; 0 is any free port." }).waitFor();
    await page.getByRole("row", { name: /^superusers \["alice"\] plimsoll\.yaml/ }).waitFor();
    await page.getByRole("row", { name: /^smtpUrl set, not shown a file/ }).waitFor();
    await page
      .getByRole("row", { name: /^console default: true – Whether the registry has the web console/ })
      .waitFor();
    expect(await page.content()).not.toContain("sesame");
    await page.getByRole("searchbox", { name: "Filter by name or meaning" }).fill("superusers");
    await page.getByRole("button", { name: "Only settings that were given" }).click();
    await page.getByRole("rowheader", { name: "port" }).waitFor({ state: "detached" });
    expect(await page.getByRole("rowheader").allTextContents()).toEqual(["superusers"]);
    await page.goto(`${other.server.address}/admin?view=settings`);
    await page.getByRole("rowheader", { name: "superusers", exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);

    expect(problems).toEqual([]);
  });
});
