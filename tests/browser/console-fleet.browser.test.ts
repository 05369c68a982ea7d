/** All images together in the console, in the Chromium of this machine: what is new, what a vulnerability is, what pull gates stop. */
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { debianImage } from "../support/sample-image.ts";
import { settled } from "../support/settled.ts";

const image = await debianImage(["libssl3 3.0.11-1 openssl", "zlib1g 1:1.2.13 zlib"]);
const data = {
  advisories: {
    openssl: { "CVE-2024-1001": { fixed: "3.0.15-1", urgency: "high" }, "CVE-2024-1002": { urgency: "low" } },
    zlib: { "CVE-2023-1009": { urgency: "unimportant" } },
  },
  exploited: ["CVE-2024-1002"],
};

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser(data);
  for (const repository of ["app", "copy"]) {
    await used.server.push(image, repository, "1.0");
    await waitForCounts(`/alice/${repository}`);
  }
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

/** Waits until the vulnerabilities of the image of a repository are counted. */
async function waitForCounts(path: string): Promise<void> {
  const { page } = await used.open(path);
  const isCounted = async () => {
    await page.reload();
    await page.getByRole("row", { name: "1.0" }).waitFor();
    return (await page.getByRole("img").count()) === 1;
  };
  await vi.waitUntil(isCounted, { timeout: 60_000, interval: 500 });
  await page.close();
}

/** Calls the management API as the page would. */
async function change(method: string, path: string, body: object): Promise<number> {
  const { page } = await used.open("/alice");
  const status = await page.evaluate(
    async ([verb, url, json]) => {
      const mark = { "x-requested-with": "XMLHttpRequest" };
      const answer = (await (await fetch("/csrf_token", { headers: mark })).json()) as { readonly csrf_token: string };
      const token = answer.csrf_token;
      const headers = { ...mark, "x-csrf-token": token, "content-type": "application/json" };
      return (await fetch(`/api/v1${url}`, { method: verb ?? "", headers, body: json ?? "" })).status;
    },
    [method, path, JSON.stringify(body)],
  );
  await page.close();
  return status;
}

describe("the home page", () => {
  it("says in which images vulnerabilities were found since yesterday", async () => {
    const { page: before } = await used.open("/");
    const ofFirstScans = before.getByRole("region", { name: "New vulnerabilities since yesterday" });
    await ofFirstScans.getByText("No vulnerability was found in your images since yesterday.").waitFor();
    await before.close();
    used.server.makeNews();
    const { page, problems } = await used.open("/");

    const news = page.getByRole("region", { name: "New vulnerabilities since yesterday" });
    const row = news.getByRole("row", { name: "alice/app" });
    await row.waitFor();

    expect(await news.getByRole("row").count(), "an image in two repositories is one row").toBe(2);
    expect(await row.textContent()).toMatch(/alice\/copy:1.0.*3Low CVE-2024-1002/); // exploited before severe
    expect(await findBarriers(page)).toEqual([]);
    await row.getByRole("link", { name: "CVE-2024-1002" }).click();
    await page.getByRole("heading", { name: "CVE-2024-1002" }).waitFor();
    expect(problems).toEqual([]);
  });
});

describe("a vulnerability", () => {
  it("says what it is, which images have it, and what fixes it there", async () => {
    const { page, problems } = await used.open("/cve/CVE-2024-1001");

    await page.getByRole("row", { name: "alice/app" }).waitFor();

    expect(await page.getByRole("row", { name: "alice/" }).count()).toBe(2);
    expect(await page.getByText("libssl3 3.0.11-1 → 3.0.15-1").count()).toBe(2);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("row", { name: "alice/app" }).getByRole("link").click();
    await page.getByRole("button", { name: "CVE-2024-1001" }).waitFor();
    expect(problems).toEqual([]);
  });

  it("is found by the search, and never called absent where images were not assessed", async () => {
    const { page } = await used.open("/search?q=cve-2020-99999");

    await page.getByRole("link", { name: "Which images have cve-2020-99999?" }).click();

    await page.getByText("No image that was assessed has it. Images that were not assessed may.").waitFor();
  });

  it("is not all that the search finds: also images that have a package, which can be saved", async () => {
    const { page, problems } = await used.open("/search?by=package_name&with=libssl3");
    const found = page.getByRole("region", { name: "Images by what is in them" });

    await found.getByRole("row", { name: "alice/app" }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      found.getByRole("button", { name: "CSV" }).click(),
    ]);

    expect(await text(await saved.createReadStream())).toMatch(
      /^"repository","digest","tags","package","version"\r\n(?:.*\r\n)*"alice\/app","sha256:[0-9a-f]{64}","[^"]*","libssl3","3\.0\.11-1"\r\n/,
    );
    await found.getByLabel("Version (optional)").fill("0");
    await found.getByText("No image that was assessed has it.").waitFor();
    expect(new URL(page.url()).searchParams.get("version")).toBe("0");
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("is no name with markup", async () => {
    const { page, problems } = await used.open(`/cve/${encodeURIComponent("<img src=x onerror=alert(1)>")}`);

    await page.getByRole("heading", { name: "<img src=x onerror=alert(1)>" }).waitFor();
    await page.getByText("No image that was assessed has it.").waitFor();
    expect(problems).toEqual([]);
  });
});

