import type { GoModule, GoModules } from "./modules.ts";
import { partOfModule, standardLibrary, toolchain } from "./parts.ts";

/** The linked packages of each module, by module name. A module without any is absent. */
export type ModulePackages = ReadonlyMap<string, readonly string[]>;

/**
 * Groups the packages of a program by module. A package belongs to the module with the longest path that is a prefix of its own. Without such
 * a module, it belongs to the standard library if its path has no dot in the first part.
 * @param linked import paths of the packages of the program
 */
export function packagesByModule(linked: ReadonlySet<string>, modules: GoModules): ModulePackages {
  const { mainPackage, main, dependencies } = modules;
  const known = new Map(
    [...(main === undefined ? [] : [main]), ...dependencies].map((each) => [importPath(each), each]),
  );
  const parts = new Map<string, string[]>();
  for (const path of withMain(linked, mainPackage)) {
    const [name, part] = findModule(path, known) ?? [];
    if (name === undefined || part === undefined) continue;
    const others = parts.get(name);
    if (others === undefined) parts.set(name, [part]);
    else others.push(part);
  }
  return new Map([...parts].map(([name, found]) => [name, found.sort()]));
}

/** The path by which the packages of a module are imported. For a replacement, it is the path of the replaced module. */
function importPath({ path, importedAs = path }: GoModule): string {
  return importedAs;
}

/** The packages with the import path of the main package in place of `main`, which its functions have in their names. */
function withMain(linked: ReadonlySet<string>, mainPackage: string | undefined): ReadonlySet<string> {
  if (!linked.has("main")) return linked;
  const others = [...linked].filter((path) => path !== "main");
  return new Set(mainPackage === undefined ? others : [...others, mainPackage]);
}

function findModule(path: string, modules: ReadonlyMap<string, GoModule>): readonly [string, string] | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const imported = path.slice(0, end);
    const module = modules.get(imported);
    if (module !== undefined) return [module.path, partOfModule(imported, path)];
  }
  const [first = ""] = path.split("/", 1);
  if (first.includes(".")) return undefined;
  return [first === "cmd" ? toolchain : standardLibrary, path];
}
