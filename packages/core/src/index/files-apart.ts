import type { DatabaseFinding, Finding, LogFinding, OriginsFinding } from "../plugins/finding.ts";
import { allFindings, overlayOf } from "./image-view.ts";
import type { ImageLayer } from "./layer-findings.ts";

/** Files of one layer that are to be read together with files of another. */
export interface FilesOfLayer {
  /** The index of the layer; 0 is the base. */
  readonly layer: number;
  readonly paths: readonly string[];
}

/** Databases of the finished image in one layer, and their write-ahead logs in another. */
export interface FilesApart {
  readonly databases: FilesOfLayer;
  readonly logs: FilesOfLayer;
}

/** A write-ahead log in the finished image, without its database. */
export interface LogAlone {
  readonly log: string;
  readonly database: string;
}

/** The files of a merged file system that belong together and were not read together. */
export interface Separated {
  readonly apart: readonly FilesApart[];
  readonly alone: readonly LogAlone[];
}

/**
 * Finds the databases of the finished image whose write-ahead logs are in other layers, grouped by their two layers.
 * @example
 * declare const layers: readonly ImageLayer[];
 * const { apart } = filesApart(layers);
 */
export function filesApart(layers: readonly ImageLayer[]): Separated {
  const places = layers.map((layer) => placesIn(layer));
  if (places.every(({ logs }) => logs.length === 0)) return { apart: [], alone: [] };
  const { survives } = overlayOf(layers);
  const databases = new Map<string, number>();
  for (const [index, { paths }] of places.entries())
    for (const path of paths) if (survives(path, index)) databases.set(path, index);
  const groups = new Map<string, { databases: FilesOfLayer; logs: FilesOfLayer }>();
  const alone: LogAlone[] = [];
  for (const [index, { logs }] of places.entries()) {
    for (const { path, of } of logs) {
      if (!survives(path, index)) continue;
      const at = databases.get(of);
      if (at === undefined) alone.push({ log: path, database: of });
      else if (at !== index) addPair(groups, { database: of, at, log: path, index });
    }
  }
  return { apart: [...groups.values()], alone };
}

interface Pair {
  readonly database: string;
  readonly at: number;
  readonly log: string;
  readonly index: number;
}

function addPair(groups: Map<string, FilesApart>, { database, at, log, index }: Pair): void {
  const key = `${at} ${index}`;
  const known = groups.get(key);
  groups.set(key, {
    databases: { layer: at, paths: [...(known?.databases.paths ?? []), database] },
    logs: { layer: index, paths: [...(known?.logs.paths ?? []), log] },
  });
}

/** The databases in a layer, and the logs that have content. */
function placesIn(layer: ImageLayer) {
  const paths: string[] = [];
  const logs: Pick<LogFinding, "path" | "of">[] = [];
  for (const finding of allFindings(layer.status === "read" ? layer.findings : undefined)) {
    if (finding.kind === "log") logs.push(finding);
    if (!isDatabase(finding)) continue;
    paths.push(finding.path);
    if (finding.log !== undefined) logs.push({ path: finding.log, of: finding.path });
  }
  return { paths, logs };
}

function isDatabase(finding: Finding): finding is DatabaseFinding | OriginsFinding {
  return finding.kind === "database" || finding.kind === "origins";
}
