import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { type ItemOrProblem, itemsOf } from "../shared/fixtures/items-of.ts";
import { redhatUpdater } from "./updater.ts";

const corpus = findCorpus();
const folder = `${corpus}/data/feeds`;

async function itemsOfFile(bytes: Uint8Array): Promise<readonly Advisory[]> {
  return advisoriesOf(await itemsOf(redhatUpdater, feedReaderOf({ "": bytes })));
}

function advisoriesOf(items: readonly ItemOrProblem<Advisory>[]): readonly Advisory[] {
  return items.map((each) => {
    if (each.kind === "problem") throw new Error(each.message);
    return each.item;
  });
}

/** What advisories say, one line for each product, version and architecture: undoes that they are joined. */
function linesOf(advisories: readonly Advisory[]): string[] {
  const lines = advisories.flatMap(({ name, cpes = [], ranges, arch, packageName, packageKind, status }) =>
    cpes.flatMap((cpe) =>
      ranges.flatMap(({ fixed = "any" }) =>
        (arch?.value.split("|") ?? [packageKind === "SOURCE" ? "src" : "any"]).map(
          (each) => `${name} ${cpe} ${packageName} ${fixed.replace(/^\d+:/, "")} ${each} ${status}`,
        ),
      ),
    ),
  );
  return [...new Set(lines)].sort();
}

type Json = { readonly [member: string]: Json } & readonly Json[] & string;

/** All objects of a document that have a member. */
function objectsWith(value: Json, member: string): readonly Json[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value as Readonly<Record<string, Json>>).flatMap((each) => objectsWith(each, member));
  return member in value ? [value, ...inner] : inner;
}

const said = { fixed: "affected", known_affected: "affected", known_not_affected: "not-affected" } as const;

/**
 * The same lines of a document's product ids, which spell out what they stand for: `PRODUCT:NAME-EPOCH:VERSION-RELEASE.ARCH`, of a module
 * `PRODUCT:NAME-VERSION-RELEASE.ARCH.rpm-MODULE`, and `PRODUCT:NAME` or `PRODUCT:NAME.src` of every version.
 */
function idLines(text: string): string[] {
  const document = JSON.parse(text) as Json;
  const cpes = new Map(
    objectsWith(document, "cpe")
      .map(({ cpe }) => cpe as string)
      .map((cpe) => [cpe, cpe]),
  );
  const byId = new Map(
    objectsWith(document, "product_identification_helper").map((each) => [
      each.product_id as string,
      each.product_identification_helper?.cpe as string | undefined,
    ]),
  );
  expect(cpes.size).toBeGreaterThan(0);
  const lines = (document.vulnerabilities as readonly Json[]).flatMap(({ cve, product_status }) =>
    Object.entries(said).flatMap(([member, status]) => {
      const found = ((product_status?.[member] ?? []) as readonly string[]).flatMap((id) => {
        const product = [...byId].filter(([each, cpe]) => cpe !== undefined && id.startsWith(`${each}:`)).at(-1);
        const build = /:([^:]+?)-(?:\d+:)?([^-:]+-[^-:]+?)\.(\w+)(?:\.rpm-\S+)?$/.exec(id);
        const plain = /:([\w.+-]+?)(\.src)?$/.exec(id);
        const [, name, version, arch] = build ?? [
          undefined,
          plain?.[1],
          "any",
          plain?.[2] === undefined ? "any" : "src",
        ];
        if (product === undefined || name === undefined || /-debug(?:info|source)/.test(name)) return [];
        return [{ cpe: product[1], name, version, arch }];
      });
      const binaries = new Set(found.flatMap(({ version, arch }) => (arch === "src" ? [] : [version])));
      return found.flatMap(({ cpe, name, version, arch }) => {
        if (member === "fixed" && arch === "src" && binaries.has(version)) return [];
        return [`${cve} ${cpe} ${name} ${member === "fixed" ? version : "any"} ${arch} ${status}`];
      });
    }),
  );
  return [...new Set(lines)].sort();
}

const documents = [
  "redhat-vex/visible/cve-2023-38545.json",
  "redhat-vex/visible/cve-2023-4154.json",
  "redhat-vex/visible/cve-2024-24786-simple.json",
  "redhat-csaf-advisories/visible/rhsa-2003_315.json",
  "redhat-csaf-advisories/visible/rhsa-2023_7025.json",
  "redhat-csaf-advisories/visible/rhsa-2024_4546.json",
  "redhat-csaf-advisories/visible/2024/rhsa-2024_6163.json",
];

