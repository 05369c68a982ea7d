/** Jobs of every day in the console and the Chromium of this machine, each from the first page and with no more clicks than its budget. */
import { text } from "node:stream/consumers";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type SmtpSink, startSmtpSink } from "../../packages/registry-api/src/fixtures/smtp-sink.ts";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, openConsoleBrowser } from "../support/console-browser.ts";
import { visitor } from "../support/console-server.ts";
import { pushImage } from "../support/push-image.ts";
import { debianImage } from "../support/sample-image.ts";

const image = await debianImage(["libssl3 3.0.11-1 openssl"]);

/** The repositories that a robot is to pull from. */
const pulled = ["one", "two", "three"] as const;

let used: ConsoleBrowser;
let mail: SmtpSink;
beforeAll(async () => {
  mail = await startSmtpSink();
  used = await openConsoleBrowser({
    mailPort: mail.port,
    advisories: { openssl: { "CVE-2024-1001": { fixed: "3.0.15-1", urgency: "high" } } },
  });
  for (const tag of ["old", "new"]) await used.server.push(image, "app", tag);
  await api("DELETE", "/repository/alice/app/tag/old");
  await api("PUT", "/user/robots/ci", { description: "" });
  for (const name of ["bob", "carol"]) await api("POST", "/superuser/users/", { username: name });
  await used.server.push(image, "gated", "1");
  await api("POST", "/organization/", { name: "acme" });
  await pushImage(`${used.server.address}/v2/acme/app`, authorization, { image, reference: "1" });
  for (const repository of pulled) {
    await api("POST", "/repository", { repository, namespace: "alice", visibility: "private", description: "" });
  }
  await api("POST", "/organization/", { name: "large" });
  for (const repository of ["big", "small"]) {
    await api("POST", "/repository", { repository, namespace: "large", visibility: "private", description: "" });
  }
  await pushImage(`${used.server.address}/v2/large/big`, authorization, { image, reference: "1" });
  await vi.waitUntil(async () => (await imagesWith("libssl3")).length === 4 && (await isCounted("acme")), {
    ...{ timeout: 60_000, interval: 500 },
  });
  await refusePull("gated", "1");
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

const authorization = `Basic ${Buffer.from(`${visitor.username}:${visitor.password}`).toString("base64")}`;

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

async function imagesWith(name: string): Promise<readonly object[]> {
  const { images } = (await api("GET", `/security/images?package_name=${name}`)) as { readonly images: object[] };
  return images;
}

/** Whether the vulnerabilities of all images of an organization are counted. */
async function isCounted(name: string): Promise<boolean> {
  const found = await api("GET", `/organization/${name}/security`);
  return (found as { readonly uncounted: number }).uncounted === 0;
}

/** Has a pull refused. The image is assessed in the background, and is pulled until it is. */
async function refusePull(repository: string, tag: string): Promise<void> {
  await api("PUT", `/repository/alice/${repository}/pullgate`, { severity: "High" });
  const pull = () =>
    fetch(`${used.server.address}/v2/alice/${repository}/manifests/${tag}`, { headers: { authorization } });
  await vi.waitUntil(async () => (await pull()).status === 403, { timeout: 60_000, interval: 500 });
}

/** Goes to a place by the keyboard: the palette, a part of the name of the place, and Enter as soon as its entry is the chosen one. */
async function goByPalette(page: Page, typed: string, entry: string | RegExp) {
  await page.getByRole("button", { name: "alice", exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill(typed);
  await page.getByRole("option", { name: entry, selected: true }).waitFor();
  await page.keyboard.press("Enter");
}

/** Does what a dialog asks about. */
const confirm = (page: Page, button: string) =>
  page.getByRole("alertdialog").getByRole("button", { name: button }).click();

/** What is saved in a file by a button. */
async function save(page: Page, button: string): Promise<string> {
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return text(await saved.createReadStream());
}

interface Job {
  readonly what: string;
  readonly budget: number;
  readonly run: (page: Page) => Promise<void>;
}

const jobs: readonly Job[] = [
  {
    what: "which of my images have a vulnerability, and a list of them",
    budget: 2,
    run: async (page) => {
      await goByPalette(page, "CVE-2024-1001", "CVE-2024-1001");
      await page.getByRole("row", { name: "alice/app" }).waitFor();
      expect(await save(page, "Save as CSV")).toContain('"alice/app@sha256:');
    },
  },
  {
    what: "which images have a package, and a list of them",
    budget: 2,
    run: async (page) => {
      await goByPalette(page, "images", "images");
      await page.getByRole("searchbox", { name: "Whole name" }).click();
      await page.keyboard.type("libssl3");
      await page.getByRole("row", { name: "alice/app" }).waitFor();
      expect(await save(page, "CSV")).toContain('"libssl3","3.0.11-1"');
    },
  },
  {
    what: "why was a pull refused",
    budget: 2,
    run: async (page) => {
      await goByPalette(page, "alice/gated", /^alice\/gated/);
      await page.getByRole("link", { name: "Usage log" }).click();
      await page.getByText("was refused by the pull gate of the repository. 1 finding counts").waitFor();
      const cell = page.getByRole("cell").filter({ hasText: "was refused by" });
      expect(await cell.getByRole("link", { name: "CVE-2024-1001" }).getAttribute("href")).toBe("/cve/CVE-2024-1001");
      expect(await cell.textContent()).toContain("by its rules (from High)");
    },
  },
  {
    what: "what to upgrade to fix the most in an organization",
    budget: 2,
    run: async (page) => {
      await goByPalette(page, "acme", /^acme/);
      await page.getByRole("link", { name: "Vulnerabilities", exact: true }).click();
      const first = page.getByRole("row", { name: "openssl" });
      await first.getByText("3.0.11-1 → 3.0.15-1").waitFor();
      await first.getByRole("link", { name: "1", exact: true }).click();
      await page.getByRole("row", { name: "acme/app" }).waitFor();
    },
  },
  {
    what: "who deleted a tag, and restore it",
    budget: 3,
    run: async (page) => {
      await goByPalette(page, "alice/app", /^alice\/app/);
      await page.getByRole("link", { name: "History" }).click();
      await page.getByRole("row", { name: "old" }).getByText("deleted by alice").waitFor();
      await page.getByRole("button", { name: "Restore" }).click();
      await confirm(page, "Restore");
      await page.getByRole("alertdialog").waitFor({ state: "detached" });
    },
  },
  {
    what: "free space: the largest repositories of an organization",
    budget: 4,
    run: async (page) => {
      await goByPalette(page, "large", /^large/);
      await page.getByRole("columnheader").getByRole("button", { name: "Size" }).click();
      await page.waitForURL(/order=-size/);
      await page.getByRole("rowheader").first().getByText("big").waitFor();
      await page.getByRole("checkbox", { name: "large/big" }).click();
      await page.getByRole("button", { name: "Delete chosen repositories" }).click();
      await page.getByLabel("delete 1").fill("delete 1");
      await confirm(page, "Delete chosen repositories");
      await page.getByRole("row", { name: "big" }).waitFor({ state: "detached" });
    },
  },
  {
    what: "create a repository",
    budget: 4,
    run: async (page) => {
      await goByPalette(page, "alice", /^alice/);
      await page.getByText("New repository").click();
      await page.getByRole("textbox", { name: /^Name/ }).fill("fresh");
      await page.getByRole("button", { name: "Create repository" }).click();
      await page.getByRole("heading", { name: "fresh" }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/alice/fresh");
    },
  },
  {
    what: "create a mirror from nothing, and see why it failed",
    budget: 4,
    run: async (page) => {
      await goByPalette(page, "alice", /^alice/);
      await page.getByText("New repository").click();
      await page.getByRole("textbox", { name: /^Name/ }).fill("mirrored");
      await page.getByLabel("Copy from this repository").fill(`${new URL(used.server.address).host}/alice/nothing`);
      await page.getByRole("button", { name: "Create repository" }).click();
      await page.getByRole("status").getByText("The last synchronization failed").waitFor();
      await page.getByRole("listitem").filter({ hasText: "alice/nothing' with tag pattern '*'" }).first().waitFor();
    },
  },
  {
    what: "a robot with pull on three repositories",
    budget: 6,
    run: async (page) => {
      await goByPalette(page, "robots alice", "alice");
      await page.getByRole("textbox", { name: /^Name of the new robot/ }).fill("puller");
      await page.getByText("Permissions on repositories").click();
      for (const name of pulled) await page.getByRole("checkbox", { name, exact: true }).click();
      await page.getByRole("button", { name: "Create robot" }).click();
      await page.getByText("docker login").first().waitFor();
      await page.getByRole("button", { name: "alice+puller", exact: true }).click();
      const roles = page.getByRole("region", { name: "Permissions of puller on repositories" });
      for (const name of pulled) await roles.getByRole("row", { name }).getByText("Read: may pull").waitFor();
    },
  },
  {
    what: "invite a colleague by e-mail",
    budget: 3,
    run: async (page) => {
      await goByPalette(page, "acme", /^acme/);
      await page.getByRole("link", { name: "Teams" }).click();
      await page.getByRole("button", { name: "owners" }).click();
      await page.getByLabel("User or robot, or an e-mail address").fill("colleague@example.com");
      await page.getByRole("button", { name: "Add member" }).click();
      await page.getByRole("row", { name: "colleague@example.com" }).getByText("Invited").waitFor();
      await expect.poll(() => mail.received.flatMap(({ to }) => to)).toContain("colleague@example.com");
    },
  },
  {
    what: "be told of new critical vulnerabilities in an organization",
    budget: 4,
    run: async (page) => {
      await goByPalette(page, "acme", /^acme/);
      await page.getByRole("link", { name: "Notifications", exact: true }).click();
      await page.getByLabel("At least this severe").selectOption("Critical");
      await page.getByRole("combobox", { name: "How", exact: true }).selectOption("E-mail");
      await page.getByRole("button", { name: "Add notification" }).click();
      const added = page.getByRole("row", { name: "A vulnerability was found" });
      await added.getByRole("button", { name: "Send test" }).click();
      await page.getByRole("region", { name: "What was sent by" }).getByText("Delivered").waitFor();
      expect(mail.received.at(-1)?.body).toContain("acme/app");
    },
  },
  {
    what: "rotate the credential of a robot",
    budget: 3,
    run: async (page) => {
      await goByPalette(page, "robots alice", "alice");
      await page.getByRole("row", { name: "alice+ci" }).getByRole("button", { name: "Renew token" }).click();
      await confirm(page, "Renew token");
      await page.getByText("docker login").first().waitFor();
    },
  },
  {
    what: "find the largest images",
    budget: 1,
    run: async (page) => {
      await goByPalette(page, "alice/app", /^alice\/app/);
      await page.getByRole("columnheader").getByRole("button", { name: "Size" }).click();
      await page.waitForURL(/order=-size/);
    },
  },
  {
    what: "disable two users",
    budget: 6,
    run: async (page) => {
      await goByPalette(page, "administration", "Administration");
      await page.getByRole("link", { name: "Users", exact: true }).click();
      for (const name of ["bob", "carol"]) await page.getByRole("checkbox", { name, exact: true }).click();
      await page.getByRole("button", { name: "Disable chosen users" }).click();
      await confirm(page, "Disable chosen users");
      await expect.poll(() => page.getByText("Disabled", { exact: true }).count()).toBe(2);
    },
  },
];

describe("a job in the console", () => {
  it.each(jobs)("takes at most $budget clicks: $what", async ({ budget, run }) => {
    const context = await used.signIn();
    let clicks = 0;
    await context.exposeFunction("noteClick", () => {
      clicks++;
    });
    await context.addInitScript("addEventListener('click', (event) => event.detail > 0 && noteClick(), true)"); // none of the keyboard
    const { page, problems } = await used.open("/", context);

    await run(page);

    expect(clicks).toBeGreaterThan(0);
    expect(clicks).toBeLessThanOrEqual(budget);
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe("several rows of a list", () => {
  it("are granted to a robot at once, and their permissions removed at once", async () => {
    await used.server.push(image, "second", "1");
    await using context = await used.signIn();
    const { page, problems } = await used.open("/alice", context);
    const permissions = async (name: string) =>
      Object.keys(((await api("GET", `/repository/alice/${name}/permissions/user/`)) as Granted).permissions);

    for (const name of ["app", "second"])
      await page.getByRole("checkbox", { name: `alice/${name}`, exact: true }).click();
    await page.getByLabel("User or robot", { exact: true }).fill("alice+ci");
    await page.getByRole("button", { name: "Grant role on chosen" }).click();
    await page.getByText("The role is granted.").waitFor();
    for (const name of ["app", "second"]) expect(await permissions(name)).toContain("alice+ci");
    await page.goto(`${used.server.address}/alice/app?view=permissions`);
    expect(await save(page, "Save as CSV")).toContain('"alice+ci"');
    await page.getByRole("checkbox", { name: "alice+ci" }).click();
    await page.getByRole("button", { name: "Remove chosen permissions" }).click();
    await confirm(page, "Remove chosen permissions");

    await expect.poll(() => permissions("app")).not.toContain("alice+ci");
    expect(problems).toEqual([]);
  });

  it("are retried or deleted at once where they are failed jobs, and saved", async () => {
    used.server.putDeadJob("scan-manifest", "it was too large");
    used.server.putDeadJob("send-mail", "nobody answered");
    const { page, problems } = await used.open("/admin?view=jobs&state=dead", await used.signIn());

    expect(await save(page, "Save as CSV")).toContain('"nobody answered"');
    await page.getByRole("checkbox", { name: "All of this page" }).click();
    await page.getByRole("button", { name: "Delete chosen jobs" }).click();
    await confirm(page, "Delete chosen jobs");

    await page.getByText("No job matches.").waitFor();
    expect(problems).toEqual([]);
  });

  it("are ordered by the registry where they are repositories or organizations, as the address says", async () => {
    for (const name of ["zebra", "aardvark"]) await api("POST", "/organization/", { name });
    const { page, problems } = await used.open("/alice?order=-changed", await used.signIn());
    const names = () => page.getByRole("rowheader").allInnerTexts();

    await page.getByRole("link", { name: "app", exact: true }).waitFor();
    const newest = await names();
    await page.getByRole("columnheader").getByRole("button", { name: "Changed" }).click();
    await expect.poll(names).toEqual(newest.toReversed());
    await page.goto(`${used.server.address}/admin?view=organizations`);
    await page.getByRole("link", { name: "zebra" }).waitFor();
    await page.getByRole("columnheader").getByRole("button", { name: "Name" }).click();

    await expect.poll(async () => (await names())[0]).toBe("zebra");
    expect(await names()).toEqual((await names()).toSorted().toReversed());
    expect(new URL(page.url()).searchParams.get("order")).toBe("-name");
    expect(problems).toEqual([]);
  });
});

interface Granted {
  readonly permissions: Readonly<Record<string, object>>;
}
