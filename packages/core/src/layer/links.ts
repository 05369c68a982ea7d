import { ScanError } from "../errors.ts";
import { extendHash, hashNumber, type PathHash, rootHash } from "./path-hash.ts";

/** The maximal number of links that one look-up follows, as in Linux. */
const maxFollowed = 40;

/** The maximal number of segments of a path while links are replaced by their targets. */
const maxSegments = 4096;

/**
 * The maximal number of segments that all look-ups of a layer walk. Ordinary layers need a few for every folder below a link. Chains of
 * links whose targets go up and down need thousands per look-up.
 */
const maxSteps = 10_000_000;

/** One segment of a path that is walked down from the root. */
interface Step {
  readonly segment: string;
  readonly hash: PathHash;
}

/**
 * The symbolic links of a layer. Targets are resolved as for a process in the container: absolute ones from the image's
 * root, and `..` at the root stays there, so no link leads out of the image.
 * @example
 * const links = new SymbolicLinks();
 * links.set(hashPath("bin"), "usr/bin");
 * links.resolve("bin/sh"); // "usr/bin/sh"
 */
export class SymbolicLinks {
  readonly #targets = new Map<number, string>();
  #steps = 0;

  /** Adds a link at the path with this hash. */
  set(pathHash: number, target: string): void {
    this.#targets.set(pathHash, target);
  }

  /** Removes the link at the path with this hash. */
  delete(pathHash: number): void {
    this.#targets.delete(pathHash);
  }

  /** Whether one of the paths with these hashes is a link. */
  hasAny(hashes: readonly number[]): boolean {
    return this.#targets.size > 0 && hashes.some((hash) => this.#targets.has(hash));
  }

  /**
   * Resolves all links in `path`, including its last segment; undefined for a loop or a chain of too many links.
   * @throws ScanError `entry_limit` when all look-ups together have walked too many segments
   */
  resolve(path: string): string | undefined {
    const steps: Step[] = [];
    const pending = path.split("/").reverse();
    let followed = 0;
    for (let segment = pending.pop(); segment !== undefined; segment = pending.pop()) {
      if (++this.#steps > maxSteps) throw tooManySteps();
      if (segment === "" || segment === ".") continue;
      if (segment === "..") {
        steps.pop();
        continue;
      }
      const hash = descend(steps.at(-1)?.hash, segment);
      const target = this.#targets.get(hashNumber(hash));
      if (target === undefined) {
        steps.push({ segment, hash });
        continue;
      }
      if (++followed > maxFollowed || pending.length + steps.length > maxSegments) return undefined;
      if (target.startsWith("/")) steps.length = 0;
      for (const next of target.split("/").reverse()) pending.push(next);
    }
    return steps.map((step) => step.segment).join("/");
  }
}

function tooManySteps(): ScanError {
  return new ScanError("entry_limit", `following the links of the layer takes more than ${maxSteps} steps`);
}

function descend(folder: PathHash | undefined, segment: string): PathHash {
  return folder === undefined ? extendHash(rootHash, segment) : extendHash(extendHash(folder, "/"), segment);
}
