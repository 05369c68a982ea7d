/** Jobs of every day in the console and the Chromium of this machine, each from the first page and with no more clicks than its budget. */
import { text } from "node:stream/consumers";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, openConsoleBrowser } from "../support/console-browser.ts";
import { visitor } from "../support/console-server.ts";
import { pushImage } from "../support/push-image.ts";
import { debianImage } from "../support/sample-image.ts";

const image = await debianImage(["libssl3 3.0.11-1 openssl"]);

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser({
    advisories: { openssl: { "CVE-2024-1001": { fixed: "3.0.15-1", urgency: "high" } } },
  });
  for (const tag of ["old", "new"]) await used.server.push(image, "app", tag);
  await api("DELETE", "/repository/alice/app/tag/old");
  await api("PUT", "/user/robots/ci", { description: "" });
  for (const name of ["bob", "carol"]) await api("POST", "/superuser/users/", { username: name });
  await used.server.push(image, "gated", "1");
  await api("POST", "/organization/", { name: "acme" });
  await pushImage(`${used.server.address}/v2/acme/app`, authorization, { image, reference: "1" });
  await vi.waitUntil(async () => (await imagesWith("libssl3")).length === 3 && (await isCounted("acme")), {
    ...{ timeout: 60_000, interval: 500 },
  });
  await refusePull("gated", "1");
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
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
    what: "rotate the credential of a robot",
    budget: 3,
    run: async (page) => {
      await goByPalette(page, "robots alice", "alice");
      await page.getByRole("button", { name: "Renew token" }).click();
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
