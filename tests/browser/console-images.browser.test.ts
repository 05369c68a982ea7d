/** Images in the console, in the Chromium of this machine: how safe tags are, and why findings are findings. */
import { text } from "node:stream/consumers";
import { buildImage, buildIndex, buildLayer, describeBlob } from "@plimsoll/testing";
import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, findBarriers, giveCredentials, openConsoleBrowser } from "../support/console-browser.ts";
import type { ConsoleData } from "../support/console-server.ts";
import { debianImage, debianRelease, dpkgStatus } from "../support/sample-image.ts";

/** More findings than a page shows at once. */
const manyFindings = 5000;
const cves = Array.from({ length: manyFindings }, (_, index) => [`CVE-2020-${10_000 + index}`, {}] as const);
const data: ConsoleData = {
  advisories: {
    openssl: { "CVE-2024-1001": { fixed: "3.0.15-1", urgency: "high" }, "CVE-2024-1002": { urgency: "low" } },
    zlib: {
      "CVE-2023-1009": { fixed: "1:2", urgency: "unimportant" },
      "CVE-2023-1008": { fixed: "1:1.3", urgency: "low" },
    },
    chromium: Object.fromEntries(cves),
  },
  exploited: ["CVE-2023-1009"],
  likely: { "CVE-2024-1002": 0.25 },
};
const many = await debianImage(["chromium 6.1 chromium"]);
const image = await debianImage(["libssl3 3.0.11-1 openssl", "zlib1g 1:1.2.13 zlib"]);
const clean = await debianImage(["zlib1g 1:9 none"]);

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser(data);
  await used.server.push(image, "app", "1.0");
  await used.server.push(clean, "app", "clean");
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

/** Reloads a page until the bar of a row says what an image has: it is scanned after it was pushed. */
async function waitForSeverities(page: Page, row: Locator, told: RegExp): Promise<void> {
  const label = async () => {
    await page.reload();
    await row.waitFor();
    const bar = row.getByRole("img");
    return bar.getAttribute("aria-label", { timeout: 1000 }).catch(() => undefined);
  };
  await expect.poll(label).toMatch(told);
}

describe("the tags of a repository", () => {
  it("are shown with what is known of their vulnerabilities, in words as well", async () => {
    const { page, problems } = await used.open("/alice/app");
    const row = page.getByRole("row", { name: "1.0" });

    await waitForSeverities(page, row, /^Vulnerabilities: 1 High, 2 Low, 1 Negligible/);
    const box = await row.getByRole("img").boundingBox();

    expect(box?.width).toBe(96);
    expect(await row.getByRole("cell").allTextContents()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^[\d.]+ (?:B|KiB)$/),
        "amd64",
        expect.stringMatching(/ago$|now$/),
      ]),
    );
    const { pushedAt, exact } = await row
      .locator("time")
      .first()
      .evaluate((time) => {
        const { dateTime, title } = time as unknown as { readonly dateTime: string; readonly title: string };
        return { pushedAt: dateTime, exact: title };
      });
    expect(Math.abs(Date.parse(exact) - Date.parse(pushedAt))).toBeLessThan(1000);
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it.each(["/alice", "/"])(
    "are told of the newest one in the list of repositories at %s, by one request",
    async (path) => {
      await used.server.push(image, "newest", "1.0");
      const { page, problems, requests } = await used.open(path);
      const row = page.getByRole("row", { name: /^(?:alice\/)?newest / });

      await waitForSeverities(page, row, /^Vulnerabilities: 1 High, 2 Low, 1 Negligible/);

      const visits = requests.filter((url) => new URL(url).pathname === path).length;
      expect(requests.filter((url) => url.includes("/api/v1/repository?")).length).toBeLessThanOrEqual(visits);
      expect(problems).toEqual([]);
    },
  );

  it("never look safe where something was not assessed", async () => {
    await used.server.push(await debianImage([]), "unread", "1.0");
    const { page } = await used.open("/alice/unread");

    await page.getByRole("cell", { name: /not assessed|not all assessed/ }).waitFor();
  });
});

