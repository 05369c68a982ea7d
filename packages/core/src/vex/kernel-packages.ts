import { findPurl } from "./product.ts";
import type { VexStatement } from "./statement.ts";

/**
 * The statement on a kernel package in a container, for every vulnerability. A container runs on the kernel of its host, so the kernel in its image
 * does not run, and headers have no code. Undefined for other packages, such as tools built from the kernel's source (`perf`, `bpftool`), which do
 * run. Statements of users have priority.
 * @param purl of the package
 */
export function kernelStatement(purl: string | undefined): VexStatement | undefined {
  const found = purl === undefined ? undefined : findPurl(purl);
  const rule = found && rules.get(found.type);
  if (found === undefined || rule === undefined || !rule.kernel.test(found.name)) return undefined;
  if (rule.tools?.test(found.name) === true) return undefined;
  return /(?:^|-)(?:headers|devel|dev|libc-dev|source|docs?|buildinfo)(?:-|$)/.test(found.name) ? ofHeaders : ofKernel;
}

/**
 * Whether a package with this name may be a kernel package. {@link kernelStatement} also checks the type of its package URL.
 * @example
 * mayBeOfKernel("linux-libc-dev"); // true
 * mayBeOfKernel("libssl3"); // false
 */
export function mayBeOfKernel(name: string): boolean {
  return /^(?:linux|kernel)(?:-|$)/.test(name);
}

/** The names of kernel packages of one packaging system. */
interface KernelRule {
  readonly kernel: RegExp;
  /** Those among them that are not part of the kernel but programs or macros. */
  readonly tools?: RegExp;
}

/** Rules by the type of the package URL. */
const rules: ReadonlyMap<string, KernelRule> = new Map([
  [
    "deb",
    { kernel: /^linux-(?:[a-z0-9.+]+-)*(?:libc-dev|headers|image|modules|kbuild|source|doc|buildinfo|objects)(?:-|$)/ },
  ],
  [
    "rpm",
    {
      kernel: /^(?:kernel(?:-|$)|linux(?:$|-(?:api-headers|glibc-devel|devel|docs|drivers|esx|rt|secure|aws)(?:-|$)))/,
      tools: /^kernel-.*(?:tools|macros|firmware|abi-whitelists|abi-stablelists)/,
    },
  ],
  ["apk", { kernel: /^linux-(?:headers|lts|virt|edge|stable|rpi\d?|asahi|openpax)(?:-(?:dev|doc))?$/ }],
  ["alpm", { kernel: /^linux(?:$|-(?:api-headers|headers|docs|(?:lts|zen|hardened|rt|rt-lts)(?:-headers|-docs)?)$)/ }],
]);

const common = {
  vulnerability: [],
  status: "not_affected",
  products: [],
  author: "Plimsoll",
  place: "packages of the kernel",
} as const;

const ofKernel: VexStatement = {
  ...common,
  justification: "vulnerable_code_not_in_execute_path",
  detail: "a container runs on the kernel of its host, not on the kernel in its image",
};

const ofHeaders: VexStatement = {
  ...common,
  justification: "vulnerable_code_not_present",
  detail: "headers and sources of the kernel have no code that runs, and a container runs on the kernel of its host",
};
