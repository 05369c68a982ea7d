import { type Digest, parseDigest } from "@plimsoll/core/digest";
import type { LayerFindings } from "@plimsoll/core/image";
import { decodePathSet, type PathSet, pathSetOf } from "@plimsoll/core/internal";
import type { Finding } from "@plimsoll/core/plugins";
import { parsePieces, parts, type TextPieces, toPieces } from "./text-pieces.ts";

/**
 * The findings of a layer as text. The thread that reads the layer writes it to the database, from where it is sent to the thread that
 * makes the report, without being parsed in between.
 *
 * ```
 * head              { digest, diffId?, entries, uncompressedBytes }
 * *( findings )     { detector, findings }          some findings of one detector, in their order
 * *( path set )     { set, paths }                  some paths of one set of the layer's shape, encoded
 * ```
 */
export interface LayerRecord extends RecordHead {
  readonly pieces: TextPieces;
}

/** The facts of a record about the layer itself. */
export interface RecordHead {
  readonly digest: Digest;
  /** The digest of the uncompressed bytes, if they were hashed. */
  readonly diffId?: Digest;
  readonly uncompressedBytes: number;
}

/**
 * Formats findings as text.
 * @example
 * declare const findings: LayerFindings;
 * const { digest, pieces } = formatLayerRecord(findings);
 */
export function formatLayerRecord(findings: LayerFindings): LayerRecord {
  const { digest, diffId, uncompressedBytes } = findings;
  const head = { digest, diffId, uncompressedBytes };
  return { ...head, pieces: toPieces(linesOf(findings)) };
}

/** Reads a record from its stored text; undefined if the text is damaged. */
export function layerRecordOf(pieces: TextPieces): LayerRecord | undefined {
  try {
    const [first = ""] = pieces;
    const end = first.indexOf("\n");
    const { digest, diffId, uncompressedBytes } = JSON.parse(end < 0 ? first : first.slice(0, end)) as RecordHead;
    if (typeof uncompressedBytes !== "number") return undefined;
    const head = { digest: parseDigest(digest), diffId: diffId === undefined ? undefined : parseDigest(diffId) };
    return { ...head, uncompressedBytes, pieces };
  } catch {
    return undefined;
  }
}

/**
 * Parses the text of {@link formatLayerRecord}.
 * @throws SyntaxError, ScanError for a damaged record
 * @example
 * declare const record: LayerRecord;
 * const findings = parseLayerRecord(record);
 */
export function parseLayerRecord({ digest, pieces }: LayerRecord): LayerFindings {
  const reading = new RecordReading();
  for (const line of parsePieces(pieces)) reading.add(line);
  return { ...reading.findings(), digest };
}

/** Parses a record line by line. */
export class RecordReading {
  #head: Head | undefined;
  readonly #findings: Record<string, Finding[]> = {};
  readonly #sets: Record<SetName, PathSet[]> = { removed: [], opaque: [], leaves: [], folders: [] };

  /** Adds the next line. @throws ScanError for a malformed set of paths */
  add(value: unknown): void {
    const line = value as Line;
    if (this.#head === undefined) {
      this.#head = line as Head;
    } else if ("set" in line) {
      this.#sets[line.set].push(decodePathSet(line.paths));
    } else {
      const { detector, findings } = line as FindingsLine;
      this.#findings[detector] ??= [];
      for (const finding of findings) this.#findings[detector].push(finding);
    }
  }

  /** The findings, after all lines were added. */
  findings(): LayerFindings {
    const { removed, opaque, leaves, folders } = this.#sets;
    const shape = { removed: join(removed), opaque: join(opaque), leaves: join(leaves), folders: join(folders) };
    return { ...(this.#head as Head), findings: this.#findings, shape };
  }
}

type Head = Pick<LayerFindings, "digest" | "diffId" | "entries" | "uncompressedBytes">;
type SetName = keyof LayerFindings["shape"];

interface FindingsLine {
  readonly detector: string;
  readonly findings: readonly Finding[];
}

interface SetLine {
  readonly set: SetName;
  readonly paths: string;
}

type Line = Head | FindingsLine | SetLine;

function* linesOf({ findings, shape, ...head }: LayerFindings): Generator<string> {
  const line = (value: Line) => JSON.stringify(value);
  yield line(head);
  for (const [detector, found] of Object.entries(findings)) {
    for (const part of parts(found)) yield line({ detector, findings: part });
  }
  for (const [set, { hashes }] of Object.entries(shape) as [SetName, PathSet][]) {
    for (let at = 0; at < hashes.length; at += pathsPerLine) {
      yield line({ set, paths: pathSetOf(hashes.slice(at, at + pathsPerLine)).encode() });
    }
  }
}

/** The number of paths of one line; each takes some ten bytes. */
const pathsPerLine = 10_000;

function join(sets: readonly PathSet[]): PathSet {
  const all = new Float64Array(sets.reduce((count, { hashes }) => count + hashes.length, 0));
  let at = 0;
  for (const { hashes } of sets) {
    all.set(hashes, at);
    at += hashes.length;
  }
  return pathSetOf(all);
}
