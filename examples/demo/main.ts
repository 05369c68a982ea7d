/**
 * Packs the files of a real Debian 12 and of an application into layers, scans them against the snapshot in this folder, writes an HTML
 * report and explains one verdict.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCli } from "@plimsoll/server";
import { packImage } from "./pack-image.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "plimsoll-demo-"));
const image = join(work, "image");
const report = join(mkdtempSync(join(tmpdir(), "plimsoll-report-")), "plimsoll-demo.html"); // it stays
const db = ["--db", join(work, "plimsoll.db"), "--offline"];

/** Advisories of the distribution and of languages, severities, probabilities of exploits, and known exploited vulnerabilities. */
const feeds = Object.entries({
  debian: join("debian", "tracker.json"),
  osv: "osv",
  nvd: "nvd.json",
  epss: "epss.csv",
  kev: "kev.json",
}).flatMap(([name, place]) => ["--feed", `${name}=${join(here, "snapshot", place)}`]);

async function plimsoll(...words: string[]): Promise<void> {
  console.log(`\n$ plimsoll ${words.join(" ")}\n`);
  const { stdin, stdout, stderr, env } = process;
  const code = await runCli([...words, ...db], { stdin, stdout, stderr, env, now: Date.now });
  if (code !== 0) throw new Error(`plimsoll ended with exit code ${code}`);
}

try {
  const layers = ["base", "upgrade", "app"].map((name) => join(here, "image", name));
  await packImage(layers, image, "shop");
  await plimsoll("db", "update", ...feeds);
  await plimsoll("scan", `oci-dir:${image}:shop`, "-o", "table", "-o", report);
  await plimsoll("explain", `oci-dir:${image}:shop`, "CVE-2021-44228");
  console.log(`\nThe report for a browser: ${report}`);
  console.log("The same report in the console: npm run demo:console");
} finally {
  rmSync(work, { recursive: true });
}
