import { join } from "node:path";
import {
  type BuiltImage,
  type BuiltIndex,
  buildImage,
  buildLayer,
  ociLayoutTree,
  packTree,
  type Tree,
} from "@plimsoll/testing";
import type { TempFolder } from "./temp-folder.ts";

/** What a Debian 12 root says of itself. */
export const debianRelease = [
  'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"',
  'NAME="Debian GNU/Linux"',
  'VERSION_ID="12"',
  "VERSION_CODENAME=bookworm",
  "ID=debian",
  "",
].join("\n");

/** A dpkg database of `name version[ source]` lines. */
export function dpkgStatus(...packages: readonly string[]): string {
  return packages
    .map((text) => {
      const [name, version, source] = text.split(" ");
      const origin = source === undefined ? "" : `Source: ${source}\n`;
      return `Package: ${name}\nStatus: install ok installed\nArchitecture: amd64\n${origin}Version: ${version}\n`;
    })
    .join("\n");
}

/** A Debian 12 image: each list of packages becomes a layer with its own dpkg database, the release is in the first. */
export async function debianImage(...databases: readonly (readonly string[])[]): Promise<BuiltImage> {
  const trees = databases.map(
    (packages, index): Tree => ({
      ...(index === 0 ? { "etc/os-release": debianRelease } : {}),
      "var/lib/dpkg/status": dpkgStatus(...packages),
    }),
  );
  return buildImage({ layers: await Promise.all(trees.map((tree) => buildLayer(tree))) });
}

/** An OCI archive of one image. */
export function ociArchive(image: BuiltImage, name = "app:1"): Promise<Uint8Array> {
  return packTree(ociLayoutTree({ [name]: image }));
}

/** Writes images and indexes by their names as an OCI layout, in a part of a folder. @returns its path */
export function writeLayout(
  folder: TempFolder,
  roots: Readonly<Record<string, BuiltImage | BuiltIndex>>,
  name = "layout",
): string {
  const files = Object.entries(ociLayoutTree(roots));
  for (const [path, content] of files) folder.write(join(name, path), content as string | Uint8Array); // a layout has only these
  return join(folder.path, name);
}

/** A Debian tracker document: `source` → `CVE` → fixed version, `"0"` for not affected, undefined for no fix. */
export function debianTracker(
  sources: Readonly<Record<string, Readonly<Record<string, { readonly fixed?: string; readonly urgency?: string }>>>>,
): string {
  const entry = ({ fixed, urgency = "not yet assigned" }: { fixed?: string; urgency?: string }) => ({
    releases: {
      bookworm:
        fixed === undefined ? { status: "open", urgency } : { status: "resolved", fixed_version: fixed, urgency },
    },
  });
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(sources).map(([source, cves]) => [
        source,
        Object.fromEntries(Object.entries(cves).map(([name, fix]) => [name, entry(fix)])),
      ]),
    ),
  );
}
