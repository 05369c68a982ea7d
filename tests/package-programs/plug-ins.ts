/** A scan with the plug-ins of `crystal.ts`: the feed's advisories are matched with what the detector finds, and the enricher adds to the result. */
import { mkdirSync, writeFileSync } from "node:fs";
import { formatCpe, parseWfn } from "@plimsoll/core/cpe";
import { fromDir, openScanner } from "@plimsoll/scanner";
import { engine } from "./crystal.ts";

mkdirSync("crystal-root/app", { recursive: true });
writeFileSync("crystal-root/app/shard.lock", "kemal 1\n");
writeFileSync("feed.json", "{}");
await using scanner = await openScanner({ db: ":memory:", engine });
const locations = { crystal: "feed.json", scores: "feed.json" };
const results = await scanner.updateFeeds({ only: Object.keys(locations), locations });
if (results.some(({ kind }) => kind !== "updated")) throw new Error(JSON.stringify(results));
const report = await scanner.scan(fromDir("crystal-root"));
const [finding] = report.findings();
if (finding?.id !== "CVE-2024-0002" || finding.fixedIn !== "2") throw new Error(JSON.stringify(report.index));
const { enrichments } = report.vulnerabilities;
if (!JSON.stringify(enrichments).includes("example/scores")) throw new Error(JSON.stringify(enrichments));
console.log(finding.package.name, finding.id, formatCpe(parseWfn("cpe:2.3:o:a:b:1:*:*:*:*:*:*:*")));
