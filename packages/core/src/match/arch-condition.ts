import type { ArchCondition } from "../model/advisory.ts";

/** The maximal number of alternatives of a condition that are compared; feeds list about ten. */
const maxAlternatives = 64;

/** The architectures of packages without machine code, in rpm, dpkg and apk. */
const anyArch: ReadonlySet<string> = new Set(["noarch", "all"]);

/**
 * Whether a condition holds for a package. It always holds for packages without machine code and for packages without a
 * known architecture.
 *
 * `pattern match` is a list of alternatives, `x86_64|aarch64`. The feeds use no other form, so it is not run as a regular
 * expression, which an untrusted text could make slow.
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
