import { describe, expect, it } from "vitest";
import { indexRecords } from "../../match/index-records.ts";
import { fileOf, indexLayers } from "../language/fixtures/index-layers.ts";

const mirror = "https://dl-cdn.alpinelinux.org/alpine";
const plain = `${mirror}/v3.22/main\n${mirror}/v3.22/community\n`;
const release = (did: string) => fileOf("etc/os-release", `ID=${did}\nVERSION_ID=3.22.1\n`);

/** What marks the package of an image say about who made it, with the lines of its record. */
async function marksOf(did: string, repositories: string, more: string) {
  const record = `P:foo\nV:1.0-r0\nA:x86_64\no:foo\n${more}\n\n`;
  const report = await indexLayers([
    [fileOf("lib/apk/db/installed", record)],
    [release(did), fileOf("etc/apk/repositories", repositories)],
  ]);
  const marks = indexRecords(report).flatMap((each) => each.repositories);
  return marks.flatMap(({ key, name }) => (key === undefined ? [] : [`${key}: ${name}`]));
}

describe("the makers of packages of apk", () => {
  const copa = "m:Natanael Copa <ncopa@alpinelinux.org>";

  it.each<[title: string, did: string, repositories: string, record: string, marks: readonly string[]]>([
    ["Alpine's own", "alpine", plain, copa, []],
    ["an address of anyone, as many maintainers of Alpine have", "alpine", plain, "m:Jane <jane@gmail.com>", []],
    ["no maintainer", "alpine", plain, "L:MIT", []],
    ["no repositories", "alpine", "", copa, []],
    ["a mirror", "alpine", "https://mirror.example.com/alpine/latest-stable/main/\n", copa, []],
    ["a medium", "alpine", "/media/cdrom/apks\n", copa, []],
    ["nginx", "alpine", plain, "m:NGINX Packaging <nginx-packaging@f5.com>", ["third-party: nginx"]],
    ["Corretto", "alpine", plain, "m:Amazon <x@amazon.com>", ["third-party: amazon"]],
    ["glibc", "alpine", plain, "m:Sasha Gerrand <alpine-pkgs@sgerrand.com>", ["third-party: sgerrand"]],
    ["testing", "alpine", `${plain}${mirror}/edge/testing\n`, copa, ["unstated-fact: maker"]],
    ["testing in a comment", "alpine", `${plain}#${mirror}/edge/testing\n`, copa, []],
    ["a folder", "alpine", `${plain}/home/builder/packages\n`, copa, ["unstated-fact: maker"]],
    ["another host", "alpine", `${plain}https://apk.corretto.aws\n`, copa, ["unstated-fact: maker"]],
    ["a tag that the package does not have", "alpine", `${plain}@testing ${mirror}/edge/testing\n`, copa, []],
    [
      "the tag of testing",
      "alpine",
      `${plain}@testing ${mirror}/edge/testing\n`,
      `${copa}\ns:testing`,
      [`third-party: ${mirror}/edge/testing`],
    ],
    ["the tag of edge", "alpine", `${plain}@edge ${mirror}/edge/main\n`, `${copa}\ns:edge`, []],
    ["a tag of nothing", "alpine", plain, `${copa}\ns:gone`, []],
    ["a tag of both", "alpine", `v3 @edge ${mirror}/edge main testing\n`, `${copa}\ns:edge`, ["unstated-fact: maker"]],
    ["Wolfi's own", "wolfi", "https://packages.wolfi.dev/os\n", "m:x", []],
    ["subscribers' on Wolfi", "wolfi", "https://apk.cgr.dev/chainguard-private\n", "m:x", ["unstated-fact: maker"]],
    ["subscribers' on Chainguard", "chainguard", "https://apk.cgr.dev/chainguard-private\n", "m:x", []],
    ["a distribution without advisories", "postmarketos", "https://example.com/x\n", copa, []],
  ])("are known from the repositories and the maintainer: %s", async (_, did, repositories, record, marks) => {
    expect(await marksOf(did, repositories, record)).toEqual(marks);
  });
});
