/** Runs every example as its README says, on data that needs no network; fails when one fails. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScanner } from "@plimsoll/scanner";
import { packImage } from "./demo/pack-image.ts";

const here = import.meta.dirname;
const work = mkdtempSync(join(tmpdir(), "plimsoll-examples-"));
const image = join(work, "image");
const db = join(work, "plimsoll.db");
const runs = [["match-one-package"], ["custom-detector"], ["scan-five-lines", `oci-dir:${image}`, db]];

async function loadAdvisories(): Promise<void> {
  await using scanner = await openScanner({ db, offline: true });
  const locations = { debian: join(here, "demo", "snapshot", "debian", "tracker.json") };
  await scanner.updateFeeds({ only: ["debian"], locations });
}

try {
  await packImage([join(here, "demo", "image", "base")], image);
  await loadAdvisories();
  for (const [name = "", ...words] of runs) {
    console.log(`# ${name}`);
    const main = join(here, name, "main.ts");
    const { status } = spawnSync(process.execPath, [...process.execArgv, main, ...words], { stdio: "inherit" });
    if (status !== 0) throw new Error(`${name} ended with exit code ${status}`);
  }
} finally {
  rmSync(work, { recursive: true });
}
