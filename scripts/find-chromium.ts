import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The headless one first: a page takes a quarter of the processor time there. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The path of Chromium on this machine: `PLIMSOLL_TEST_CHROMIUM`, or one in the PATH; undefined where there is none. */
export function findChromium(): string | undefined {
  const given = process.env.PLIMSOLL_TEST_CHROMIUM;
  if (given !== undefined) return given;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}
