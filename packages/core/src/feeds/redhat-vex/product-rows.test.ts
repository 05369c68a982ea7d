import { describe, expect, it } from "vitest";
import { languageRecord, verdictsOn } from "../../match/fixtures/verdicts.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import { withoutRecords } from "../shared/fixtures/items-of.ts";
import { csafDocument, type SampleDocument } from "./fixtures/csaf-document.ts";
import { documentItems } from "./items.ts";

/** No document of the samples has a container: this one is written by hand, in the form that Red Hat describes. */
const products = {
  "OSE-4.15": "cpe:/a:redhat:openshift:4.15::el9",
  "OSE-4.16": "cpe:/a:redhat:openshift:4.16::el9",
  openshift_4: "cpe:/a:redhat:openshift:4",
};
const digest = `sha256%3A${"4".repeat(64)}`;
const oci = (tag: string, arch = "amd64") =>
  `pkg:oci/ose-console-rhel9@${digest}?arch=${arch}&repository_url=registry.redhat.io/openshift4/ose-console-rhel9&tag=${tag}`;
const components = {
  "console-4.15": oci("v4.15.9-2.p0"),
  "console-4.15-arm": oci("v4.15.9-2.p0", "arm64"),
  "console-4.16": oci("v4.16.3-2.p0"),
  console: "pkg:oci/ose-console-rhel9?repository_url=registry.redhat.io/openshift4/ose-console-rhel9",
  nameless: "pkg:oci/ose-console-rhel9",
};
const fixed = ["OSE-4.15:console-4.15", "OSE-4.15:console-4.15-arm", "OSE-4.16:console-4.16", "OSE-4.16:nameless"];

function advisoriesOf(statuses: SampleDocument["statuses"]) {
  const bytes = new TextEncoder().encode(
    JSON.stringify(csafDocument({ products, components, statuses, impact: "Low" })),
  );
  return withoutRecords(documentItems(bytes, "cve.json")).map((each) =>
    each.kind === "item" ? each.item : expect.fail(each.message),
  );
}

function container(version: string, cpe?: string, name = "openshift/ose-console-rhel9"): IndexRecord {
  const record = languageRecord("redhat-container", `${name} ${version}`);
  return cpe === undefined ? record : { ...record, package: { ...record.package, cpe } };
}

describe("containers in documents of Red Hat", () => {
  it("are advisories for each minor release, whatever the architecture", () => {
    expect(advisoriesOf({ fixed })).toMatchObject([
      {
        ecosystem: "redhat-containers",
        packageName: "openshift4/ose-console-rhel9",
        cpes: [products["OSE-4.15"]],
        ranges: [{ fixed: "v4.15.9-2.p0" }],
      },
      { cpes: [products["OSE-4.16"]], ranges: [{ introduced: "v4.16", fixed: "v4.16.3-2.p0" }] },
    ]);
  });

  it.each([
    ["before the oldest fix", container("v4.14.1-1.p0"), ["affected v4.15.9-2.p0", "outside-range"]],
    ["with the fix of its minor release", container("v4.15.9-2.p0"), ["fixed", "outside-range"]],
    ["of the next, without its fix", container("v4.16.0-1.p0"), ["affected v4.16.3-2.p0", "fixed"]],
    [
      "with a product",
      container("v4.16.0-1.p0", "cpe:/a:redhat:openshift:4.16::el9"),
      ["affected v4.16.3-2.p0", "other-product"],
    ],
    ["of another product", container("v4.16.0-1.p0", "cpe:/a:redhat:quay:3::el9"), ["other-product", "other-product"]],
    ["of another name", container("v4.16.0-1.p0", undefined, "ubi9/ubi"), []],
  ])("are matched: %s", (_, record, verdicts) => {
    expect(verdictsOn(record, advisoriesOf({ fixed }))).toEqual(verdicts);
  });

  it.each([
    ["known_affected", ["affected"]],
    ["known_not_affected", ["vendor-statement"]],
    ["under_investigation", ["vendor-undetermined"]],
  ])("%s is about every version", (status, verdicts) => {
    expect(verdictsOn(container("v4.16.0-1.p0"), advisoriesOf({ [status]: ["openshift_4:console"] }))).toEqual(
      verdicts,
    );
  });
});
