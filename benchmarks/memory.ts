/**
 * The peak memory of the published command for large inputs, and its limit of 300 MB:
 *
 *     npm run build && node --conditions=plimsoll-source --max-old-space-size=6000 benchmarks/memory.ts [--full]
 *
 * The inputs are a dpkg database of 89 MB, rpm databases of 210 MB, an image of 200 layers, and an export and an import of 200,000
 * ranges, or 2,000,000 with `--full`. Each run is a new process with a new database.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  largeDpkgStatus,
  largeLayer,
  largeRpmDatabase,
  manyLayers,
  writeImage,
  writeRanges,
  writeSnapshot,
} from "../tests/support/large-inputs.ts";
import { measure } from "./lib/measure.ts";

const ranges = process.argv.includes("--full") ? 2_000_000 : 200_000;
const promisedMegabytes = 300;
const command = join(import.meta.dirname, "..", "packages", "server", "dist", "plimsoll.js");
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
const at = (name: string) => join(scratch, name);

function report(name: string, words: string): void {
  const timed = `/usr/bin/time -f %M -o '${at("peak")}' '${process.execPath}' '${command}' ${words}`;
  const { output, cpuSeconds } = measure(`${timed} > '${at("out")}'; cat '${at("peak")}'`);
  const megabytes = (Number(output) * 1024) / 1e6;
  const ratio = (megabytes / promisedMegabytes).toFixed(2);
  console.log(`${name.padEnd(36)} ${megabytes.toFixed(0)} MB, ${ratio} of the limit  ${cpuSeconds.toFixed(1)} s cpu`);
}

async function reportImage(name: string, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  await writeImage(at("image.tar"), [await largeLayer(files)]);
  report(name, `index '${at("image.tar")}' --db '${at(`${name}.db`)}'`);
}

try {
  const status = largeDpkgStatus({ packages: 9_500, bytes: 89e6 });
  await reportImage("dpkg, 89 MB", { "var/lib/dpkg/status": status });
  const sqlite = largeRpmDatabase({ packages: 5_000, bytes: 210e6 }, "sqlite");
  await reportImage("rpm (sqlite), 210 MB", { "var/lib/rpm/rpmdb.sqlite": sqlite });
  const ndb = largeRpmDatabase({ packages: 250, bytes: 210e6 }, "ndb");
  await reportImage("rpm (ndb), 210 MB", { "var/lib/rpm/Packages.db": ndb });
  await writeImage(at("image.tar"), await manyLayers(200, { packages: 500, files: 2_000 }));
  report("200 layers", `index '${at("image.tar")}' --db '${at("layers.db")}'`);
  await writeRanges(at("ranges.db"), ranges);
  report(`db export, ${ranges} ranges`, `db export '${at("export.gz")}' --db '${at("ranges.db")}'`);
  await writeSnapshot(at("import.gz"), ranges);
  report(`db import, ${ranges} ranges`, `db import '${at("import.gz")}' --db '${at("import.db")}'`);
} finally {
  rmSync(scratch, { recursive: true });
}
