import type { Coverage, LayerCoverage, Problem } from "../model/index-report.ts";
import { thirdPartyKey } from "../model/package.ts";
import type { CoalescedPackage, ImageView } from "../plugins/coalescer.ts";
import type { Finding } from "../plugins/finding.ts";
import { filesApart } from "./files-apart.ts";
import { allFindings, isProblemOf } from "./image-view.ts";
import type { ImageLayer } from "./layer-findings.ts";
import { type Assessment, unassessedIn } from "./unassessed.ts";

/** Which parts of an image were read and which were not. Files that later layers removed are left out. */
export function coverageOf(
  {
    layers,
    packages,
    image,
    problems: unread,
  }: {
    readonly layers: readonly ImageLayer[];
    readonly packages: readonly CoalescedPackage[];
    readonly image: ImageView;
    /** Problems of the image that are none of a single layer. */
    readonly problems: readonly Problem[];
  },
  assessed: Assessment,
): Coverage {
  const problems = [
    ...layers.flatMap((layer, index) => [...problemsOf(layer, index, image)]),
    ...unreadLogs(layers),
    ...unread,
  ];
  const unassessed = unassessedIn(layers, image, assessed);
  const isRead = layers.every((layer) => layer.status === "read");
  const complete = isRead && problems.length === 0 && unassessed.length === 0;
  return {
    status: complete ? "complete" : "partial",
    layers: layers.map(layerCoverage),
    databases: databasesOf(layers, packages, image).filter(({ path }) => !assessed.unused.has(path)),
    problems,
    unassessed,
    thirdPartyPackages: packages.filter((found) => found.repositories.some(({ key }) => key === thirdPartyKey)).length,
  };
}

function layerCoverage(layer: ImageLayer): LayerCoverage {
  if (layer.status === "read") return { digest: layer.findings.digest, status: "read" };
  return { digest: layer.digest, status: layer.status, message: layer.message };
}

function* problemsOf(layer: ImageLayer, index: number, image: ImageView): Iterable<Problem> {
  for (const finding of findingsOf(layer)) {
    if (finding.kind === "problem" && isProblemOf(image, finding, index)) {
      yield { at: finding.path, code: finding.code, message: finding.message };
    }
  }
}

/** Write-ahead logs of the finished image that were not read, because their databases are in other layers or are missing. */
function* unreadLogs(layers: readonly ImageLayer[]): Iterable<Problem> {
  const { apart, alone } = filesApart(layers);
  for (const { databases, logs } of apart) {
    const layer = digestOf(layers[databases.layer]);
    const message = `expected to read this write-ahead log with its database, which is in layer ${layer}, found layers that can be read only once: scan the image from a file or a registry`;
    for (const at of logs.paths) yield { at, code: "unread_log", message };
  }
  for (const { log, database } of alone) {
    const message = `expected ${database}, the database of this write-ahead log, found the log only`;
    yield { at: log, code: "malformed_package_db", message };
  }
}

function digestOf(layer: ImageLayer | undefined): string {
  return layer?.status === "read" ? layer.findings.digest : "";
}

function databasesOf(
  layers: readonly ImageLayer[],
  packages: readonly CoalescedPackage[],
  image: ImageView,
): Coverage["databases"] {
  const byDatabase = Map.groupBy(packages, (found) => found.packageDb);
  return layers.flatMap((layer, index) =>
    [...findingsOf(layer)].flatMap((finding) =>
      layer.status === "read" && finding.kind === "database" && image.survives(finding.path, index)
        ? [{ path: finding.path, layer: layer.findings.digest, packages: byDatabase.get(finding.path)?.length ?? 0 }]
        : [],
    ),
  );
}

function findingsOf(layer: ImageLayer): Iterable<Finding> {
  return allFindings(layer.status === "read" ? layer.findings : undefined);
}