describe.skipIf(corpus === undefined)("redhatUpdater on documents of Red Hat", () => {
  it.each(documents)("reads all that the ids of %s spell out", async (name) => {
    const bytes = readFileSync(`${folder}/${name}`);
    const expected = idLines(bytes.toString());

    expect(expected.length).toBeGreaterThan(0);
    expect(linesOf(await itemsOfFile(bytes))).toEqual(expected);
  });

  it("leaves a build for Flatpak out", async () => {
    const bytes = readFileSync(`${folder}/redhat-vex/visible/cve-2024-24786-bad-rpmmod.json`);

    expect((await itemsOfFile(bytes)).map(({ packageName }) => packageName)).toEqual(["cri-tools", "good-pkg"]);
  });

  it("reads the archive: sources of Red Hat Enterprise Linux, which have no package URLs there", async () => {
    const bytes = readFileSync(`${folder}/redhat-vex/visible/csaf_vex_2023-10-31.tar.zst`);
    const text = zstdDecompressSync(bytes).toString();
    const ids = [...text.matchAll(/"(red_hat_enterprise_linux_\d+):([\w-]+)"/g)].map(
      ([, product, name]) => `${product} ${name}`,
    );
    const parts = text.split('"csaf_version"').slice(1);
    const counted = parts.reduce((sum, part) => {
      const statuses = /"product_status": \{([\s\S]*?)\n {6}\}/.exec(part)?.[1] ?? "";
      return sum + [...statuses.matchAll(/"red_hat_enterprise_linux_\d+:[\w-]+"/g)].length;
    }, 0);

    const found = await itemsOfFile(bytes);

    expect(parts).toHaveLength(5);
    expect(ids.length).toBeGreaterThan(0);
    expect(found).toHaveLength(counted);
    expect(new Set(found.map(({ packageName }) => packageName))).toEqual(new Set(["kernel", "kernel-rt", "vim"]));
    expect(
      found.filter(({ remediation }) => remediation === "Will not fix").map(({ ecosystem }) => ecosystem),
    ).toContain("rhel:8");
  });

  it("keeps EUS, AUS, TUS and E4S apart", async () => {
    const curl = await itemsOfFile(readFileSync(`${folder}/redhat-vex/visible/cve-2023-38545.json`));
    const git = await itemsOfFile(readFileSync(`${folder}/redhat-csaf-advisories/visible/rhsa-2024_4546.json`));
    const fixOf = (advisories: readonly Advisory[], name: string, cpe: string) =>
      advisories
        .filter(({ packageName, cpes = [] }) => packageName === name && cpes.includes(cpe))
        .flatMap(({ ranges }) => ranges.map(({ fixed }) => fixed));

    expect(fixOf(curl, "libcurl", "cpe:/o:redhat:rhel_eus:9.0::baseos")).toEqual(["7.76.1-14.el9_0.9"]);
    expect(fixOf(curl, "libcurl", "cpe:/o:redhat:enterprise_linux:9::baseos")).toEqual([
      "7.76.1-23.el9_2.4", // while 9.2 was the newest release
      "7.76.1-26.el9_3.2",
    ]);
    for (const stream of ["aus", "tus", "e4s"])
      expect(fixOf(git, "git-lfs", `cpe:/a:redhat:rhel_${stream}:8.6::appstream`)).toEqual(["2.13.3-3.el8_6.1"]);
  });

  it("reads OVAL: every package of every definition, and its products", async () => {
    const text = readFileSync(`${folder}/redhat-oval/rhel8-large/com.redhat.rhsa-RHEL8.xml`).toString();
    const expected = text
      .split("<definition ")
      .slice(1)
      .flatMap((text) => {
        const [definition = ""] = text.split("</definition>", 1);
        const title = /<title>(\S+?):? /.exec(definition)?.[1];
        return [...definition.matchAll(/comment="(\S+) is earlier than (\S+)"/g)].map(
          ([, name, version]) => `${title} ${name} ${version?.replace(/^0:/, "")}`,
        );
      });

    const found = await itemsOfFile(Buffer.from(text));
    const lines = found.flatMap(({ name, packageName, ranges }) =>
      ranges.map(({ fixed }) => `${name} ${packageName} ${fixed}`),
    );

    expect([...new Set(lines)].sort()).toEqual([...new Set(expected)].sort());
    const productless = text
      .split("</definition>")
      .filter((definition) => definition.includes("<definition ") && !definition.includes("<cpe>"))
      .map((definition) => /<title>(\S+?):? /.exec(definition)?.[1]);
    const without = found.filter(({ cpes }) => cpes === undefined).map(({ name }) => name);
    expect([...new Set(without)].sort()).toEqual(productless.sort());
    const releases = [...text.matchAll(/Red Hat Enterprise Linux (\d+) is installed/g)].map(
      ([, major]) => `rhel:${major}`,
    );
    expect(new Set(found.map(({ ecosystem }) => ecosystem))).toEqual(new Set(releases));
  });

  it("reads OVAL of what is not fixed, compressed and in folders", async () => {
    const at = `${folder}/redhat-oval/unpatched-small`;
    const names = readdirSync(at, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".bz2"));
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(`${at}/${name}`)]));
    const texts = names.map((name) => execFileSync("bzip2", ["-dc", `${at}/${name}`]).toString());
    const expected = texts
      .flatMap((text) => text.split("<definition ").slice(1))
      .flatMap((text) => {
        const [definition = ""] = text.split("</definition>", 1);
        const [, unaffected, title] = /<title>(Unaffected components for: )?(\S+?):? /.exec(definition) ?? [];
        const status = unaffected === undefined ? "affected" : "not-affected";
        return [...definition.matchAll(/comment="(\S+) is (?:installed|earlier than (\S+))"/g)].map(
          ([, name, version]) => `${title} ${name} ${version?.replace(/^0:/, "")} ${status}`,
        );
      });

    const found = advisoriesOf(await itemsOf(redhatUpdater, feedReaderOf(files, { layout: "folder" })));

    expect(names).toHaveLength(3);
    const lines = found.flatMap(({ name, packageName, status, ranges }) =>
      ranges.map(({ fixed }) => `${name} ${packageName} ${fixed} ${status}`),
    );
    expect([...new Set(lines)].sort()).toEqual([...new Set(expected)].sort());
    expect(found.filter(({ status }) => status === "not-affected").length).toBeGreaterThan(0);
  });
});
