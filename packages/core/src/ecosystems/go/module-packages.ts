import type { GoModule, GoModules } from "./modules.ts";
import { partOfModule, standardLibrary, toolchain } from "./parts.ts";

/** The parts of each module that a program has, by the name of the module. A module of which none is found is absent. */
export type ModulePackages = ReadonlyMap<string, readonly string[]>;

/**
 * Which packages of which module a program has. A package is of the module with the longest path that its own begins with, else of the
 * standard library, whose paths have no dot in their first part.
 * @param linked import paths of the packages of the program
 */
export function packagesByModule(linked: ReadonlySet<string>, modules: GoModules): ModulePackages {
  const { mainPackage, main, dependencies } = modules;
  const known = new Map(
    [...(main === undefined ? [] : [main]), ...dependencies].map((each) => [importPath(each), each]),
  );
  const parts = new Map<string, string[]>();
  for (const path of withMain(linked, mainPackage)) {
    const [name, part] = placeOf(path, known) ?? [];
    if (name === undefined || part === undefined) continue;
    const others = parts.get(name);
    if (others === undefined) parts.set(name, [part]);
    else others.push(part);
  }
  return new Map([...parts].map(([name, found]) => [name, found.sort()]));
}

/** The path by which the packages of a module are imported: that of the module which it replaces. */
function importPath({ path, importedAs = path }: GoModule): string {
  return importedAs;
}

/** Functions of the main package have names that begin with `main`. */
function withMain(linked: ReadonlySet<string>, mainPackage: string | undefined): ReadonlySet<string> {
  if (!linked.has("main")) return linked;
  const others = [...linked].filter((path) => path !== "main");
  return new Set(mainPackage === undefined ? others : [...others, mainPackage]);
}

function placeOf(path: string, modules: ReadonlyMap<string, GoModule>): readonly [string, string] | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const imported = path.slice(0, end);
    const module = modules.get(imported);
    if (module !== undefined) return [module.path, partOfModule(imported, path)];
  }
  const [first = ""] = path.split("/", 1);
  if (first.includes(".")) return undefined;
  return [first === "cmd" ? toolchain : standardLibrary, path];
}
