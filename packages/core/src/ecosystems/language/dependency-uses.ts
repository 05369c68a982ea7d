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
