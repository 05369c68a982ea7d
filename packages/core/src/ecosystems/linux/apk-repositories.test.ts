import { describe, expect, it } from "vitest";
import { parseApkRepositories } from "./detector.ts";
import { bytesOf } from "./fixtures/layer-files.ts";

const mirror = "https://dl-cdn.alpinelinux.org/alpine";

describe("parseApkRepositories", () => {
  it.each<[string, string, { name: string; key?: string; uri?: string }[]]>([
    ["nothing", "", []],
    [
      "one per line",
      `${mirror}/v3.20/main\n${mirror}/v3.20/community`,
      [
        { name: "v3.20/main", uri: `${mirror}/v3.20/main` },
        { name: "v3.20/community", uri: `${mirror}/v3.20/community` },
      ],
    ],
    ["comments and blank lines", `#${mirror}/edge/main\n\n  # x\n`, []],
    ["edge", `${mirror}/edge/main\n`, [{ name: "edge/main", uri: `${mirror}/edge/main` }]],
    [
      "Wolfi's",
      "https://packages.wolfi.dev/os\n",
      [{ name: "packages.wolfi.dev/os", uri: "https://packages.wolfi.dev/os" }],
    ],
    ["a final slash and blanks", ` \t${mirror}/v3.6/main/ \r\n`, [{ name: "v3.6/main", uri: `${mirror}/v3.6/main` }]],
    [
      "the same one twice",
      `${mirror}/edge/main\n${mirror}/edge/main\n`,
      [{ name: "edge/main", uri: `${mirror}/edge/main` }],
    ],
    ["a path", "/media/cdrom/apks\n", [{ name: "cdrom/apks" }]],
    [
      "tagged repositories",
      `@testing ${mirror}/edge/testing\nv3 @x ${mirror}/edge main\n`,
      [
        { name: "testing", key: "apk-tag", uri: `${mirror}/edge/testing` },
        { name: "x", key: "apk-tag", uri: `${mirror}/edge/main` },
      ],
    ],
    [
      "components",
      `v3 ${mirror}/v3.23 main community\n`,
      [
        { name: "v3.23/main", uri: `${mirror}/v3.23/main` },
        { name: "v3.23/community", uri: `${mirror}/v3.23/community` },
      ],
    ],
    ["no settings", "set -default mirror=https://example.com\ndefault v3\n", []],
  ])("reads %s", (_, text, expected) => {
    const { repositories, problems } = parseApkRepositories(bytesOf(text));

    expect(repositories).toEqual(expected);
    expect(problems.count).toBe(0);
  });

  it.each(["what", "gopher://example.org/x", `https://\${host}/alpine/edge main`, "https://", "https://exämple.org/x"])(
    "reports that %s is not an address",
    (line) => {
      const { repositories, problems } = parseApkRepositories(bytesOf(`${line}\n${mirror}/edge/main\n`));

      expect(repositories).toHaveLength(1);
      expect(problems).toMatchObject({ count: 1, listed: [{ line: 1 }] });
    },
  );

  it("does not read a file that is too large", () => {
    expect(parseApkRepositories(new Uint8Array(2 << 20))).toMatchObject({ repositories: [], problems: { count: 1 } });
  });
});