describe("the findings of an image", () => {
  it("are in the order of their risk: what is exploited, what may be, what is severe", async () => {
    const { page, problems } = await used.open("/alice/app:1.0");

    await page.getByRole("button", { name: "CVE-2024-1001" }).waitFor();
    const ids = await page.getByRole("button", { name: /^CVE-/ }).allTextContents();

    expect(ids).toEqual(["CVE-2023-1009", "CVE-2024-1002", "CVE-2024-1001", "CVE-2023-1008"]);
    expect(await page.getByRole("row", { name: "CVE-2023-1009" }).textContent()).toContain("exploited");
    expect(await page.getByRole("row", { name: "CVE-2024-1002" }).textContent()).toContain("25.0\u00a0%");
    await page.getByRole("columnheader", { name: "Exploits (EPSS)" }).waitFor();
    expect(await page.title()).toBe("app:1.0 – alice – Plimsoll");
    expect(problems).toEqual([]);
  });

  it("say why: where the package is, what the advisory is about, who says how severe it is", async () => {
    const { page } = await used.open("/alice/app:1.0");

    await page.getByRole("button", { name: "CVE-2024-1001" }).click();
    const details = await page.locator(".details").textContent();

    expect(details).toContain("libssl3 3.0.11-1 is listed in var/lib/dpkg/status");
    expect(details).toContain("It was built from openssl 3.0.11-1.");
    expect(details).toContain("below 3.0.15-1");
    expect(details).toMatch(/debian.*: High/);
  });

  it("say by what their packages are needed, and mark what nothing is known to use", async () => {
    const layer = await buildLayer({
      "etc/os-release": debianRelease,
      "var/lib/dpkg/status": dpkgStatus("web 1", "curl 8", "libssl3 3.0.11-1 openssl", "zlib1g 1:1.2.13 zlib")
        .replace("Version: 1\n", "Version: 1\nDepends: curl\n")
        .replace("Version: 8\n", "Version: 8\nDepends: libssl3\n"),
      "var/lib/dpkg/info/web.list": "/usr/bin/web\n",
      "usr/bin/web": "a program",
    });
    await used.server.push(buildImage({ layers: [layer], config: { config: { Cmd: ["web"] } } }), "needs", "1");
    const { page, problems } = await used.open("/alice/needs:1");
    const textOf = (name: string) => page.getByRole("row", { name }).first().textContent();

    await page.getByRole("button", { name: "CVE-2024-1001" }).click();
    const ofNeeded = [await textOf("CVE-2024-1001"), await page.locator(".details").textContent()];
    await page.getByRole("button", { name: "CVE-2024-1001" }).click();
    await page.getByRole("button", { name: "CVE-2023-1009" }).click();
    const ofOther = [await textOf("CVE-2023-1009"), await page.locator(".details").textContent()];
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("link", { name: "Packages" }).click();
    await page.getByRole("rowheader", { name: "web" }).first().waitFor();

    for (const each of ofNeeded) expect(each).toContain("curl 8, which web 1 needs");
    expect(ofNeeded.join()).not.toContain("No evidence");
    for (const each of ofOther) expect(each).toContain("No evidence of use");
    expect(ofOther[1]).toContain("this does not mean that it is not vulnerable");
    expect(await textOf("libssl3")).toContain("Needed by curl 8, which web 1 needs");
    expect(await textOf("zlib1g")).toContain("No evidence of use");
    expect(problems).toEqual([]);
  });

  it("have each id beside its mark, on one line, however narrow the window", async () => {
    const { page } = await used.open("/alice/app:1.0");
    const button = page.getByRole("button", { name: "CVE-2024-1001" });
    const heightAt = async (pixels: number) => {
      await page.setViewportSize({ width: pixels, height: 800 });
      return (await button.boundingBox())?.height;
    };
    await button.waitFor();

    const height = await heightAt(1920);
    for (const width of [360, 800, 1280]) expect([width, await heightAt(width)]).toEqual([width, height]);
  });

  it("lead visitors who have not signed in to the images that have them by way of signing in", async () => {
    await api("POST", "/repository/alice/app/changevisibility", { visibility: "public" });
    await using context = await used.browser.newContext();
    const { page } = await used.open("/alice/app:1.0", context);

    await page.getByRole("button", { name: "CVE-2024-1001" }).click();
    expect(await page.getByRole("link", { name: "All images that have it" }).count()).toBe(0);
    await page.getByRole("link", { name: "Sign in to see which images have CVE-2024-1001" }).click();
    await giveCredentials(page);

    await page.waitForURL("**/cve/CVE-2024-1001");
    await page.getByRole("row", { name: "alice/app" }).first().waitFor();
    expect(await page.title()).toBe("CVE-2024-1001 – Plimsoll");
  });

  it("are grouped by the upgrade that removes them, also on reload", async () => {
    const { page } = await used.open("/alice/app:1.0");

    await page.getByRole("button", { name: "Group by upgrade" }).click();
    await page.reload();

    await page.getByText("Upgrade zlib from 1:1.2.13 to 1:2").waitFor();
    expect(await page.getByText("removes 2 findings: 1 Low, 1 Negligible").count()).toBe(1);
    const upgrades = await page.locator("summary", { hasText: "Upgrade" }).allTextContents();
    expect(upgrades.map((each) => each.split(" ")[1])).toEqual(["zlib", "openssl"]);
    expect(await findBarriers(page)).toEqual([]);
  });

  it("are filtered by known exploits", async () => {
    const { page } = await used.open("/alice/app:1.0");

    await page.getByRole("button", { name: "Exploited 1" }).click();

    await expect.poll(() => page.getByRole("button", { name: /^CVE-/ }).allTextContents()).toEqual(["CVE-2023-1009"]);
    expect(new URL(page.url()).search).toBe("?exploited=yes");
  });

  it("are usable where there are thousands: a part is shown, and the filter finds each", async () => {
    await used.server.push(many, "many", "1");
    const { page, problems } = await used.open("/alice/many:1");

    await page.getByRole("button", { name: "CVE-2020-10000" }).waitFor();
    await page.getByText("1–50 of 5\u2009000", { exact: true }).waitFor();
    expect(await page.getByRole("row").count()).toBe(51);
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByRole("button", { name: "CVE-2020-10050" }).waitFor();
    await page.getByRole("columnheader").getByRole("button", { name: "Vulnerability" }).click(); // back to the first page
    await page.getByRole("button", { name: "CVE-2020-10000" }).waitFor();
    expect(new URL(page.url()).search).toBe("?order=name");
    await page.getByRole("searchbox", { name: "Filter by id or package" }).fill("CVE-2020-14999");
    await page.getByRole("button", { name: "CVE-2020-14999" }).click();

    await page.getByText("chromium 6.1 is listed in").waitFor();
    expect(problems).toEqual([]);
  });
});

