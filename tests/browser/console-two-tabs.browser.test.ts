/** The console in two tabs, in the Chromium of this machine: both change the same thing. */
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { debianImage } from "../support/sample-image.ts";

const image = await debianImage(["zlib1g 1:1.2.13 zlib"]);

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser();
  for (const name of ["app", "narrow", "gated"]) await used.server.push(image, name, "1.0");
  await api("POST", "/organization/", { name: "acme", email: "first@example.com" });
  await api("POST", "/organization/acme/applications", { name: "first" });
  await api("POST", "/superuser/users/", { username: "bob", email: "bob@example.com" });
  await api("PUT", "/organization/acme/team/builders", { role: "member" });
  const granted = { role: "read", delegate: { kind: "team", name: "builders" } };
  await api("POST", "/organization/acme/prototypes", granted);
  await api("PUT", "/repository/alice/app/permissions/user/bob", { role: "read" });
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

interface Form {
  readonly what: string;
  readonly path: () => Promise<string>;
  /** Opens the form, where it is not open. */
  readonly open?: (page: Page) => Promise<void>;
  readonly field: string;
  readonly save: string;
  readonly mine: string;
  readonly theirs: string;
}

const forms: readonly Form[] = [
  {
    what: "a description",
    path: async () => "/alice/app?view=information",
    open: (page) => page.getByRole("button", { name: "Edit the description" }).click(),
    field: "Description",
    save: "Save the description",
    mine: "what this tab says",
    theirs: "what the other tab says",
  },
  {
    what: "a pull gate that neither has seen",
    path: async () => "/alice/gated?view=policies",
    field: "and only when published at least this many days ago",
    save: "Save rules",
    mine: "3",
    theirs: "5",
  },
  {
    what: "an organization",
    path: async () => "/acme?view=settings",
    field: "E-mail address",
    save: "Save e-mail address",
    mine: "mine@example.com",
    theirs: "theirs@example.com",
  },
  {
    what: "an application",
    path: async () => {
      const { applications } = (await api("GET", "/organization/acme/applications")) as {
        readonly applications: readonly { readonly client_id: string }[];
      };
      return `/acme?view=applications&application=${applications[0]?.client_id}`;
    },
    field: "Name of the application",
    save: "Save application",
    mine: "mine",
    theirs: "theirs",
  },
];

/** The field of the form with that button, which says otherwise once the change is refused. */
function fieldOf(page: Page, { field, save }: Form) {
  const button = page.getByRole("button", { name: new RegExp(`^(${save}|Keep mine)$`) });
  return page.locator("form").filter({ has: button }).getByLabel(field);
}

/** Types into the form in two tabs, and saves it in the other first: this one is refused. */
async function typeInBoth(form: Form) {
  const { path, open, save, mine, theirs } = form;
  const at = await path();
  const [{ page }, { page: other }] = [await used.open(at), await used.open(at)];
  for (const each of [page, other]) await open?.(each);
  await fieldOf(page, form).fill(mine);
  await fieldOf(other, form).fill(theirs);
  const saved = other.waitForResponse((response) => response.request().method() === "PUT");
  await other.getByRole("button", { name: save }).click();
  expect((await saved).status()).toBe(200);
  await other.close();
  await page.getByRole("button", { name: save }).click();
  const alert = page.getByRole("alert");
  await alert.getByText("This was changed by someone else meanwhile").waitFor();
  return { page, alert };
}

