import { gzipSync } from "node:zlib";
import { buildTar, longNameMember, type OddMember } from "./tar-builder.ts";

/** A small layer that is slow to read, or large once it is read. */
export interface SlowLayer {
  /** What the layer has much of. */
  readonly name: string;
  /** The compressed layer. */
  build(): Uint8Array;
}

/**
 * Layers that a careless reader reads slowly: a collection of all the forms that were found to be slow.
 * @param scale the number of entries; about 1,000 show that layers can be read, 100,000 how fast
 */
export function slowLayers(scale: number): readonly SlowLayer[] {
  const many = (count: number, entries: (at: number) => OddMember | readonly OddMember[]) => () =>
    pack(Array.from({ length: Math.ceil(count) }, (_, at) => entries(at)).flat());
  return [
    { name: "folders 2,000 deep", build: many(scale / 20, (at) => longNamed(`${at}/${"a/".repeat(2_000)}f`)) },
    {
      name: "folders that share their beginning",
      build: many(scale / 20, (at) => longNamed(`${"a/".repeat(2_000)}${at}/f`)),
    },
    { name: "long names", build: many(scale / 20, (at) => longNamed(`${"n".repeat(4_000)}${at}`)) },
    { name: "names with steps up", build: many(scale / 20, (at) => longNamed(`${"a/../".repeat(800)}${at}`)) },
    { name: "whiteouts", build: many(scale, (at) => ({ name: `usr/share/.wh.${at}` })) },
    { name: "whiteouts 2,000 deep", build: many(scale / 20, (at) => longNamed(`${"a/".repeat(2_000)}.wh.${at}`)) },
    { name: "opaque folders", build: many(scale, (at) => ({ name: `usr/${at}/.wh..wh..opq` })) },
    { name: "folders below a chain of links", build: () => pack([...linkChain(), ...belowLinks(scale)]) },
    { name: "hard links in a chain", build: many(scale, (at) => hardLink(`l${at}`, `l${at + 1}`)) },
    { name: "wanted links in a loop", build: many(scale, (at) => wantedLink(at)) },
    { name: "wanted files without content", build: many(scale, (at) => ({ name: `var/lib/dpkg/status.d/${at}` })) },
    { name: "packages", build: () => pack([{ name: dpkg, content: packages(scale) }]) },
    { name: "as many packages as are allowed", build: () => pack([{ name: dpkg, content: mostPackages(scale) }]) },
    {
      name: "packages with long names",
      build: () => pack([{ name: dpkg, content: packages(scale / 5, "n".repeat(1_000)) }]),
    },
    { name: "package databases", build: many(Math.min(scale, 4_900), (at) => singlePackage(at)) },
    { name: "empty paragraphs", build: () => pack([{ name: dpkg, content: "\n".repeat(100 * scale) }]) },
    { name: "one long line", build: () => pack([{ name: dpkg, content: `Package: ${"a ".repeat(100 * scale)}` }]) },
    {
      name: "slashes in apk's repositories",
      build: () => pack([{ name: "etc/apk/repositories", content: `${"/".repeat(20 * scale)}x` }]),
    },
    {
      name: "spaces in os-release",
      build: () => pack([{ name: "etc/os-release", content: `ID=${" ".repeat(20 * scale)}x` }]),
    },
    {
      name: "lines of os-release",
      build: () => pack([{ name: "etc/os-release", content: 'A="\\\n'.repeat(10 * scale) }]),
    },
    {
      name: "packages of apk",
      build: () => pack([{ name: "lib/apk/db/installed", content: "P:a\nV:1\n\n".repeat(scale) }]),
    },
    { name: "zeros", build: () => pack([{ name: "zeros", content: new Uint8Array(3_000 * scale) }]) },
  ];
}

const dpkg = "var/lib/dpkg/status";

function pack(members: readonly OddMember[]): Uint8Array {
  return gzipSync(buildTar(...members));
}

function longNamed(path: string): readonly OddMember[] {
  return [longNameMember(path), { name: "f", format: "gnu" }];
}

function hardLink(name: string, linkName: string): OddMember {
  return { name, type: "1", linkName };
}

function wantedLink(at: number): OddMember {
  return { name: `var/lib/dpkg/status.d/${at}`, type: "2", linkName: `../status.d/${at ^ 1}` };
}

/** Forty links, the longest chain that is followed. Each one's path has many `..` steps. */
function linkChain(): readonly OddMember[] {
  return Array.from({ length: 40 }, (_, at) => [
    longNameMember(`${"a/../".repeat(800)}l${at + 1}`, "K"),
    { name: `l${at}`, type: "2", format: "gnu" } satisfies OddMember,
  ]).flat();
}

function belowLinks(count: number): readonly OddMember[] {
  return Array.from({ length: count }, (_, at) => ({ name: `l1/${at}/f` }));
}

function packages(count: number, prefix = "p"): string {
  return Array.from({ length: count }, (_, at) => packageOf(`${prefix}${at}`, at)).join("\n");
}

function packageOf(name: string, at: number): string {
  return `Package: ${name}\nStatus: install ok installed\nArchitecture: amd64\nVersion: ${at}\n`;
}

/** Just fewer than `maxFindings`; the database itself counts too. */
function mostPackages(scale: number): string {
  return packages(Math.min(scale, 9_900));
}

function singlePackage(at: number): OddMember {
  return { name: `var/lib/dpkg/status.d/${at}`, content: packageOf(`p${at}`, at) };
}
