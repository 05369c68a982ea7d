import { describe, expect, it } from "vitest";
import { rpmMatcher } from "../ecosystems/rpm/matcher.ts";
import { samplePackage, sampleRecord } from "../match/fixtures/samples.ts";
import type { Advisory } from "../model/advisory.ts";
import type { Updater } from "../plugins/updater.ts";
import { amazonUpdater } from "./amazon-updateinfo/updater.ts";
import { fedoraUpdater } from "./fedora-updateinfo/updater.ts";
import { ovalDefinition, ovalDocument } from "./oval/fixtures/oval-document.ts";
import { azurelinuxUpdater, oracleUpdater, photonUpdater } from "./oval/vendors.ts";
import { photonCveUpdater } from "./photon-cve/updater.ts";
import { feedReaderOf } from "./shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "./shared/fixtures/items-of.ts";
import { suseUpdater } from "./suse-oval/updater.ts";

/** OVAL that says in which version of zlib a flaw is fixed, where a product is installed. */
function oval(product: string, fixed: string): string {
  const criteria = `<criterion test_ref="tst(release)" comment="${product} is installed"/>`;
  return ovalDocument({
    tests: {
      release: { name: "sample-release", state: "<version>8</version>" },
      less: {
        state: `<arch operation="pattern match">aarch64|x86_64</arch><evr operation="less than">0:${fixed}</evr>`,
      },
    },
    definitions: [ovalDefinition(`${criteria}<criterion test_ref="tst(less)"/>`)],
  });
}

/** The same as an update of a repository. */
function updateinfo(id: string, release: string, fixed: string): string {
  const [version, build] = fixed.split("-");
  return `<updates><update type="security"><id>${id}</id><release>${release}</release><pkglist><collection>
    <package name="zlib" epoch="0" version="${version}" release="${build}" arch="x86_64"/>
    </collection></pkglist></update></updates>`;
}

async function advisoryOf(updater: Updater, document: string): Promise<Advisory> {
  const [item, ...others] = await itemsOf(updater, feedReaderOf({ "": document }));
  if (item?.kind !== "item" || others.length > 0)
    throw new Error(`expected one advisory, found ${JSON.stringify(item)}`);
  return item.item;
}

describe("feeds of distributions with rpm", () => {
  it.each<[string, Updater, string, string, string]>([
    ["ol 8.9", oracleUpdater, oval("Oracle Linux 8", "1.2-3.el8"), "1.2-2.el8", "1.2-3.el8"],
    ["photon 4.0", photonUpdater, oval("Photon OS 4", "1.2-3.ph4"), "1.2-2.ph4", "1.2-3.ph4"],
    [
      "photon 5.0",
      photonCveUpdater,
      JSON.stringify([{ cve_id: "CVE-2024-0001", pkg: "zlib", res_ver: "1.2-3.ph5" }]),
      "1.2-2.ph5",
      "1.2-3.ph5",
    ],
    ["azurelinux 3.0", azurelinuxUpdater, oval("x", "1.2-3.azl3"), "1.2-2.azl3", "1.2-3.azl3"],
    ["mariner 2.0", azurelinuxUpdater, oval("x", "1.2-3.cm2"), "1.2-2.cm2", "1.2-3.cm2"],
    ["sles 15.5", suseUpdater, oval("SUSE Linux Enterprise Server 15 SP5", "1.2-3.1"), "1.2-2.1", "1.2-3.1"],
    ["sl-micro 6.0", suseUpdater, oval("SUSE Linux Micro 6.0", "1.2-3.1"), "1.2-2.1", "1.2-3.1"],
    ["opensuse-leap 15.5", suseUpdater, oval("openSUSE Leap 15.5", "1.2-3.1"), "1.2-2.1", "1.2-3.1"],
    ["opensuse-tumbleweed 20240101", suseUpdater, oval("openSUSE Tumbleweed", "1.2-3.1"), "1.2-2.1", "1.2-3.1"],
    ["amzn 2", amazonUpdater, updateinfo("ALAS2-2024-1", "", "1.2-3.amzn2"), "1.2-2.amzn2", "1.2-3.amzn2"],
    [
      "amzn 2023",
      amazonUpdater,
      updateinfo("ALAS2023-2024-1", "", "1.2-3.amzn2023"),
      "1.2-2.amzn2023",
      "1.2-3.amzn2023",
    ],
    ["amzn 2018.03", amazonUpdater, updateinfo("ALAS-2014-1", "", "1.2-3.amzn1"), "1.2-2.amzn1", "1.2-3.amzn1"],
    ["fedora 40", fedoraUpdater, updateinfo("FEDORA-2024-1", "Fedora 40", "1.2-3.fc40"), "1.2-2.fc40", "1.2-3.fc40"],
  ])("say of a package of %s whether it is affected", async (release, updater, document, affected, fixed) => {
    const advisory = await advisoryOf(updater, document);
    const recordOf = (version: string) =>
      sampleRecord(release, samplePackage(`zlib ${version}`, { from: `zlib ${version}`, arch: "x86_64" }));

    expect(rpmMatcher.keys(recordOf(affected))).toContainEqual({ ecosystem: advisory.ecosystem, name: "zlib" });
    expect(rpmMatcher.judge(recordOf(affected), advisory)).toEqual({ kind: "affected", fixedInVersion: fixed });
    expect(rpmMatcher.judge(recordOf(fixed), advisory)).toEqual({ kind: "not-affected", reason: "fixed" });
  });
});
