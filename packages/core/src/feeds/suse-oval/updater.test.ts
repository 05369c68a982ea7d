import { describe, expect, it } from "vitest";
import { suseDocuments } from "./updater.ts";

const server = "suse.linux.enterprise.server.15";

describe("suseDocuments", () => {
  it.each([
    [[`${server}.xml.gz`], [`${server}.xml.gz`]],
    [[`${server}-affected.xml.gz`, `${server}-patch.xml.gz`, `${server}.xml.gz`], [`${server}-affected.xml.gz`]],
    [[`${server}.xml.gz`, `${server}-affected.xml.gz`], [`${server}-affected.xml.gz`]],
    [[`${server}.xml`, `${server}.xml.bz2`, "README", "../"], []],
    [
      ["suse.linux.enterprise.desktop.15.xml.gz", "suse.openstack.cloud.9.xml.gz", "suse.linux.enterprise.15.xml.gz"],
      [],
    ],
    [
      ["suse.linux.enterprise.micro.5.3.xml.gz", "opensuse.tumbleweed.xml.gz", "opensuse.leap.15.6.xml.gz"],
      ["opensuse.leap.15.6.xml.gz", "opensuse.tumbleweed.xml.gz", "suse.linux.enterprise.micro.5.3.xml.gz"],
    ],
    [[`/pub/projects/security/oval/${server}.xml.gz`], [`${server}.xml.gz`]],
  ])("of %j reads %j", (links, names) => {
    const page = links.map((link) => `<a href="${link}">${link}</a>`).join("\n");

    expect(suseDocuments(page)).toEqual(names);
  });
});
