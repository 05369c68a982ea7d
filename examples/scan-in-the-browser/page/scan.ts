/** Scans an archive in a worker, so that the page stays responsive and a scan that takes too long can be stopped. */
import {
  type Advisory,
  advisorySourceOf,
  allEcosystems,
  createEngine,
  fromArchiveBlob,
  indexSource,
  matchReport,
  onlyImage,
} from "@plimsoll/core";
import type { Answer, Row } from "./answer.ts";

const engine = createEngine({ ecosystems: allEcosystems });

self.onmessage = async ({ data }: MessageEvent<File>) => {
  const answer = await scan(data).catch((error: Error): Answer => ({ kind: "failed", message: error.message }));
  self.postMessage(answer);
};

async function scan(file: File): Promise<Answer> {
  const source = fromArchiveBlob(file);
  const [advisories, image] = await Promise.all([loadAdvisories(), onlyImage(indexSource(engine, source), source)]);
  const report = await matchReport(engine, image.report, { advisories: advisorySourceOf(advisories) });
  const packages = Object.values(report.packages).length;
  const rows: Row[] = [];
  for (const [id, ids] of Object.entries(report.packageVulnerabilities)) {
    for (const each of ids) {
      const [found, vulnerability] = [report.packages[id], report.vulnerabilities[each]];
      if (found === undefined || vulnerability === undefined) continue;
      const { name, normalizedSeverity: severity, fixedInVersion = "" } = vulnerability;
      rows.push([found.name, found.version, name, severity, fixedInVersion]);
    }
  }
  return { kind: "scanned", reference: image.reference, packages, rows };
}

/** Reads a snapshot of `plimsoll db export`: a header line, one line per advisory, and a last line. */
async function loadAdvisories(): Promise<readonly Advisory[]> {
  const response = await fetch("advisories.gz");
  if (response.body === null || !response.ok) throw new Error(`cannot fetch the advisories: status ${response.status}`);
  const snapshot = new Response(response.body.pipeThrough(new DecompressionStream("gzip")));
  const lines = (await snapshot.text()).trimEnd().split("\n");
  return lines
    .slice(1, -1)
    .map((line) => JSON.parse(line))
    .filter((item) => "ecosystem" in item);
}