/** What a page with thousands of findings may have and do. */
const budget = { nodes: 3000, kilobytes: 200, scriptMs: 50 } as const;

describe("a page with thousands of findings", () => {
  it("has no more nodes and bytes than its budget, and no frame of a scroll runs longer", async () => {
    await used.server.push(many, "budget", "1");
    const { page, requests } = await used.open("/alice/budget:1");
    const answers: number[] = [];
    page.on("response", async (answer) => {
      if (answer.url().includes("/security/findings")) answers.push((await answer.body()).length / 1024);
    });

    await page.getByRole("button", { name: "CVE-2020-10000" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "CVE-2020-10000" }).waitFor();
    const scrolls: number[] = [];
    for (let round = 0; round < 3; round++) scrolls.push(await longestScript(page)); // another process may hold up one of them

    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThanOrEqual(budget.nodes);
    expect(Math.max(...answers)).toBeLessThanOrEqual(budget.kilobytes);
    expect(Math.min(...scrolls)).toBeLessThanOrEqual(budget.scriptMs);
    expect(requests.filter((url) => /\/security(?:\?|$)/.test(url))).toEqual([]);
  });

  it("notices a script that is too long", async () => {
    const { page } = await used.open("/alice/app:1.0");
    await page.getByRole("button", { name: "CVE-2024-1001" }).waitFor();
    await page.evaluate(
      "addEventListener('scroll', () => { const end = performance.now() + 80; while (performance.now() < end); })",
    );
    await page.setViewportSize({ width: 1280, height: 200 });

    expect(await longestScript(page)).toBeGreaterThan(budget.scriptMs);
  });
});

