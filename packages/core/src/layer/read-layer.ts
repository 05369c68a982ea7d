import type { ByteParts } from "../bytes/byte-parts.ts";
import { MemoryBudget } from "../bytes/memory-budget.ts";
import { compressionOf, magicBytes } from "../compression/compression-of.ts";
import { createEvidenceRules } from "../evidence/evidence-rules.ts";
import { LayerEvidence } from "../evidence/layer-evidence.ts";
import type { FileEntry } from "../plugins/detector.ts";
import { FileInspection } from "./file-inspection.ts";
import { findOpenHardLinks, findOpenLinks, findWantedLinks } from "./follow-links.ts";
import { keptFile } from "./kept-file.ts";
import type { KeptFile, LayerContents, ReadLayerOptions } from "./layer-contents.ts";
import { LayerTree } from "./layer-tree.ts";
import { LinkTargets } from "./link-targets.ts";
import { Problems } from "./problems.ts";
import { readFiles } from "./read-files.ts";
import { streamLayer } from "./stream-layer.ts";

/**
 * Reads a layer while it streams by: keeps the wanted files, finds its effect on lower layers and checks digests, sizes
 * and limits. Memory depends on the wanted files and the number of paths, not on the layer's size.
 *
 * A wanted link to a file that was not kept, and is not among the small files that links may lead to, needs a second pass, if the source can
 * be opened again.
 * @throws ScanError `digest_mismatch`, `size_mismatch`, `layer_truncated`, `layer_corrupt`, `layer_too_large`,
 * `layer_ratio`, `entry_limit`, `memory_limit`, `malformed_archive`, `unsupported_compression`, `aborted`, and what the
 * source throws
 */
export async function readLayer(options: ReadLayerOptions): Promise<LayerContents> {
  const { limits, wants } = options;
  const budget = new MemoryBudget(limits.maxKeptBytes, "maxKeptBytes");
  const problems = new Problems();
  const evidence = new LayerEvidence(budget, options.evidence ?? noEvidence);
  const treeOptions = { wants, limits, budget, problems, scratch: options.scratch, stored: storedArchive(options) };
  const inspection = new FileInspection(options.fileDetectors ?? [], limits, options);
  const linkTargets = new LinkTargets();
  const tree = new LayerTree({ ...treeOptions, evidence, inspection, linkTargets });
  const streamed = await streamLayer(options, tree);

  const kept = tree.keptFiles();
  const isRead = (link: FileEntry, contentPath: string) =>
    link.kind === "hard-link" || wants(link) || inspection.readsThrough(link, contentPath);
  const links = findWantedLinks(tree, { wants, isRead, problems });
  const read = (path: string) => kept.get(path) ?? linkTargets.get(path);
  const missing = [...links.values()].filter((path) => read(path) === undefined);
  const isToReadAgain = missing.length > 0 && options.reopens;
  const later = isToReadAgain
    ? await readFiles({ ...options, paths: new Set(missing), budget, problems })
    : new Map<string, KeptFile>();
  const files = [...kept.values()];
  const through = new Map<string, string>();
  for (const [path, contentPath] of links) {
    const content = read(contentPath) ?? later.get(contentPath);
    const info = tree.wantedLinks.get(path);
    if (content !== undefined && info !== undefined) {
      const { mode, parts } = content;
      const file = keptFile({ path, contentPath: content.contentPath, mode, info }, parts);
      if (wants(info)) files.push(file);
      if (info.kind === "symbolic-link" && inspection.inspectThrough(info, file)) through.set(path, contentPath);
      if (info.kind === "hard-link" && inspection.wants(info)) inspection.inspect(info, file);
    } else if (!options.reopens) problems.add(path, "not_found", `links to ${contentPath}, which was not kept`);
  }
  const openLinks = [...findOpenLinks(tree, through, problems), ...findOpenHardLinks(tree, problems)];
  return {
    files: inPathOrder(files),
    shape: tree.shape(),
    entries: tree.entries,
    ...streamed,
    problems: problems.list(),
    evidence: evidence.list((path) => tree.hasLeaf(path)),
    inspected: inspection.findings((path) => through.has(path) || tree.hasLeaf(path)),
    links: openLinks,
  };
}

/** The archive of a layer that is not compressed, if it can be read at any place. */
function storedArchive({ parts }: ReadLayerOptions): ByteParts | undefined {
  return parts === undefined || compressionOf(parts.subarray(0, magicBytes)) !== undefined ? undefined : parts;
}

const noEvidence = createEvidenceRules([]);

function inPathOrder(files: readonly KeptFile[]): ReadonlyMap<string, KeptFile> {
  const byPath = files.map((file) => [file.path, file] as const);
  return new Map(byPath.sort(([a], [b]) => (a < b ? -1 : 1)));
}
