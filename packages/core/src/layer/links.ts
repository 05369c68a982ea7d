import { ScanError } from "../errors.ts";
import { extendHash, hashNumber, type PathHash, rootHash } from "./path-hash.ts";

/** Links that one look-up follows at most, as in Linux. */
const maxFollowed = 40;

/** Characters of a path while links are put in for their targets, as in Linux. */
const maxPathLength = 4096;

/**
 * Segments that all look-ups of a layer walk at most. Ordinary layers take some for every folder below a link; chains of links whose
 * targets go up and down take thousands a look-up.
 */
const maxSteps = 10_000_000;

/** A path walked down from the root: one step a segment. */
interface Step {
  readonly segment: string;
  readonly hash: PathHash;
}

/**
 * The symbolic links of a layer. Targets are looked up as a process in the container would: absolute ones from the
 * image's root, and `..` at the root stays there, so nothing ever leads outside.
 * @example
 * const links = new SymbolicLinks();
 * links.set(hashPath("bin"), "usr/bin");
 * links.resolve("bin/sh"); // "usr/bin/sh"
 */
export class SymbolicLinks {
  readonly #targets = new Map<number, string>();
  #steps = 0;

  /** Says that there is a link at the path with this hash. */
  set(pathHash: number, target: string): void {
    this.#targets.set(pathHash, target);
  }

  /** Says that there is no link at the path with this hash. */
  delete(pathHash: number): void {
    this.#targets.delete(pathHash);
  }

  /** Whether one of the paths with these hashes is a link. */
  hasAny(hashes: readonly number[]): boolean {
    return this.#targets.size > 0 && hashes.some((hash) => this.#targets.has(hash));
  }

  /**
   * The path that all links in `path`, its last segment included, lead to; undefined for a loop or endless chain.
   * @throws ScanError `entry_limit` when all look-ups together have taken too many steps
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
      if (++followed > maxFollowed || pending.length + steps.length > maxPathLength) return undefined;
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
