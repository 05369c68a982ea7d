import { describe, expect, it } from "vitest";
import { findThirdParty } from "./vendors.ts";

describe("findThirdParty", () => {
  it.each([
    undefined,
    "",
    " ",
    "AlmaLinux",
    "Amazon Linux",
    "Amazon.com",
    "CentOS",
    "Fedora Project",
    "Microsoft Corporation",
    "Oracle America",
    "Red Hat, Inc.",
    "Rocky Enterprise Software Foundation",
    "SUSE LINUX Products GmbH, Nuernberg, Germany",
    "SUSE LLC <https://www.suse.com/>",
    "VMware, Inc.",
    "http://openeuler.org",
    "Mageia.Org",
    "OpenMandriva",
    "openSUSE",
  ])("finds no third party for %j", (vendor) => {
    expect(findThirdParty(vendor)).toBeUndefined();
  });

  it.each([
    "NodeSource",
    "Oracle and/or its affiliates",
    "PostgreSQL Global Development Group",
    "Remi's RPM repository",
    "Rockyou",
    "obs://build.opensuse.org/home:somebody",
  ])("finds a third party for %j", (vendor) => {
    expect(findThirdParty(vendor)).toBe(vendor);
  });
});
