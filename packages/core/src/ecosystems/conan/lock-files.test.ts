import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import { lockDetectorsFor, readLocked } from "../language/fixtures/read-locked.ts";

describe("conanLockFiles", () => {
  it.each([
    [
      "conan.lock 2",
      "conan.lock",
      JSON.stringify({
        version: "0.5",
        requires: ["zlib/1.2.13#97d5730b529b4224045fe7090592d4c1%1692672717.68", "pkg/0.1@user/channel#f1"],
        build_requires: ["cmake/3.22.6#32cced101c6df0fab43e8d00bd2483eb%1680.1"],
        python_requires: [],
      }),
      ["zlib 1.2.13", "pkg 0.1", "cmake 3.22.6 (development)"],
    ],
    [
      "conan.lock 1",
      "src/conan.lock",
      JSON.stringify({
        graph_lock: {
          nodes: {
            0: { options: "" },
            1: { ref: "openssl/1.1.1k", context: "host" },
            2: { ref: "m4/1.4.19", context: "build" },
          },
        },
      }),
      ["openssl 1.1.1k", "m4 1.4.19 (development)"],
    ],
    [
      "conanfile.txt",
      "conanfile.txt",
      "[requires]\npoco/1.9.4 # comment\nzlib/[>=1.2]\n\n[tool_requires]\ncmake/3.22.6@user/x\n[options]\na/1:b=True\n",
      ["poco 1.9.4", "cmake 3.22.6 (development)"],
    ],
  ])("reads %s", (_, path, content, expected) => {
    expect(readLocked(path, content)).toEqual(expected);
  });

  it("keeps the user and channel of a package", () => {
    const [detector] = lockDetectorsFor("conan.lock");
    const bytes = new TextEncoder().encode(JSON.stringify({ requires: ["pkg/0.1@acme/stable#f1%1", "a/1@_/_#f1"] }));

    const found = [...(detector?.detect({ path: "conan.lock", contentPath: "conan.lock", mode: 0o644, bytes }) ?? [])];

    expect(found).toMatchObject([
      { qualifiers: { channel: "stable", user: "acme" } },
      { qualifiers: { channel: "", user: "" } },
    ]);
  });

  it("reads any text or throws ScanError", () => {
    const pieces = fc.constantFrom(
      '{"requires":',
      "[requires]",
      "a/1",
      "[",
      "]",
      "}",
      '"a/1#2"',
      "\n",
      "[tool_requires]",
    );
    fc.assert(
      fc.property(
        fc.constantFrom("conan.lock", "conanfile.txt"),
        fc.array(pieces, { maxLength: 20 }),
        (path, parts) => {
          try {
            for (const line of readLocked(path, parts.join(""))) expect(line).toContain(" ");
          } catch (error) {
            expect(error).toBeInstanceOf(ScanError);
          }
        },
      ),
    );
  });
});