/** Scrolls to the end of a page, and returns how many milliseconds the scripts of the slowest frame took. */
async function longestScript(page: Page): Promise<number> {
  const script = `(async () => {
    let longest = 0;
    const note = (list) => {
      for (const { scripts } of list.getEntries())
        longest = Math.max(longest, scripts.reduce((sum, { duration }) => sum + duration, 0));
    };
    const observer = new PerformanceObserver(note);
    observer.observe({ type: "long-animation-frame" });
    scrollTo(0, 0);
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const end = document.documentElement.scrollHeight - innerHeight;
    for (let at = 0; at <= end + 100; at += 100) {
      scrollTo(0, at);
      await frame();
    }
    await frame();
    await new Promise((resolve) => setTimeout(resolve, 100));
    note({ getEntries: () => observer.takeRecords() });
    observer.disconnect();
    return longest;
  })()`;
  return Number(await page.evaluate(script));
}

describe("the feed of a finding", () => {
  it("is where superusers learn how old it is and whether updates fail; others read its name", async () => {
    const { page, problems } = await used.open("/alice/app:1.0");
    await page.getByRole("button", { name: /^CVE-/ }).first().click();
    await page.getByRole("link", { name: "debian", exact: true }).click();

    await page.getByRole("rowheader", { name: "debian" }).waitFor();
    expect(await page.getByRole("rowheader").count()).toBe(1);
    await page.getByRole("searchbox", { name: "Filter by name" }).fill("no such feed");
    await page.getByText("No feed has “no such feed” in its name.").waitFor();
    expect(problems).toEqual([]);
  });
});

describe("a suppressed vulnerability", () => {
  it("has a reason and an end, is no finding while its rule counts, and is one again once the rule is removed", async () => {
    await used.server.push(image, "suppressed", "1");
    const { page, problems } = await used.open("/alice/suppressed:1");

    await page.getByRole("button", { name: "CVE-2024-1001" }).click();
    await page.getByRole("button", { name: "Suppress", exact: true }).click();
    await page.getByLabel("Reason").fill("TLS ends at the <b>proxy</b>");
    await page.getByRole("button", { name: "Suppress vulnerability" }).click();
    await page.getByRole("button", { name: "CVE-2024-1001" }).waitFor({ state: "detached" });
    await page.getByText("1 finding is suppressed").click();
    const row = await page.getByRole("row", { name: "CVE-2024-1001" }).textContent();
    await page.goto(`${used.server.address}/alice/suppressed?view=suppressed`);
    await page.getByRole("rowheader", { name: "CVE-2024-1001" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove rule" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove rule" }).click();
    await page.getByText("No vulnerability is suppressed here.").waitFor();
    await page.goto(`${used.server.address}/alice/suppressed:1`);

    await page.getByRole("button", { name: "CVE-2024-1001" }).waitFor();
    expect(row).toContain("TLS ends at the <b>proxy</b>");
    expect(row).toContain("alice");
    expect(problems).toEqual([]);
  });

  it("is one of several that are chosen, with one reason, each in its package", async () => {
    await used.server.push(image, "several", "1");
    const { page, problems } = await used.open("/alice/several:1");

    await page.getByRole("checkbox", { name: "All of this page" }).check();
    const chosen = Number.parseInt((await page.getByText(/^[0-9]+ chosen$/).textContent()) ?? "", 10);
    await page.getByLabel("Reason").fill("none is reached");
    await page.getByRole("button", { name: "Suppress chosen vulnerabilities" }).click();
    await page.getByText(new RegExp(`^${chosen} findings? (?:is|are) suppressed`)).waitFor();
    const { rules } = (await api("GET", "/repository/alice/several/ignorerules")) as {
      readonly rules: readonly { readonly reason: string; readonly package: string | null }[];
    };

    expect(rules.length).toBe(chosen);
    expect(new Set(rules.map(({ reason }) => reason))).toEqual(new Set(["none is reached"]));
    expect(rules.filter((rule) => rule.package === null)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("is not made without a reason", async () => {
    const { page } = await used.open("/alice/app:1.0");

    await page.getByRole("button", { name: "CVE-2024-1001" }).click();
    await page.getByRole("button", { name: "Suppress", exact: true }).click();
    await page.getByLabel("Reason").fill("   ");
    await page.getByRole("button", { name: "Suppress vulnerability" }).click();

    await page.getByRole("alert").getByText("reason").waitFor();
    expect(await page.getByLabel("Reason").inputValue()).toBe("   ");
  });
});

describe("the report as a file", () => {
  it.each([
    ["SARIF", /^app-[0-9a-f]{12}\.sarif$/, '"2.1.0"'],
    ["CycloneDX", /\.cdx\.json$/, "CycloneDX"],
    ["SPDX", /\.spdx\.json$/, "SPDX-2.3"],
    ["CSV", /\.csv$/, '"CVE-2024-1001"'],
  ])("is downloaded as %s", async (format, name, content) => {
    const { page, problems } = await used.open("/alice/app:1.0");

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: format, exact: true }).click(),
    ]);

    expect(download.suggestedFilename()).toMatch(name);
    expect(await text(await download.createReadStream())).toContain(content);
    expect(problems).toEqual([]);
  });
});

