import type { Engine } from "../engine.ts";
import { readersThrough } from "../layer/readers-through.ts";
import type { Problem } from "../model/index-report.ts";
import type { ImageView } from "../plugins/coalescer.ts";
import type { FileEntry } from "../plugins/detector.ts";
import type { SymlinkFinding } from "../plugins/finding.ts";
import { pluginsByName } from "../plugins/plugins-by-name.ts";
import { allFindings } from "./image-view.ts";
import type { LayerFindings } from "./layer-findings.ts";

/** The plug-ins that read files of a layer. */
type Readers = Pick<Engine, "detectors" | "fileDetectors">;

/** What the symbolic links of an image lead to, where that is not what was read. */
export interface UnreadLinks {
  /** Files that were read in each layer, and that are others in the finished image: the paths through links. */
  readonly stale: readonly ReadonlySet<string>[];
  readonly problems: readonly Problem[];
}

/**
 * Compares what was read through symbolic links with the finished image. A link and its file may be in different layers, or a later layer may replace the file.
 * Links to nothing are ordinary: the file may come with a volume.
 */
export function unreadLinks(
  engine: Readers,
  layers: readonly (LayerFindings | undefined)[],
  image: Pick<ImageView, "resolve" | "survives">,
): UnreadLinks {
  const { survives, resolve } = image;
  const isReader = readerTest(engine);
  const namesBelow = (path: string) => engine.fileDetectors.flatMap(({ readsBelow }) => readsBelow?.(path) ?? []);
  const stale = layers.map(() => new Set<string>());
  const problems: Problem[] = [];
  for (const [index, link] of linksOf(layers, survives)) {
    for (const path of [link.path, ...namesBelow(link.path).map((name) => `${link.path}/${name}`)]) {
      const [end, content] = [resolve(path), link.read?.[path]];
      if (content !== undefined && content === end && survives(content, index)) continue;
      if (content !== undefined) stale[index]?.add(path);
      if (isReader(path, end) && isThere(end, layers, survives)) problems.push(problemOf(path, end));
    }
  }
  return { stale, problems };
}

function* linksOf(
  layers: readonly (LayerFindings | undefined)[],
  survives: ImageView["survives"],
): Iterable<readonly [layer: number, link: SymlinkFinding]> {
  for (const [index, layer] of layers.entries()) {
    for (const finding of allFindings(layer))
      if (finding.kind === "symlink" && survives(finding.path, index)) yield [index, finding];
  }
}

/** Makes the test whether any plug-in reads a file by the path of a link, but not by its own. */
function readerTest({ detectors, fileDetectors }: Readers): (path: string, end: string) => boolean {
  const pluginsFor = pluginsByName([...detectors, ...fileDetectors]);
  const isWanted = ({ wants }: Readers["detectors"][number] | Readers["fileDetectors"][number], info: FileEntry) => {
    try {
      return wants(info);
    } catch {
      return false; // the file itself reports it
    }
  };
  return (path, end) => {
    const link: FileEntry = { path, kind: "symbolic-link", sizeBytes: 0, mode: 0o777 };
    return readersThrough({ pluginsFor, isWanted }, link, end).length > 0;
  };
}

function isThere(
  path: string,
  layers: readonly (LayerFindings | undefined)[],
  survives: ImageView["survives"],
): boolean {
  return layers.some((layer, index) => layer?.shape.leaves.has(path) === true && survives(path, index));
}

function problemOf(at: string, end: string): Problem {
  const message = `expected to read ${end}, to which this link leads, found it in another layer: put the file in the place of the link`;
  return { at, code: "unread_link", message };
}
