/** A shared framework that is installed. */
export interface Framework {
  readonly name: string;
  readonly version: string;
  /** The assembly that stands for all of its files. */
  readonly firstAssembly: string;
}

const firstAssemblies: ReadonlyMap<string, string> = new Map([
  ["Microsoft.NETCore.App", "System.Private.CoreLib"],
  ["Microsoft.AspNetCore.App", "Microsoft.AspNetCore"],
  ["Microsoft.WindowsDesktop.App", "PresentationFramework"],
]);

const folder = /(?:^|\/)shared\/(Microsoft\.[^/]+\.App)\/(\d[^/]*)\/[^/]+$/;

/** The framework that a file is of by its path, `shared/NAME/VERSION/FILE`. @see https://learn.microsoft.com/en-us/dotnet/core/distribution-packaging */
export function findFramework(path: string): Framework | undefined {
  const [, name = "", version = ""] = folder.exec(path) ?? [];
  const firstAssembly = firstAssemblies.get(name);
  return firstAssembly === undefined ? undefined : { name, version, firstAssembly };
}

/** Whether an assembly is only there for compilers: `ref/FRAMEWORK/NAME.dll` of a package says what its methods are, without them. */
export function isReference(path: string): boolean {
  return /(?:^|\/)ref\/net[^/]+\/[^/]+$/.test(path);
}
