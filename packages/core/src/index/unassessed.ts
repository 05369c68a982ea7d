import {
  maxEvidencePaths,
  type UnassessedKind,
  type UnassessedPackages,
  unassessedKinds,
} from "../model/index-report.ts";
import type { ImageView } from "../plugins.ts";
import { orderOf } from "../versions/define-order.ts";
import type { ImageLayer } from "./image-layer.ts";
import { findMissingDatabase } from "./missing-database.ts";
import type { Piece } from "./piece.ts";

/** What the engine's ecosystems have found and read. */
export interface Assessed {
  /** Names of the ecosystems that found packages. */
  readonly found: ReadonlySet<string>;
  /** Kinds whose packages the engine's detectors read. */
  readonly kinds: ReadonlySet<UnassessedKind>;
}

/** Counts the evidence of packages that no detector reads. What later layers removed does not count. */
export function unassessedIn(
  layers: readonly ImageLayer[],
  image: ImageView,
  { found, kinds }: Assessed,
): readonly UnassessedPackages[] {
  const evidence = layers.flatMap((layer, index) => evidenceOf(layer, index, image));
  const missing = findMissingDatabase(layers, image, found);
  const pieces = missing === undefined ? evidence : [...evidence, missing];
  const byKind = Map.groupBy(pieces, ({ packages }) => packages);
  return unassessedKinds.flatMap((kind) => {
    const ofKind = kinds.has(kind) ? undefined : byKind.get(kind);
    return ofKind === undefined ? [] : [unassessedOf(kind, ofKind)];
  });
}

function evidenceOf(layer: ImageLayer, index: number, { survives }: ImageView): Piece[] {
  if (layer.status !== "read") return [];
  const { digest, findings } = layer.findings;
  const found: Piece[] = [];
  for (const finding of Object.values(findings).flat()) {
    if (finding.kind !== "evidence" || !survives(finding.path, index)) continue;
    found.push({ path: finding.path, layer: digest, packages: finding.packages, pieces: finding.pieces });
  }
  return found;
}

function unassessedOf(kind: UnassessedKind, found: readonly Piece[]): UnassessedPackages {
  const sorted = found.toSorted((a, b) => orderOf(a.path, b.path));
  return {
    kind,
    count: sorted.reduce((count, { pieces }) => count + pieces, 0),
    evidence: sorted.slice(0, maxEvidencePaths).map(({ path, layer }) => ({ path, layer })),
  };
}
