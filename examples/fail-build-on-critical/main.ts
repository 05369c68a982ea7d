/** Lets a service index an image, and fails if it has vulnerabilities of a severity. node main.ts MANIFEST [SERVICE] [SEVERITY] */
import { existsSync, readFileSync } from "node:fs";

const [, , manifest, service = "http://127.0.0.1:6060", severity = "Critical"] = process.argv;
if (manifest === undefined || !existsSync(manifest)) {
  console.error(
    "usage: node main.ts MANIFEST [SERVICE] [SEVERITY]; MANIFEST is a file with the addresses of the layers",
  );
  process.exit(2);
}

const indexed = await fetch(`${service}/indexer/api/v1/index_report`, {
  method: "POST",
  headers: { "content-type": "application/vnd.scanner.manifest.v1+json" },
  body: readFileSync(manifest),
});
if (indexed.status !== 201) throw new Error(`the image was not indexed: ${await indexed.text()}`);

const { manifest_hash: digest } = (await indexed.json()) as { manifest_hash: string };
const answer = await fetch(`${service}/matcher/api/v1/vulnerability_report/${digest}`);
const { vulnerabilities } = (await answer.json()) as {
  vulnerabilities: Record<string, { name: string; normalized_severity: string; package: { name: string } }>;
};

const found = Object.values(vulnerabilities).filter(({ normalized_severity: its }) => its === severity);
for (const { name, package: its } of found) console.log(`${name} in ${its.name}`);
console.log(`${Object.keys(vulnerabilities).length} vulnerabilities, ${found.length} of them ${severity}`);
if (found.length > 0) process.exitCode = 1;
