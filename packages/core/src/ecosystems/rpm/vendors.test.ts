import { describe, expect, it } from "vitest";
import { allDistributions } from "../../distributions/all.ts";
import { findThirdParty } from "./vendors.ts";

describe("findThirdParty", () => {
  it.each<[did: string | undefined, vendors: readonly (string | undefined)[]]>([
    ["almalinux", ["AlmaLinux", undefined, "", " "]],
    ["amzn", ["Amazon Linux", "Amazon.com", "Amazon.com Inc."]],
    ["azurelinux", ["Microsoft Corporation"]],
    ["centos", ["CentOS", "Red Hat, Inc."]],
    ["fedora", ["Fedora Project"]],
    ["mageia", ["Mageia.Org"]],
    ["mariner", ["Microsoft Corporation"]],
    ["ol", ["Oracle America"]],
    ["openeuler", ["http://openeuler.org"]],
    ["opensuse-leap", ["openSUSE", "SUSE LLC <https://www.suse.com/>"]],
    ["opensuse-tumbleweed", ["openSUSE"]],
    ["photon", ["VMware, Inc.", "Broadcom, Inc."]],
    ["rhel", ["Red Hat, Inc."]],
    ["rocky", ["Rocky Enterprise Software Foundation", "Rocky Linux"]],
    ["sl-micro", ["SUSE LLC <https://www.suse.com/>"]],
    ["sle-micro", ["SUSE LLC <https://www.suse.com/>"]],
    ["sles", ["SUSE LINUX Products GmbH, Nuernberg, Germany", "SUSE LLC <https://www.suse.com/>"]],
    ["sles_sap", ["SUSE LLC <https://www.suse.com/>"]],
    ["nobara", ["Fedora Project", "Red Hat, Inc."]], // whose own vendors are not known
    ["of-nobody", ["Fedora Project", "OpenMandriva"]],
    [undefined, ["AlmaLinux", "Amazon Linux", "CentOS", "openSUSE"]],
  ])("finds no third party in %s for %j", (did, vendors) => {
    expect(vendors.filter((vendor) => findThirdParty(vendor, { did }) !== undefined)).toEqual([]);
  });

  it.each<[did: string | undefined, vendors: readonly string[]]>([
    // EPEL, Corretto, JBoss, and packages of a distribution that the image was migrated from
    ["almalinux", ["Fedora Project", "Amazon.com Inc.", "Microsoft Corporation", "Red Hat, Inc.", "Rocky Linux"]],
    ["amzn", ["Fedora Project", "CentOS"]],
    ["azurelinux", ["Fedora Project"]],
    ["centos", ["Fedora Project"]],
    ["fedora", ["Fedora Copr - user somebody", "Red Hat, Inc.", "RPM Fusion"]],
    ["ol", ["Oracle and/or its affiliates", "Fedora Project"]],
    ["opensuse-leap", ["obs://build.opensuse.org/home:somebody"]],
    ["opensuse-tumbleweed", ["SUSE LLC <https://www.suse.com/>"]],
    ["rhel", ["CentOS", "Fedora Project", "Microsoft Corporation", "PostgreSQL Global Development Group"]],
    ["rocky", ["AlmaLinux", "Fedora Project", "NodeSource", "Rockyou"]],
    ["sles", ["openSUSE"]], // Package Hub
    ["nobara", ["NodeSource"]],
    [undefined, ["NodeSource", "Remi's RPM repository"]],
  ])("finds a third party in %s for each of %j", (did, vendors) => {
    expect(vendors.map((vendor) => findThirdParty(vendor, { did }))).toEqual(vendors);
  });

  it("knows the vendors of each distribution that has advisories", () => {
    const unknown = allDistributions.filter(
      ({ packaging, advisoryKey, vendorTags }) => packaging === "rpm" && advisoryKey !== undefined && !vendorTags,
    );

    expect(unknown.map(({ did }) => did)).toEqual(["bottlerocket"]); // its list names no vendors
  });
});
