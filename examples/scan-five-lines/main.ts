/** Scans an image and prints the findings with a fix. node main.ts [SOURCE] [DATABASE] */
import { homedir } from "node:os";
import { join } from "node:path";
import { openScanner, parseSource } from "@plimsoll/scanner";

const usual = join(homedir(), ".cache", "scan-five-lines.db");
const [, , source = "registry:docker.io/library/debian:12", db = usual] = process.argv;

await using scanner = await openScanner({ db });
if ((await scanner.feeds()).length === 0) {
  for (const update of await scanner.updateFeeds()) if (update.kind === "failed") console.error(update.error);
}
const report = await scanner.scan(await parseSource(source));
for (const { package: found, fixedIn, id } of report.findings({ fix: "available" })) {
  console.log(`${found.name} ${found.version} → ${fixedIn} (${id})`);
}