describe("the overview of an image", () => {
  it("tells when its tag was pushed, and by whom those who may read the usage log", async () => {
    await used.server.push(image, "overview", "1");
    await api("POST", "/repository/alice/overview/changevisibility", { visibility: "public" });
    await using context = await used.browser.newContext();
    const { page, problems, requests } = await used.open("/alice/overview:1");
    const { page: ofVisitor } = await used.open("/alice/overview:1", context);

    await page.locator("dd", { hasText: / by alice$/ }).waitFor();
    await page.getByText("Pushed", { exact: true }).waitFor();
    await ofVisitor.getByText("Changed", { exact: true }).waitFor();
    expect(await ofVisitor.getByText("by alice").count()).toBe(0);
    expect(requests.filter((url) => /labels|logs/.test(url))).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("has the labels of the image, those that were added, and those of a list of images, as text", async () => {
    const Labels = { "org.opencontainers.image.title": "<b>shop</b>", maintainer: "team-shop" };
    const labelled = buildImage({ layers: image.layers, config: { config: { Labels } } });
    const list = buildIndex([labelled]);
    await used.server.push(labelled, "labelled", "1");
    await used.server.push(list, "labelled", "list");
    for (const { digest } of [labelled, list]) {
      const label = { key: "reviewed", value: "yes", media_type: null };
      await api("POST", `/repository/alice/labelled/manifest/${digest}/labels`, label);
    }
    const { page, problems } = await used.open("/alice/labelled:1");

    await page.getByRole("link", { name: "Labels" }).click();
    await page.getByRole("row", { name: "maintainer team-shop the image" }).waitFor();
    await page.getByRole("row", { name: "org.opencontainers.image.title <b>shop</b> the image" }).waitFor();
    await page.getByRole("row", { name: "reviewed yes the API" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.goto(`${used.server.address}/alice/labelled:list?view=labels`);
    await page.getByRole("row", { name: "reviewed yes the API" }).waitFor();
    await page.goto(`${used.server.address}/alice/app:1.0?view=labels`);
    await page.getByText("The image has no label.").waitFor();
    expect(problems).toEqual([]);
  });
});

describe("the licences of an image", () => {
  it("are shown as packages state them, filtered, and are in its bill of materials", async () => {
    const layer = await buildLayer({
      "etc/os-release": debianRelease,
      "var/lib/dpkg/status": dpkgStatus("libssl3 3.0.11-1 openssl", "zlib1g 1:1.2.13 zlib"),
      "usr/share/doc/zlib1g/copyright": `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: *
Copyright: 1995-2022 The authors
License: Zlib
`,
      "app/node_modules/left-pad/package.json": '{"name":"left-pad","version":"1.3.0","license":"WTFPL OR MIT"}',
    });
    await used.server.push(await buildImage({ layers: [layer] }), "licensed", "1.0");
    const { page, problems } = await used.open("/alice/licensed:1.0");
    await page.getByText("vulnerabilities").first().waitFor();

    await page.getByRole("link", { name: "Licences" }).click();
    await page.getByText("3 packages. 1 state no licence.").waitFor();
    const zlib = await page.getByRole("row", { name: "zlib1g" }).textContent();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("combobox", { name: "Licence" }).selectOption("MIT");
    await page.getByRole("row", { name: "zlib1g" }).waitFor({ state: "detached" });

    expect(zlib).toContain("Zlibusr/share/doc/zlib1g/copyright");
    expect(await page.getByRole("row", { name: "left-pad" }).textContent()).toContain("WTFPL OR MIT");
    expect(new URL(page.url()).search).toBe("?view=licenses&license=MIT");
    await page.getByRole("combobox", { name: "Licence" }).selectOption({ label: "not stated (1)" });
    await page.getByRole("row", { name: "libssl3" }).waitFor();
    await page.getByRole("link", { name: "Packages" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CycloneDX" }).click(),
    ]);
    expect(await api("GET", "/security/images?license=zlib")).toMatchObject({
      images: [{ repository: "alice/licensed", tags: ["1.0"], packages: [{ name: "zlib1g" }] }],
    });
    expect(await api("GET", "/security/images?package_name=left-pad&version=1.3.0")).toMatchObject({
      images: [{ repository: "alice/licensed", packages: [{ name: "left-pad", version: "1.3.0" }] }],
    });
    const { components } = JSON.parse(await text(await download.createReadStream()));
    expect(components).toContainEqual(
      expect.objectContaining({
        name: "zlib1g",
        licenses: expect.arrayContaining([{ license: { id: "Zlib", acknowledgement: "declared" } }]),
      }),
    );
    expect(problems).toEqual([]);
  });
});

describe("two tags", () => {
  it("are compared by packages and vulnerabilities, and the comparison has an address", async () => {
    await used.server.push(
      await debianImage(["libssl3 3.0.15-1 openssl", "zlib1g 1:1.2.13 zlib", "curl 8 curl"]),
      "app",
      "2.0",
    );
    const { page, problems } = await used.open("/alice/app:2.0?view=compare");

    await page.getByLabel("Compare with").selectOption("1.0");
    await page.getByRole("button", { name: "Compare images" }).click();
    await page.getByText("0 added, 1 removed, 3 unchanged.").waitFor();
    await page.reload();

    expect(new URL(page.url()).search).toBe("?view=compare&compare=1.0");
    const gone = await page.getByRole("row", { name: "CVE-2024-1001" }).textContent();
    expect(gone).toContain("fixed");
    expect(await page.getByRole("row", { name: "curl" }).textContent()).toContain("added");
    expect(await page.getByRole("row", { name: "changed libssl3" }).textContent()).toContain("3.0.15-1");
    await page.getByText("Packages that both have need the same.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("are compared by one platform, of a tag that has several", async () => {
    const other = await debianImage(["curl 7 curl"]);
    await used.server.push(
      buildIndex([clean, { ...other, platform: { os: "linux", architecture: "arm64" } }]),
      "many",
      "1",
    );
    await used.server.push(image, "many", "2");
    const { page, problems } = await used.open("/alice/many:2?view=compare");

    await page.getByLabel("Compare with").selectOption("1");
    await page.getByRole("button", { name: "Compare images" }).click();
    await page.getByLabel("Platform").selectOption("linux/arm64");

    await page.getByRole("row", { name: "curl" }).waitFor();
    expect(new URL(page.url()).search).toBe("?view=compare&compare=1&platform=linux%2Farm64");
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("are none where there is only one", async () => {
    await used.server.push(image, "single", "1");
    const { page } = await used.open("/alice/single:1?view=compare");

    await page.getByText("The repository has no other tag to compare with.").waitFor();
  });
});

describe("the command that pulls", () => {
  it("names the newest tag where none is called latest", async () => {
    await used.server.push(image, "named", "1.2");
    const { page } = await used.open("/alice/named?view=information");
    const command = page.locator(".command code");

    expect(await command.textContent()).toBe(`docker pull ${new URL(used.server.address).host}/alice/named:1.2`);
    await used.server.push(image, "named", "latest");
    await page.reload();
    expect(await command.textContent()).toBe(`docker pull ${new URL(used.server.address).host}/alice/named`);
  });
});

describe("a list of repositories", () => {
  it("draws how often each was pulled, by day, and says it to those who do not see it, without requests for its rows", async () => {
    await used.server.push(image, "pulled", "1");
    await used.server.push(image, "unpulled", "1");
    used.server.countPulls("pulled", [2, 0, 1200, 40]);
    const { page, problems, requests } = await used.open("/alice");

    const drawing = page.getByRole("row", { name: "pulled", exact: false }).getByRole("img", { name: "1\u2009242 in" });
    await drawing.first().waitFor();
    expect(await drawing.getAttribute("aria-label")).toBe(
      "1\u2009242 in the 30 days before today, at most 1\u2009200 on a day",
    );
    expect(await drawing.locator("rect").count()).toBe(3);
    expect(
      await page
        .getByRole("row", { name: /^alice\/unpulled / })
        .getByRole("cell")
        .last()
        .textContent(),
    ).toBe("none");
    expect(requests.filter((url) => url.includes("/api/v1/repository")).length).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe("tags of the same image", () => {
  it("are not compared, and said to be the same", async () => {
    await used.server.push(image, "twins", "1");
    await used.server.push(image, "twins", "2");
    const { page } = await used.open("/alice/twins:1?view=compare");

    await page.getByText("Its other tags are the same image.").waitFor();
  });
});

describe("a repository of ten thousand tags", () => {
  it("shows a page of them with what they have, goes on to the next, and filters them all", async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `1.0.${index}`);
    await used.server.push(clean, "tagged", "first");
    await used.server.tag("tagged", names);
    const { page, problems, requests } = await used.open("/alice/tagged");

    await page.getByRole("link", { name: "1.0.9999", exact: true }).waitFor();
    expect(await page.getByRole("row").count()).toBe(51);
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByRole("link", { name: "1.0.9949", exact: true }).waitFor();
    await page.getByText("Page 2", { exact: true }).waitFor(); // more than are counted
    await page.getByRole("searchbox", { name: "Filter tags" }).fill("1.0.12");
    await page.getByText("1–50 of 111", { exact: true }).waitFor();
    await page.getByRole("searchbox", { name: "Filter tags" }).fill("1.0.1234");
    await page.getByRole("link", { name: "1.0.1234", exact: true }).waitFor();

    await page.goto(`${used.server.address}/alice/tagged?view=history&tag=1.0.12`);
    await page.getByText("1–100 of 111", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText("101–111 of 111", { exact: true }).waitFor();
    expect(await page.getByRole("row").count()).toBe(12);

    expect(requests.filter((url) => url.includes("/tag/?")).length).toBeLessThan(15);
    expect(problems).toEqual([]);
  });
});

describe("the layers of an image", () => {
  it("stand beside the steps that made them, with their sizes; steps that change no file say so", async () => {
    const layers = [
      await buildLayer({ "etc/motd": "one" }),
      await buildLayer({ "etc/issue": "x".repeat(5000) }, "plain"),
    ];
    const history = [
      { created_by: "COPY motd /etc/ # buildkit" },
      { created_by: 'CMD ["/bin/sh"]', empty_layer: true },
      { created_by: "RUN write <b>issue</b>" },
    ];
    const built = buildImage({ layers, config: { history } });
    await used.server.push(built, "steps", "1.0");
    const { page, problems } = await used.open("/alice/steps:1.0?view=layers");
    await page.getByRole("cell", { name: "COPY motd" }).waitFor();

    const rows = await page.getByRole("row").allInnerTexts();
    const shown = layers.map(({ digest }) => digest.slice("sha256:".length, "sha256:".length + 12));
    expect(rows.slice(1)).toEqual([
      expect.stringMatching(new RegExp(`COPY motd .*${shown[0]}.* B`, "s")),
      expect.stringMatching(/CMD .*changes no files/s),
      expect.stringMatching(new RegExp(`RUN write <b>issue</b>.*${shown[1]}.* KiB`, "s")),
    ]);
    expect(problems).toEqual([]);
  });
});

describe("artifacts of an image", () => {
  it("are listed by what they are, and lead to their own page", async () => {
    const artifactOf = async (type: string) => {
      const layers = [await buildLayer({ content: type })];
      const artifactType = `application/${type}`;
      return buildImage({ layers, manifest: { artifactType, subject: describeBlob(image) } });
    };
    const bill = await artifactOf("vnd.cyclonedx+json");
    const signature = await artifactOf("vnd.dev.cosign.artifact.sig.v1+json");
    for (const artifact of [bill, signature]) await used.server.push(artifact, "app", artifact.digest);
    const { page, problems } = await used.open("/alice/app:1.0?view=artifacts");

    await page.getByRole("link", { name: "Signature" }).waitFor();
    await page.getByRole("link", { name: "Bill of materials" }).click();

    await page.waitForURL((url) => url.pathname === `/alice/app@${bill.digest}`);
    const { page: without } = await used.open("/alice/app:clean?view=artifacts");
    await without.getByText("No artifact refers to this image").waitFor();
    expect(await findBarriers(without)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
