import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expireDownloads } from "./update-feeds.ts";

const day = 86_400_000;
const now = Date.UTC(2026, 0, 20);

describe("expireDownloads", () => {
  let root = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "plimsoll-expire-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const begin = (feed: string, ...ages: readonly number[]) => {
    mkdirSync(join(root, "downloads", feed), { recursive: true });
    for (const [at, age] of ages.entries()) {
      const file = join(root, "downloads", feed, `${at}`);
      writeFileSync(file, "x");
      utimesSync(file, new Date(now - age), new Date(now - age));
    }
    const begun = new Date(now - (ages[0] ?? 9 * day));
    utimesSync(join(root, "downloads", feed), begun, begun);
  };

  it("removes what has waited for longer than a week, and nothing else", async () => {
    begin("old", 8 * day, 30 * day);
    begin("gone-on-with", 30 * day, day);
    begin("new", 0);
    begin("just-begun");
    utimesSync(join(root, "downloads", "just-begun"), new Date(now), new Date(now));

    await expireDownloads(join(root, "downloads"), now);

    expect(readdirSync(join(root, "downloads")).sort()).toEqual(["gone-on-with", "just-begun", "new"]);
  });

  it("removes the folder when nothing is left in it", async () => {
    begin("old", 8 * day);
    begin("empty");

    await expireDownloads(join(root, "downloads"), now);

    expect(readdirSync(root)).toEqual([]);
  });

  it("does nothing where there is no folder", async () => {
    await expireDownloads(join(root, "nowhere"), now);

    expect(readdirSync(root)).toEqual([]);
  });
});
