import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { openConsoleFiles } from "./console-files.ts";

it("reads the page and the files of the first folder that has them", () => {
  const folder = mkdtempSync(join(tmpdir(), "console-files-"));
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "index-1.css"), "a{}");

  const files = openConsoleFiles([join(folder, "nothing"), folder]);

  rmSync(folder, { recursive: true });
  expect(files?.page).toMatchObject({ mediaType: "text/html; charset=utf-8" });
  expect([...(files?.assets.keys() ?? [])]).toEqual(["index-1.css"]);
  const style = files?.assets.get("index-1.css");
  expect(style?.mediaType).toBe("text/css; charset=utf-8");
  expect(String(gunzipSync(style?.gzipped ?? ""))).toBe("a{}");
});

it("has no files where the console was not built", () => {
  expect(openConsoleFiles([join(tmpdir(), "no-such-console")])).toBeUndefined();
});
