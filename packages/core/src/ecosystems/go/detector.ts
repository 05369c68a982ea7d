import type { FileDetector, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import type { Program } from "../../programs/program.ts";
import { readPrograms } from "../../programs/read-programs.ts";
import { provenPackage } from "../language/proof.ts";
import { readBuildInfo } from "./build-info.ts";
import { linkedPackages } from "./linked-packages.ts";
import { packagesByModule } from "./module-packages.ts";
import { type GoModule, type GoModules, parseModules } from "./modules.ts";
import { standardLibrary, toolchain as toolchainName } from "./parts.ts";

/** Finds the modules and the standard library of Go programs, by their build information. */
export const goDetector: FileDetector = {
  name: "go-build-information",
  revision: 5,
  names: {},
  wants: () => false,
  programs: "go",
  *detect(file: LayerFile): Iterable<Finding> {
    const seen = new Set<string>(); // the slices of a Mach-O file mostly have the same modules
    for (const program of readPrograms(file.parts ?? file.bytes)) {
      for (const finding of findingsOf(program, file)) {
        const key = JSON.stringify(finding);
        if (!seen.has(key)) yield finding;
        seen.add(key);
      }
    }
  },
};

function* findingsOf(program: Program, file: LayerFile): Iterable<Finding> {
  const { toolchain, modules } = readBuildInfo(program);
  const found = parseModules(modules);
  const linked = linkedPackages(program);
  const parts = linked === undefined ? undefined : packagesByModule(linked, found);
  for (const { path: name, version, commit } of packagesOf(found, toolchainVersion(toolchain))) {
    const linkedParts = parts?.get(name);
    const ofMain = commit === undefined ? {} : { mainModule: commit };
    yield provenPackage(file, { name, version, ...ofMain, linkedParts });
  }
  const { main, mainPackage = "", dependencies } = found;
  const isOfGo = mainPackage.startsWith("cmd/");
  const namesModules = main !== undefined || dependencies.length > 0;
  if (!namesModules && !isOfGo) yield { kind: "evidence", path: file.path, packages: "go", pieces: 1 };
}

function* packagesOf({ mainPackage, main, dependencies }: GoModules, version: string): Iterable<GoModule> {
  yield { path: standardLibrary, version };
  if (mainPackage === "cmd/go") yield { path: toolchainName, version };
  if (main !== undefined) yield main;
  yield* dependencies;
}

/** `1.22.1` of `go1.22.1 X:boringcrypto`; empty for a toolchain that is not a release: `devel go1.24-7ca5f0`. */
function toolchainVersion(toolchain: string): string {
  return /^go(\S+)/.exec(toolchain)?.[1] ?? "";
}
