/**
 * The list of modules that a Go module needs:
 *
 * ```
 * file = {"go" version | "toolchain" name | "require" spec | "require" "(" {spec} ")" | "replace" … | …}     "//" begins a comment
 * spec = path version
 * replacement = path [version] "=>" path [version]
 * ```
 *
 * and `vendor/modules.txt`, the list of what was copied: `{"# " path " " version [" => " path [" " version]]}` and other lines.
 * @see https://go.dev/ref/mod#go-mod-file
 */
import type { FileEntry, LayerFile } from "../../plugins/detector.ts";
import { type LockedPackage, lockFileDetector } from "../language/lock-file.ts";
import { decodeText } from "../linux/text.ts";
import { vendoredModules } from "./evidence.ts";

const goMod = lockFileDetector({
  name: "go-mod",
  revision: 2,
  isNamed: (file) => file === "go.mod",
  read: (file) => modulesOf(decodeText(file.bytes)),
});

/** In an image the two modules in the sources of a toolchain list nothing to install: what they need is in the programs of the toolchain. */
const goModDetector = {
  ...goMod,
  lists: (file: LayerFile) => (isOfToolchain(file) ? [] : (goMod.lists?.(file) ?? [])),
};

/** The files in which a toolchain has its modules, and how these begin. */
const ofToolchain = [
  { file: /(?:^|\/)src\/go\.mod$/, module: /^module[ \t]+std[ \t\r]*$/m },
  { file: /(?:^|\/)src\/cmd\/go\.mod$/, module: /^module[ \t]+cmd[ \t\r]*$/m },
];

function isOfToolchain({ path, bytes }: LayerFile): boolean {
  return ofToolchain.some(({ file, module }) => file.test(path) && module.test(decodeText(bytes)));
}

/** A workspace lists no modules itself: those of each of its modules are in its own `go.mod`. */
const goWorkDetector = lockFileDetector({ name: "go-work", isNamed: (file) => file === "go.work", read: () => [] });

const vendored = lockFileDetector({
  name: "go-vendor",
  isNamed: (file) => file === "modules.txt",
  *read({ bytes }) {
    for (const line of decodeText(bytes).split("\n")) {
      const [mark, name = "", version = "", arrow, ...by] = line.split(" ");
      if (mark !== "#" || !version.startsWith("v")) continue; // or the end of the file, with what is replaced in any version
      yield* replaced({ name, version }, arrow === "=>" ? [[name, "=>", ...by]] : []);
    }
  },
});

const vendorDetector = {
  ...vendored,
  wants: (info: FileEntry) => vendoredModules.test(info.path) && vendored.wants(info),
};

/** The detectors of Go's lists of modules. `go.sum` is not read, because it names modules that are not built in. */
export const goLockFiles = [goModDetector, goWorkDetector, vendorDetector];

function* modulesOf(text: string): Iterable<LockedPackage> {
  const required = new Map<string, string>();
  const replacements: (readonly string[])[] = [];
  for (const [verb, ...words] of directives(text)) {
    const [path = "", version = ""] = words;
    if (verb === "require") required.set(path, version);
    if (verb === "replace") replacements.push(words);
  }
  for (const [name, version] of required) yield* replaced({ name, version }, replacements);
}

/** The verb and words of each directive; a block is split into its directives. */
function* directives(text: string): Iterable<readonly string[]> {
  let verb = "";
  for (const line of text.split("\n")) {
    const [code = ""] = line.split("//", 1);
    const words = code.split(/[ \t]+/).filter((word) => word !== "");
    if (words.length === 0) continue;
    if (verb !== "" && words[0] === ")") verb = "";
    else if (verb !== "") yield [verb, ...words];
    else if (words[1] === "(") verb = words[0] ?? "";
    else yield words;
  }
}

/** The module that is built in after replacement. A folder contains an unknown version of the module that it replaces. */
function* replaced(module: LockedPackage, replacements: readonly (readonly string[])[]): Iterable<LockedPackage> {
  const words = replacements.find(
    ([path, second]) => path === module.name && (second === "=>" || second === module.version),
  );
  if (words === undefined) {
    if (module.version !== "") yield module;
    return;
  }
  const [name = "", version = ""] = words.slice(words.indexOf("=>") + 1);
  yield version === "" ? { name: module.name, version: "" } : { name, version };
}
