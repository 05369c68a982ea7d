import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import type { Updater } from "../../plugins/updater.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { type ItemOrProblem, itemsOf } from "../shared/fixtures/items-of.ts";
import { suseUpdater } from "../suse-oval/updater.ts";
import { azurelinuxUpdater, oracleUpdater, photonUpdater } from "./vendors.ts";

const corpus = findCorpus();

function read(name: string): Buffer {
  return readFileSync(`${corpus}/data/feeds/${name}`);
}

function itemsOfFile(updater: Updater, name: string): Promise<ItemOrProblem<Advisory>[]> {
  return itemsOf(updater, feedReaderOf({ "": read(name) }));
}

/** Package and version of what a document's comments say, one line for each: another way than by tests and states. */
function commentsOf(text: string, pattern: RegExp): string[] {
  const definitions = text.split("<definition ").slice(1);
  const found = definitions.flatMap((definition) => {
    const title = /<title>\s*([\w:.-]*\d)/.exec(definition)?.[1];
    const criteria = definition.slice(definition.indexOf("<criteria"), definition.indexOf("</definition>"));
    return [...criteria.matchAll(pattern)].map(
      ([, name, version]) => `${title} ${name} ${version?.replace(/^0:/, "")}`,
    );
  });
  return [...new Set(found)].sort();
}

/** The same of what was read. Versions without their distribution: comments of Azure Linux leave it out. */
function statementsOf(items: readonly ItemOrProblem<Advisory>[]): string[] {
  const found = items.flatMap((item) =>
    item.kind === "problem"
      ? [item.message]
      : item.item.ranges.map(
          ({ fixed }) => `${item.item.name} ${item.item.packageName} ${fixed?.replace(/\.azl3$/, "")}`,
        ),
  );
  return [...new Set(found)].sort();
}

describe.skipIf(corpus === undefined)("updaters of OVAL", () => {
  it("reads all of Photon 3", async () => {
    const name = "photon/oval-large/com.vmware.phsa-photon3.xml";
    const items = await itemsOfFile(photonUpdater, name);

    expect(statementsOf(items)).toEqual(commentsOf(read(name).toString(), /comment="(\S+) is earlier than (\S+?)"/g));
    expect(items).toHaveLength(778);
    expect(new Set(items.map((item) => (item.kind === "item" ? item.item.ecosystem : "")))).toEqual(
      new Set(["photon:3.0"]),
    );
  });

  it("reads all of Azure Linux 3", async () => {
    const name = "azurelinux-oval/azl3/azurelinux-3.0-oval.xml";
    const items = await itemsOfFile(azurelinuxUpdater, name);
    const stated = commentsOf(read(name).toString(), /comment="Package (\S+) is earlier than +([^ ,]+),/g);

    const odd: Readonly<Record<string, string>> = {
      "CVE-2023-45853 cloud-hypervisor 32.0-2": "CVE-2023-45853 cloud-hypervisor undefined", // "Not Applicable"
      "CVE-2022-41717 golang 1.17.13-2":
        'found several versions in the place of one: "1.17.13-2,1.18.8-2,1.21.6-1.azl3"',
    };
    expect(statementsOf(items)).toEqual(stated.map((line) => odd[line] ?? line).sort());
    expect(items).toHaveLength(1222);
  });

  it.each(["ELSA-2007-0057.xml", "elsa-2018-1196-1.xml.bz2"])("reads all of Oracle's %s", async (file) => {
    const name = `oracle-oval/excerpt/${file}`;
    const text = file.endsWith(".bz2")
      ? execFileSync("bzcat", [`${corpus}/data/feeds/${name}`]).toString()
      : read(name).toString();
    const items = await itemsOfFile(oracleUpdater, name);

    expect(statementsOf(items)).toEqual(commentsOf(text, /comment="(\S+) is earlier than (\S+?)"/g));
    expect(items.length).toBeGreaterThan(6);
  });

  it("reads what is whole of SUSE's excerpt", async () => {
    const items = await itemsOfFile(suseUpdater, "suse-oval/excerpt/suse_truncated.xml");

    const read = items.flatMap((item) => (item.kind === "item" ? [item.item] : []));
    const lines = read.map(
      ({ name, ecosystem, packageName, status, ranges }) =>
        `${name} ${ecosystem} ${packageName} ${status} ${ranges.map(({ fixed }) => fixed ?? "all").join(" ")}`,
    );
    expect(lines).toEqual([
      "CVE-1999-0524 sles:15 kernel-default not-affected all",
      "CVE-1999-0524 sles:15 kernel-source not-affected all",
      "CVE-2021-29154 sles:15 kernel-default affected 4.12.14-150.72.1",
      "CVE-2021-29154 sles:15.1 kernel-default affected 4.12.14-197.89.2",
      "CVE-2026-34073 sles:15 python3-cryptography not-affected all",
    ]);
  });

  it("refuses half of a document", async () => {
    const whole = read("photon/oval-large/com.vmware.phsa-photon3.xml");
    const half = itemsOf(photonUpdater, feedReaderOf({ "": whole.subarray(0, whole.length / 2) }));

    await expect(half).rejects.toMatchObject({ code: "malformed_feed" });
  });
});