describe("two tabs that change the same thing", () => {
  it.each(forms)("show both values of $what, and keep what was typed", async (form) => {
    const { page, alert } = await typeInBoth(form);

    expect(await alert.getByLabel(form.field).inputValue()).toBe(form.theirs);
    expect(await alert.locator("label[data-differs]").filter({ hasText: form.field }).count()).toBe(1);
    expect(await fieldOf(page, form).inputValue()).toBe(form.mine);
    await page.getByRole("button", { name: "Keep mine" }).click();
    await alert.waitFor({ state: "detached" });

    await page.reload();
    await form.open?.(page);
    await expect.poll(() => fieldOf(page, form).inputValue()).toBe(form.mine);
    await page.close();
  });

  it.each(forms)("take the other's value of $what where that is chosen", async (form) => {
    const again = { ...form, mine: form.mine.replace(/^./, "1"), theirs: form.theirs.replace(/^./, "2") };
    const { page, alert } = await typeInBoth(again);
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole("button", { name: "Take theirs" }).click();
    await alert.waitFor({ state: "detached" });

    expect(await fieldOf(page, form).inputValue()).toBe(again.theirs);
    await fieldOf(page, form).fill(form.theirs);
    const saved = page.waitForResponse((response) => response.request().method() === "PUT");
    await page.getByRole("button", { name: form.save }).click();
    expect((await saved).status()).toBe(200);
    await page.close();
  });

  it.each([
    { what: "a role on a repository", path: "/alice/app?view=permissions", name: "Role of bob" },
    { what: "a default permission", path: "/acme?view=permissions", name: "Role of builders" },
  ])("show both choices of $what, keep one or take the other", async ({ path, name }) => {
    const [{ page }, { page: other }] = [await used.open(path), await used.open(path)];
    const [mine, theirs] = [page.getByLabel(name, { exact: true }), other.getByLabel(name, { exact: true })];
    const alert = page.getByRole("alert");
    const choose = async (select: typeof mine, role: string) => {
      const done = select.page().waitForResponse((response) => response.request().method() === "PUT");
      await select.selectOption(role);
      return (await done).status();
    };

    await mine.waitFor();
    expect(await choose(theirs, "admin")).toBe(200);
    await mine.selectOption("write");
    await alert.getByText("You chose “Write: may push”; now it is “Admin: may change settings”.").waitFor();
    await expect.poll(() => mine.inputValue()).toBe("admin");
    await alert.getByRole("button", { name: "Keep mine" }).click();
    await alert.waitFor({ state: "detached" });
    await expect.poll(() => mine.inputValue()).toBe("write");
    await theirs.selectOption("read"); // it shows what it made itself, which is not there any more
    await other.getByRole("alert").getByRole("button", { name: "Take theirs" }).click();
    await other.getByRole("alert").waitFor({ state: "detached" });

    expect(await theirs.inputValue()).toBe("write");
    await page.reload();
    await expect.poll(() => mine.inputValue()).toBe("write");
    for (const each of [page, other]) await each.close();
  });

  it("show both choices of who may push to a repository", async () => {
    const path = "/alice/gated?view=settings";
    const [{ page }, { page: other }] = [await used.open(path), await used.open(path)];
    const alert = page.getByRole("alert");
    const choose = async (tab: Page, state: string) => {
      await tab.locator("select[name=state]").first().selectOption(state);
      await tab.getByRole("button", { name: "Save state" }).click();
    };

    await page.locator("select[name=state]").waitFor();
    await choose(other, "MIRROR");
    await expect
      .poll(async () => ((await api("GET", "/repository/alice/gated")) as { readonly state: string }).state)
      .toBe("MIRROR");
    await choose(page, "READ_ONLY");
    await alert.getByText("This was changed by someone else meanwhile").waitFor();
    expect(await alert.locator("select[name=state]").inputValue()).toBe("MIRROR");
    await page.getByRole("button", { name: "Keep mine" }).click();
    await alert.waitFor({ state: "detached" });

    expect(await api("GET", "/repository/alice/gated")).toMatchObject({ state: "READ_ONLY" });
    for (const tab of [page, other]) await tab.close();
  });

  it("make a team once: its role is not replaced by a second one of the same name", async () => {
    const path = "/acme?view=teams";
    const [{ page }, { page: other }] = [await used.open(path), await used.open(path)];
    for (const [tab, role] of [
      [other, "admin"],
      [page, "member"],
    ] as const) {
      await tab.getByLabel("Name of the new team").fill("twins");
      await tab.getByLabel("Role").selectOption(role);
    }

    await other.getByRole("button", { name: "Create team" }).click();
    await other.getByRole("button", { name: "twins" }).waitFor();
    await page.getByRole("button", { name: "Create team" }).click();
    await page.getByRole("alert").getByText("It already exists").waitFor();

    await page.getByRole("row", { name: "twins Admin" }).waitFor();
    for (const tab of [page, other]) await tab.close();
  });
});
