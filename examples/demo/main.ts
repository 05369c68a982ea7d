/** Packs a real Debian 12 image tree into layers, scans it against the advisories beside it and explains one verdict. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCli } from "@plimsoll/server";
import { packImage } from "./pack-image.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "plimsoll-demo-"));
const image = join(work, "image");
const db = ["--db", join(work, "plimsoll.db"), "--offline"];

async function plimsoll(...words: string[]): Promise<void> {
  console.log(`\n$ plimsoll ${words.join(" ")}\n`);
  const { stdin, stdout, stderr, env } = process;
  const code = await runCli([...words, ...db], { stdin, stdout, stderr, env, now: Date.now });
  if (code !== 0) throw new Error(`plimsoll ended with exit code ${code}`);
}

try {
  await packImage([join(here, "image", "base"), join(here, "image", "upgrade")], image);
  await plimsoll("db", "update", "--feed", `debian=${join(here, "snapshot", "debian", "tracker.json")}`);
  await plimsoll("scan", `oci-dir:${image}`);
  await plimsoll("explain", `oci-dir:${image}`, "CVE-2026-103111");
} finally {
  rmSync(work, { recursive: true });
}
