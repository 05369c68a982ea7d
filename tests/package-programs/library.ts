/** The library: a scan of an image without a network. */
import { mkdirSync, writeFileSync } from "node:fs";
import { diff, fromDir, index, match, openScanner, ScanError } from "@plimsoll/scanner";

mkdirSync("root/etc", { recursive: true });
mkdirSync("root/var/lib/dpkg", { recursive: true });
writeFileSync("root/etc/os-release", 'ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\n');
const fields = [
  "Package: zlib1g",
  "Status: install ok installed",
  "Version: 1:1.2",
  "Architecture: amd64",
  "Source: zlib",
];
writeFileSync("root/var/lib/dpkg/status", `${fields.join("\n")}\n`);
writeFileSync("tracker.json", JSON.stringify({ zlib: { "CVE-2024-0001": tracked("1:1.3") } }));

await using scanner = await openScanner({ db: ":memory:" });
await scanner.updateFeeds({ only: ["debian"], locations: { debian: "tracker.json" } });
const report = await scanner.scan(fromDir("root"));
const [finding] = report.findings({ min: "Medium", fix: "available" });
if (finding?.id !== "CVE-2024-0001") throw new Error(`found ${finding?.id}`);

const { report: alone } = await index(fromDir("root"));
const none = await match(alone, []);
console.log(`${finding.package.name} ${finding.id}, ${diff(none, report.vulnerabilities).added.length} added`);
await scanner.close();
await scanner.feeds().catch((error: unknown) => {
  if (!(error instanceof ScanError) || error.code !== "closed") throw error;
});

function tracked(fixed: string) {
  const bookworm = { status: "resolved", fixed_version: fixed, urgency: "high", repositories: { bookworm: "1:1.2" } };
  return { description: "An overflow.", releases: { bookworm } };
}
