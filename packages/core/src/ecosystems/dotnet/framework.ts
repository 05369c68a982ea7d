/** A shared framework that is installed. */
export interface Framework {
  readonly name: string;
  readonly version: string;
  /** The assembly that represents all files of the framework. */
  readonly firstAssembly: string;
}

const firstAssemblies: ReadonlyMap<string, string> = new Map([
  ["Microsoft.NETCore.App", "System.Private.CoreLib"],
  ["Microsoft.AspNetCore.App", "Microsoft.AspNetCore"],
  ["Microsoft.WindowsDesktop.App", "PresentationFramework"],
]);

const folder = /(?:^|\/)shared\/(Microsoft\.[^/]+\.App)\/(\d[^/]*)\/[^/]+$/;

/** The framework of a file, by its path `shared/NAME/VERSION/FILE`. @see https://learn.microsoft.com/en-us/dotnet/core/distribution-packaging */
export function findFramework(path: string): Framework | undefined {
  const [, name = "", version = ""] = folder.exec(path) ?? [];
  const firstAssembly = firstAssemblies.get(name);
  return firstAssembly === undefined ? undefined : { name, version, firstAssembly };
}

/** Whether an assembly is a reference assembly for compilers (`ref/FRAMEWORK/NAME.dll`), which declares methods without their code. */
export function isReference(path: string): boolean {
  return /(?:^|\/)ref\/net[^/]+\/[^/]+$/.test(path);
}
