import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { isPe, readPeImage } from "../../programs/pe.ts";
import { provenPackage } from "../language/proof.ts";
import { type AssemblyIdentity, readAssembly } from "./assembly-row.ts";
import { readVersionTexts } from "./version-resource.ts";

/**
 * Finds .NET assemblies by their metadata. Those that a `*.deps.json` lists are left out when layers are coalesced. Native libraries and
 * programs are ignored, and so are assemblies with only the texts of a language, and reference assemblies for compilers.
 */
export const assemblyDetector: FileDetector = {
  name: "dotnet-assembly",
  revision: 1,
  names: { endings: [".dll", ".exe"] },
  wants: ({ path }: FileEntry) => /\.(?:dll|exe)$/i.test(path) && !isReference(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const bytes = file.parts ?? file.bytes;
    if (!isPe(bytes)) return;
    const image = readPeImage(bytes);
    const assembly = readAssembly(image);
    if (assembly === undefined || assembly.culture !== "") return;
    const framework = findFramework(file.path);
    if (framework !== undefined) {
      if (assembly.name === framework.firstAssembly) yield provenPackage(file, framework);
      return;
    }
    yield provenPackage(file, { name: assembly.name, version: versionIn(assembly, readVersionTexts(image)) });
  },
};

function versionIn({ version }: AssemblyIdentity, texts: ReadonlyMap<string, string>): string {
  return versionOfAssembly({
    product: texts.get("ProductVersion"),
    file: texts.get("FileVersion"),
    identity: version,
  });
}

/** The versions that an assembly has in three places. */
interface AssemblyVersions {
  /** `ProductVersion`. Builds write the version of the package here, followed by a plus and the revision of the sources. */
  readonly product?: string | undefined;
  /** `FileVersion`: four numbers, the first three mostly those of the package. */
  readonly file?: string | undefined;
  /** The version of its identity. Many packages never change it, so that programs need not be rebuilt. */
  readonly identity: string;
}

const version = /^v?(\d{1,10}(?:\.\d{1,10}){1,3}(?:-[0-9a-z-]{1,40}(?:\.[0-9a-z-]{1,40}){0,5})?)(?:\+\S*)?(?:[ ,]|$)/i;
/** The mark of Microsoft's builds of releases. The version of the package does not have it. */
const ofReleases = /-(?:rtm|servicing)[.-]/i;

/**
 * The probable version of an assembly's package: the first valid one of the product's, the file's and the identity's version. Empty if there is
 * none, or all are 0.
 * @see https://learn.microsoft.com/en-us/dotnet/standard/library-guidance/versioning
 */
function versionOfAssembly({ product, file, identity }: AssemblyVersions): string {
  const found = [product, file, identity].map(plainVersion).find((each) => each !== "");
  return found ?? "";
}

function plainVersion(text = ""): string {
  const [, found = ""] = version.exec(text.trim()) ?? [];
  const plain = found
    .split(ofReleases, 1)
    .join("")
    .replace(/^(\d+\.\d+\.\d+)\.0+(?=-|$)/, "$1");
  return /[1-9]/.test(plain) ? plain : "";
}

/** A shared framework that is installed. */
interface Framework {
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
function findFramework(path: string): Framework | undefined {
  const [, name = "", version = ""] = folder.exec(path) ?? [];
  const firstAssembly = firstAssemblies.get(name);
  return firstAssembly === undefined ? undefined : { name, version, firstAssembly };
}

/** Whether an assembly is a reference assembly for compilers (`ref/FRAMEWORK/NAME.dll`), which declares methods without their code. */
function isReference(path: string): boolean {
  return /(?:^|\/)ref\/net[^/]+\/[^/]+$/.test(path);
}
