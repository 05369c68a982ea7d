import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { isPe, readPeImage } from "../../programs/pe.ts";
import { provenPackage } from "../language/proof.ts";
import { type AssemblyIdentity, readAssembly } from "./assembly-row.ts";
import { versionOfAssembly } from "./assembly-version.ts";
import { findFramework, isReference } from "./framework.ts";
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
