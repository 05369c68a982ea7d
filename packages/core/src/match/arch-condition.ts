import type { ArchCondition } from "../model/advisory.ts";

/** Architectures of one condition that are looked at; feeds name about ten. */
const maxAlternatives = 64;

/** What packages without machine code say: rpm, dpkg and apk. */
const anyArch: ReadonlySet<string> = new Set(["noarch", "all"]);

/**
 * Whether a condition holds for a package. It always does for packages without machine code, and for a package that does
 * not tell its architecture: nothing rules it out.
 *
 * `pattern match` is a list of alternatives, `x86_64|aarch64`. The feeds use no other form, so it is never run as a
 * regular expression: an outside text could make one slow.
 */
export function archHolds(condition: ArchCondition | undefined, arch: string | undefined): boolean {
  if (condition === undefined || arch === undefined || arch === "" || anyArch.has(arch)) return true;
  switch (condition.operation) {
    case "equals":
      return arch === condition.value || anyArch.has(condition.value);
    case "not equals":
      return arch !== condition.value;
    case "pattern match":
      return alternatives(condition.value).some((value) => value === arch || anyArch.has(value));
  }
}

function alternatives(pattern: string): readonly string[] {
  return pattern.replace(/^\^?\(?(?:\?:)?|\)?\$?$/g, "").split("|", maxAlternatives);
}
