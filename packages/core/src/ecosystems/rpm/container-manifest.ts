/**
 * The list of the rpm packages in an image of Azure Linux without rpm ("distroless"), and of tools that follow it:
 *
 * ```
 * list = *( name TAB version-release TAB installtime TAB buildtime TAB vendor TAB epoch TAB size TAB arch TAB epochnum TAB sourcerpm LF )
 * ```
 * A value that a package does not have is `(none)`.
 * @see https://github.com/microsoft/azurelinux/blob/3.0/toolkit/docs/how_it_works/5_misc.md#distroless-container-images
 */
import { packageDetails } from "../../model/package-details.ts";
import { keyPackage } from "../../model/package-name.ts";
import type { Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { unreadable } from "../language/proof.ts";
import { isPlain, quoted } from "../linux/text.ts";
import { formatEvr, toFoundPackage } from "./package.ts";

const manifestPath = "var/lib/rpmmanifest/container-manifest-2";

/** Finds the packages of images without rpm, in the list that their makers leave. */
export const containerManifestDetector: Detector = {
  name: "rpm-container-manifest",
  revision: 3,
  names: { endings: [manifestPath] },
  wants: ({ path }: FileEntry) => path === manifestPath,
  *detect(files: LayerFiles): Generator<Finding> {
    for (const file of files) {
      yield { kind: "database", path: file.path };
      yield* packagesIn(file);
    }
  },
};

function* packagesIn({ path, bytes }: LayerFile): Generator<Finding> {
  const lines = new TextDecoder().decode(bytes).split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== "" && !line.startsWith(`${keyPackage}\t`))
      yield packageOf(path, line) ?? unreadable(path, expected(line), `line ${index + 1}`);
  }
}

function packageOf(path: string, line: string): Finding | undefined {
  const [name, evr, , , vendor, , , arch, epochNumber, sourcerpm] = line.split("\t").map(statedIn);
  const [, version, release] = /^([^-]+)-([^-]+)$/.exec(evr ?? "") ?? [];
  if (name === undefined || version === undefined || release === undefined) return undefined;
  if (![name, version, release, arch ?? "", sourcerpm ?? ""].every(isPlain)) return undefined;
  const epoch = /^\d{1,9}$/.test(epochNumber ?? "") ? Number(epochNumber) : undefined;
  const found = toFoundPackage({
    ...{ name, version, release, evr: formatEvr(epoch, `${version}-${release}`) },
    ...withoutUndefined({ arch, sourcerpm }),
  });
  const details = packageDetails({ supplier: vendor });
  return { kind: "package", packageDb: path, package: found, details, maker: vendor };
}

function statedIn(field: string): string | undefined {
  const text = field.trim();
  return text === "" || text === "(none)" ? undefined : text;
}

function expected(line: string): string {
  return `expected a package as name, version-release and more, separated by tabs, found ${quoted(line)}`;
}
