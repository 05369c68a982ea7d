/** Runs every example as its README says, on data that needs no network; fails when one fails. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packImage } from "./demo/pack-image.ts";

const here = import.meta.dirname;
const work = mkdtempSync(join(tmpdir(), "plimsoll-examples-"));
const image = join(work, "image");
const runs = [
  ["match-one-package"],
  ["custom-detector"],
  ["scan-five-lines", `oci-dir:${image}`, join(work, "plimsoll.db")],
];

try {
  await packImage([join(here, "demo", "image", "base")], image);
  for (const [name = "", ...words] of runs) {
    console.log(`# ${name}`);
    const main = join(here, name, "main.ts");
    const { status } = spawnSync(process.execPath, [...process.execArgv, main, ...words], { stdio: "inherit" });
    if (status !== 0) throw new Error(`${name} ended with exit code ${status}`);
  }
} finally {
  rmSync(work, { recursive: true });
}
