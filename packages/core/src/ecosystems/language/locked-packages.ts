import { contentOf } from "../../bytes/byte-parts.ts";
import type { EvidenceRules } from "../../evidence/evidence-rules.ts";
import { parentOf, targetPath } from "../../layer/paths.ts";
import type { FileDetector, FileEntry, LayerFile, LockFileEntry } from "../../plugins/detector.ts";
import type { Finding, LockedMember } from "../../plugins/finding.ts";

/** How many packages of a lock file are kept, evenly spread over it. */
const mostKept = 64;
/** How many of one are kept of which all have to be found. */
const mostKeptOfExact = 512;

/**
 * The detector that reads lock files in an image: not for packages, since they list what may be installed, but to tell whether their packages are
 * the ones that were found. It wants only the lock files that are evidence of packages, and the files that list packages for them. A file that cannot be
 * read says nothing.
 * @param detectors read the same files in a folder of source code
 */
export function lockedPackages(detectors: readonly FileDetector[], evidence: EvidenceRules): FileDetector {
  const readersOf = (info: FileEntry) => detectors.filter(({ wants }) => wants(info));
  return {
    name: "locked-packages",
    revision: detectors.reduce((sum, { revision }) => sum + revision, 8),
    ignoresArchives: true,
    names: evidence.lockFileNames,
    wants: (info) => evidence.listsPackages(info.path) && readersOf(info).length > 0,
    *detect(file): Iterable<Finding> {
      const info: FileEntry = { path: file.path, kind: "file", sizeBytes: contentOf(file).length, mode: file.mode };
      for (const detector of readersOf(info)) {
        const listed = listedIn(detector, file);
        if (listed !== undefined) yield findingOf(file, listed);
      }
    },
  };
}

/** The packages of a lock file; undefined if it cannot be read: a file in which none is found is one that says so, or of another form. */
function listedIn(detector: FileDetector, file: LayerFile): readonly LockFileEntry[] | undefined {
  const listed = entriesOf(detector, file);
  if (listed === undefined || (listed.length === 0 && !saysThatItIsEmpty(file))) return undefined;
  return hasConflict(file) ? undefined : listed;
}

/** The forms of files of projects that need nothing, without white space. */
const emptyForms: readonly RegExp[] = [
  /^\{(?:"[^"]*":(?:"[^"]*"|\d+|true|false),)*"packages":\{(?:"":\{[^{}]*\},?)?\},?\}$/, // package-lock.json
  /"packages":\[\],"packages-dev":\[\]/, // composer.lock
  /"default":\{\},"develop":\{\}/, // Pipfile.lock
  /^(?:#[^[]*)?package=\[\]/, // poetry.lock
  /^(?:#[^#]*)?#yarnlockfilev1$/,
  /^GEMremote:\S*specs:PLATFORMS/, // Gemfile.lock
  /^(?:#[^=]*)?empty=[\w,]*$/, // gradle.lockfile
  /^module(?:std|cmd)(?:go|require|\/\/|$)/, // go.mod in the sources of Go itself
  /^go[\d.]+(?:rc\d+)?(?:toolchain|use|replace|$)/, // go.work, whose modules have lists of their own
];

/** The most bytes of a file that may say that it is empty. */
const mostOfEmpty = 4096;

/** A file of requirements is plain text: one of which no line names a package only includes others, or is none. */
function saysThatItIsEmpty({ path, bytes }: LayerFile): boolean {
  if (path.endsWith(".txt")) return true;
  if (bytes.length > mostOfEmpty) return false;
  const text = new TextDecoder().decode(bytes).replaceAll(/\s+/g, "");
  return emptyForms.some((form) => form.test(text));
}

/** Whether two versions of the file stand beside each other, as git leaves them. */
function hasConflict({ bytes }: LayerFile): boolean {
  const mark = new TextEncoder().encode("<<<<<<< ");
  for (let at = bytes.indexOf(0x3c); at >= 0; at = bytes.indexOf(0x3c, at + 1)) {
    if ((at === 0 || bytes[at - 1] === 0x0a) && mark.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}

function entriesOf(detector: FileDetector, file: LayerFile): readonly LockFileEntry[] | undefined {
  try {
    if (detector.lists !== undefined) return [...detector.lists(file)];
    const found = [...detector.detect(file)].filter((finding) => finding.kind === "package");
    return found.map((finding) => ({ ...finding.package, isDevelopment: finding.development === true }));
  } catch {
    return undefined;
  }
}

/**
 * The files that say of each package whether an installation for production has it, and what in their content shows that they do. Yarn's, Bundler's and older files
 * of Poetry do not; those of .NET, Gradle and Dart have packages that only a build needs.
 */
const exactForms: readonly { readonly name: RegExp; readonly content: RegExp }[] = [
  { name: /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, content: /"lockfileVersion"\s*:\s*[23]\b/ },
  { name: /(?:^|\/)composer\.lock$/, content: /"packages-dev"\s*:/ },
  { name: /(?:^|\/)Pipfile\.lock$/, content: /"develop"\s*:/ },
  { name: /(?:^|\/)poetry\.lock$/, content: /^groups = \[/m },
  { name: /(?:^|\/)uv\.lock$/, content: /^source = \{ (?:editable|virtual) = /m },
  { name: /(?:^|\/)pnpm-lock\.yaml$/, content: /^importers:/m },
];

function isExactForm({ path, bytes }: LayerFile): boolean {
  const form = exactForms.find(({ name }) => name.test(path));
  return form?.content.test(new TextDecoder().decode(bytes)) ?? false;
}

/** Optional packages count only if there are no others. */
function findingOf(file: LayerFile, listed: readonly LockFileEntry[]): Finding {
  const { path } = file;
  const atRuntime = listed.filter(({ isDevelopment }) => isDevelopment !== true);
  const required = atRuntime.filter(({ isOptional }) => isOptional !== true);
  const names = new Set((required.length > 0 ? required : atRuntime).map(lockedName));
  const isExact = required.length > 0 && isExactForm(file);
  const [isWhole, marksDevelopment] = [names.size <= mostKept, isExact || atRuntime.length < listed.length];
  return {
    kind: "locked",
    path,
    packages: evenlySpread([...names], isExact ? mostKeptOfExact : mostKept),
    marksDevelopment: marksDevelopment || undefined,
    isExact: isExact || undefined,
    isWhole: isWhole || undefined,
    members: membersOf(path, required),
  };
}

/** What the members of a workspace need, each on its own: an image may have only one of them. */
function membersOf(path: string, required: readonly LockFileEntry[]): readonly LockedMember[] | undefined {
  const names = new Map<string, Set<string>>();
  for (const entry of required) {
    for (const member of entry.neededBy ?? []) {
      const known = names.get(member) ?? new Set();
      names.set(member, known.add(lockedName(entry)));
    }
  }
  if (names.size === 0) return undefined;
  const folder = parentOf(path);
  return Array.from(names, ([member, packages]) => ({
    path: targetPath(folder, member),
    packages: evenlySpread([...packages], mostKept),
  }));
}

/** A name by which a package in a lock file and an installed one are equal. */
export function lockedName({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name.toLowerCase().replaceAll(/[-_.]+/g, "-")}@${version.replace(/^v(?=\d)/, "")}`;
}

function evenlySpread(names: readonly string[], most: number): readonly string[] {
  const step = Math.max(1, names.length / most);
  return Array.from({ length: Math.min(names.length, most) }, (_, at) => names[Math.floor(at * step)] ?? "");
}