describe("a namespace", () => {
  it("shows how many vulnerabilities its images have, now and by day, as a chart and as a table", async () => {
    const { page, problems } = await used.open("/alice?view=security");
    await page.getByText("2 images under tags; 0 not assessed, 0 assessed in part.").waitFor();
    await page.getByText("There are no counts yet.").waitFor();

    used.server.hasten("registry.store-finding-trend");
    const today = page.locator("tr", { hasText: new Date().toISOString().slice(0, 10) });
    const readToday = async () => {
      await page.reload();
      await page.getByRole("heading", { name: "Vulnerabilities by day" }).waitFor();
      await settled(page);
      return (await today.count()) === 0 ? "" : today.textContent();
    };
    await expect.poll(readToday).toMatch(/0202200$/);
    await page.getByText("The figures as a table").click();

    expect(await page.getByRole("img", { name: /on each day/ }).count()).toBe(1);
    expect(await page.locator("svg.chart rect").count()).toBe(3);
    await page.getByLabel("Days").selectOption("90");
    expect(new URL(page.url()).searchParams.get("days")).toBe("90");
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

/** The sizes of the texts of charts, in pixels. Runs in the page. */
const fontSizes = `[...document.querySelectorAll(".chart-frame span")].map((each) => Number.parseFloat(getComputedStyle(each).fontSize))`;

describe("the overview of a namespace", () => {
  it("shows what its repositories store and how often they are pulled, readable on a phone", async () => {
    used.server.countPulls("app", [3, 4]);
    const { page, problems } = await used.open("/alice?view=overview");
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole("row", { name: "alice/app" }).waitFor();

    await page.getByText("Pulls on 2 days that are over: 7").waitFor();
    const box = await page.getByRole("img", { name: /Stored bytes/ }).boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    const heights = await page.evaluate<number[]>(fontSizes);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(12);
    await page.getByText("The figures as a table").click();
    const today = page.locator("tr", { hasText: new Date().toISOString().slice(0, 10) });
    expect(await today.textContent()).toMatch(/\d B–/);
    expect(await page.locator("body").evaluate((body) => (body as never as { scrollWidth: number }).scrollWidth)).toBe(
      360,
    );
    await page.getByLabel("Days").selectOption("90");
    expect(new URL(page.url()).searchParams.get("days")).toBe("90");
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe("the pull gate of a repository", () => {
  it("is previewed: what would be refused, and why", async () => {
    const rules = { severity: "High", mode: "dry_run" };
    expect(await change("PUT", "/repository/alice/copy/pullgate", rules)).toBe(200);

    const { page } = await used.open("/alice/copy?view=policies");
    await page.getByText("What the gates say now").click();
    const row = page.getByRole("region", { name: "Pull gate" }).getByRole("row", { name: "1.0" });
    await row.waitFor();

    expect(await row.textContent()).toContain("CVE-2024-1001");
    expect(await findBarriers(page)).toEqual([]);
  });
});

describe("an organization", () => {
  it("suppresses a vulnerability in all of its images, until the rule is removed", async () => {
    expect(await change("POST", "/organization/", { name: "acme" })).toBe(201);
    const { page, problems } = await used.open("/acme?view=security&part=suppressed");

    await page.getByLabel("Vulnerability", { exact: true }).fill("CVE-2024-1001");
    await page.getByLabel("Package URL (optional)").fill("libssl3");
    await page.getByLabel("Reason").fill("our own input only");
    await page.getByRole("button", { name: "Suppress vulnerability" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Package URL (optional)").fill("pkg:deb/debian/libssl3");
    await page.getByRole("button", { name: "Suppress vulnerability" }).click();

    const row = page.getByRole("row", { name: "CVE-2024-1001" });
    await row.getByText("pkg:deb/debian/libssl3").waitFor();
    await row.getByRole("button", { name: "Remove rule" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove rule" }).click();
    await row.waitFor({ state: "detached" });
    expect(problems.filter((each) => !each.includes("400"))).toEqual([]);
  });
});
