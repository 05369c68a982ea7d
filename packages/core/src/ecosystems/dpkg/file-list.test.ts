import { describe, expect, it } from "vitest";
import { bytesOf } from "../linux/fixtures/layer-files.ts";
import { findOwnershipFile, parseFileList, parseMd5sums } from "./file-list.ts";

describe("findOwnershipFile", () => {
  it.each<[string, ReturnType<typeof findOwnershipFile>]>([
    ["var/lib/dpkg/info/apt.list", { packageName: "apt", kind: "list" }],
    ["var/lib/dpkg/info/libc6:amd64.list", { packageName: "libc6", arch: "amd64", kind: "list" }],
    ["var/lib/dpkg/info/libgtk2.0-0:i386.md5sums", { packageName: "libgtk2.0-0", arch: "i386", kind: "md5sums" }],
    ["var/lib/dpkg/status.d/base.md5sums", { packageName: "base", kind: "md5sums" }],
    ["var/lib/dpkg/status.d/b3BlbnNzbA==.md5sums", { packageName: "openssl", kind: "md5sums" }],
    ["var/lib/dpkg/status.d/tzdata12.md5sums", { packageName: "tzdata12", kind: "md5sums" }],
    ["var/lib/dpkg/info/b3BlbnNzbA==.md5sums", { packageName: "b3BlbnNzbA==", kind: "md5sums" }],
    ["var/lib/dpkg/info/apt.postinst", undefined],
    ["var/lib/dpkg/info/.list", undefined],
    ["var/lib/dpkg/info/format", undefined],
  ])("reads %s", (path, expected) => {
    expect(findOwnershipFile(path)).toEqual(expected);
  });
});

describe("parseFileList", () => {
  it("returns paths without leading slash and without the root", () => {
    const text = "/.\n/usr\n/usr/bin\n/usr/bin/a b\n\nrelative\n/etc/x";

    expect(parseFileList(bytesOf(text))).toEqual(["usr", "usr/bin", "usr/bin/a b", "etc/x"]);
  });
});

describe("parseMd5sums", () => {
  it("returns the paths after the digests", () => {
    const digest = "e11d70c96979a1328ae4e7e50542782b";
    const text = `${digest}  usr/lib/a.so\n${digest}  ./usr/lib/b c\n${digest}  /usr/lib/d\n${digest}\nwrong\n`;

    expect(parseMd5sums(bytesOf(text))).toEqual(["usr/lib/a.so", "usr/lib/b c", "usr/lib/d"]);
  });
});
