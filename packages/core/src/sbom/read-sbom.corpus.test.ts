import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { readSbom } from "./read-sbom.ts";

const corpus = findCorpus();

describe.skipIf(corpus === undefined)("readSbom", () => {
  it("reads the bill of materials of a UBI image: installed packages without source rpms and keys", () => {
    const bytes = gunzipSync(readFileSync(`${corpus}/data/expected/ubi-latest-spdx/ubi_latest_spdx.json.gz`));
    const locators = [...bytes.toString("utf8").matchAll(/"referenceLocator":\s*"(pkg:[^"]*)"/g)].map(
      ([, purl]) => purl,
    );
    const others = /^pkg:oci\/|\/gpg-pubkey@|[?&]arch=src(?:&|$)/;
    const installed = locators.filter((purl = "") => !others.test(purl));

    const { format, packages, problems } = readSbom(bytes, "ubi");

    expect([format, problems]).toEqual(["SPDX", []]);
    expect(packages.flatMap(({ purl = [] }) => purl).sort()).toEqual(installed.sort());
    expect(packages.find(({ package: { name } }) => name === "acl")).toMatchObject({
      package: { version: "2.3.1-4.el9", arch: "x86_64", source: { name: "acl", version: "2.3.1-4.el9" } },
      distribution: { did: "rhel", versionId: "9.6" },
      locations: ["var/lib/rpm/rpmdb.sqlite"],
    });
    expect(installed.length).toBeGreaterThan(200);
  });
});
