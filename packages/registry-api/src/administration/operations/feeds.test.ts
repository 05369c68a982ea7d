import { basicScanner, type ImageScanner, type ScannerFeeds } from "@plimsoll/registry/ports/scanning";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const debian = { name: "debian", kind: "vulnerability", rows: 3, dropped: 1, changedAt: 1, checkedAt: 2 } as const;
const epss = { ...debian, name: "epss", kind: "enrichment" } as const;

const records = {
  ...{ total: 6, read: 2, withdrawn: 1, failed: 1 },
  skipped: [{ rule: "repeated", meaning: "of which another document has been read", count: 2, example: "a.json" }],
};

const told: ScannerFeeds = {
  loaded: [
    { ...debian, isOutdated: true, records },
    { ...epss, isOutdated: false },
  ],
  missing: ["alpine", "kev"],
  failures: ["alpine", "epss"].map((name) => ({ name, failedAt: 5, reason: `no host of ${name}` })),
};

describe("listFeeds", () => {
  it("shows loaded feeds with what became of their records, missing ones, and why the last update of each failed", async () => {
    const imageScanner = { feeds: async () => told } as unknown as ImageScanner;
    await using registry = await openTestRegistry({ ports: { imageScanner } });
    const call = await registry.session(await registry.user("root"));

    const { status, body } = await call("GET", "/superuser/feeds");

    const shown = { kind: "vulnerability", rows: 3, dropped: 1, changed_at: 1, checked_at: 2 };
    expect(status).toBe(200);
    expect(body).toEqual({
      feeds: [
        { name: "debian", ...shown, records, is_outdated: true, last_failure: null },
        {
          ...{ name: "epss", ...shown, kind: "enrichment", records: null, is_outdated: false },
          last_failure: { failed_at: 5, reason: "no host of epss" },
        },
      ],
      missing: [
        { name: "alpine", last_failure: { failed_at: 5, reason: "no host of alpine" } },
        { name: "kev", last_failure: null },
      ],
    });
  });

  it("answers null if the scanner does not provide its feeds", async () => {
    await using registry = await openTestRegistry({ ports: { imageScanner: basicScanner as unknown as ImageScanner } });
    const call = await registry.session(await registry.user("root"));

    expect((await call("GET", "/superuser/feeds")).body).toEqual({ feeds: null, missing: null });
  });
});
