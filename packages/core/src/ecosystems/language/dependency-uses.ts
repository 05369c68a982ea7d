/** What a project needs a package for: optional, if it needs it only on other platforms or by choice. */
export type Use = "runtime" | "optional" | "development";

/** One package that the project or another package needs. */
export interface Need {
  /** The key of the package in its lock file. */
  readonly key: string;
  /** Whether it is needed on Linux, whatever is chosen. */
  readonly isCertain: boolean;
}

/**
 * A function that returns what a project needs a package for, by the key of the package. What neither the project nor its packages need at run time is
 * for development.
 * @param first what the project needs itself, but not for development
 * @param needsOf what a package needs; called at most twice for each
 */
export function findUses(first: readonly Need[], needsOf: (key: string) => readonly Need[]): (key: string) => Use {
  const certain = ({ isCertain }: Need) => isCertain;
  const atRuntime = reached(first.filter(certain), (key) => needsOf(key).filter(certain));
  const perhaps = reached(first, needsOf);
  return (key) => (atRuntime.has(key) ? "runtime" : perhaps.has(key) ? "optional" : "development");
}

/** A member of a workspace. */
export interface Member {
  /** The file that describes it, relative to the folder of the lock file: `packages/api/package.json`. */
  readonly path: string;
  /** What it needs itself, but not for development. */
  readonly needs: readonly Need[];
}

/** The most packages that are looked at for all members together. */
const maxSteps = 2_000_000;

/**
 * A function that returns the descriptions of the members which need a package in any case, directly or not. Undefined for a file that has no members besides
 * its project, or too many for a graph of this size: then everything in it counts.
 */
export function findMembers(
  members: readonly Member[],
  needsOf: (key: string) => readonly Need[],
): ((key: string) => readonly string[]) | undefined {
  if (members.length < 2) return undefined;
  const known = new Map<string, readonly Need[]>();
  const certainOf = (key: string) => {
    const found = known.get(key) ?? needsOf(key).filter(({ isCertain }) => isCertain);
    known.set(key, found);
    return found;
  };
  const neededBy = new Map<string, string[]>();
  let steps = 0;
  for (const { path, needs } of members) {
    for (const key of reached(
      needs.filter(({ isCertain }) => isCertain),
      certainOf,
    )) {
      if (++steps > maxSteps) return undefined;
      const paths = neededBy.get(key);
      if (paths === undefined) neededBy.set(key, [path]);
      else paths.push(path);
    }
  }
  return (key) => neededBy.get(key) ?? [];
}

function reached(first: readonly Need[], needsOf: (key: string) => readonly Need[]): ReadonlySet<string> {
  const found = new Set<string>();
  const left = first.map(({ key }) => key);
  for (let key = left.pop(); key !== undefined; key = left.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    for (const need of needsOf(key)) left.push(need.key);
  }
  return found;
}
