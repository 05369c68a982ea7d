import { describe, expect, it } from "vitest";
import type { LockFileEntry } from "../../plugins/detector.ts";
import { lockDetectorsFor } from "./fixtures/read-locked.ts";

const json = (value: object) => JSON.stringify(value);

/** The names in a lock file by what the project needs them for. */
function usesIn(path: string, content: string): Readonly<Record<string, string>> {
  const file = { path, contentPath: path, mode: 0o644, bytes: new TextEncoder().encode(content) };
  const entries = lockDetectorsFor(path).flatMap((detector) => [...(detector.lists?.(file) ?? [])]);
  const useOf = ({ isDevelopment = false, isOptional = false }: LockFileEntry) =>
    isDevelopment ? "development" : isOptional ? "optional" : "runtime";
  const uses = { runtime: "", optional: "", development: "" };
  for (const each of entries) uses[useOf(each)] = `${uses[useOf(each)]} ${each.name}`.trim();
  return uses;
}

const uv = `version = 1
requires-python = ">=3.11"
resolution-markers = [
    "sys_platform == 'win32'",
    "sys_platform != 'win32'",
]

[[package]]
name = "demo"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "click" },
    { name = "pywin32", marker = "sys_platform == 'win32'" },
    { name = "requests", extra = ["socks"] },
    { name = "tomli", marker = "python_full_version < '3.13'" },
]

[package.optional-dependencies]
cli = [
    { name = "rich" },
]

[package.dev-dependencies]
dev = [
    { name = "pytest" },
]

[package.metadata]
requires-dist = [{ name = "click" }]

[[package]]
name = "click"
version = "8.1.7"
source = { registry = "https://pypi.example/simple" }
dependencies = [
    { name = "colorama", marker = "sys_platform == 'win32'" },
]

${["colorama 0.4.6", "PySocks 1.7.1", "pywin32 306", "tomli 2.0.1", "iniconfig 2.0.0", "rich 13.7.1"]
  .map((each) => each.split(" "))
  .map(([name, version]) => `[[package]]\nname = "${name}"\nversion = "${version}"\n`)
  .join("\n")}
[[package]]
name = "pytest"
version = "8.0.0"
dependencies = [{ name = "iniconfig" }, { name = "click" }]

[[package]]
name = "requests"
version = "2.31.0"

[package.optional-dependencies]
socks = [
    { name = "pysocks" },
]
`;

const poetry1 = `[[package]]
name = "click"
version = "8.1.7"
optional = false

[package.dependencies]
colorama = {version = "*", markers = "platform_system == \\"Windows\\""}
importlib-metadata = {version = "*", markers = "python_version < \\"3.8\\""}

[[package]]
name = "requests"
version = "2.31.0"

[package.dependencies]
Brotli = [
    {version = "*", markers = "sys_platform == \\"linux\\""},
    {version = "*", markers = "sys_platform == \\"win32\\""},
]
PySocks = {version = ">=1.5.6", optional = true, markers = "extra == \\"socks\\""}
urllib3 = ">=1.21.1,<3"

[package.extras]
socks = ["PySocks (>=1.5.6)"]

${["brotli 1", "colorama 0.4.6", "importlib-metadata 7", "pysocks 1.7.1", "urllib3 2"]
  .map((each) => each.split(" "))
  .map(([name, version]) => `[[package]]\nname = "${name}"\nversion = "${version}"\n`)
  .join("\n")}
[[package]]
name = "mine"
version = "1"

[package.source]
type = "directory"
url = "../mine"
`;

describe("the detectors of lock files", () => {
  it.each([
    [
      "uv.lock",
      uv,
      {
        runtime: "click PySocks tomli requests",
        optional: "colorama pywin32 rich",
        development: "iniconfig pytest",
      },
    ],
    [
      "uv.lock",
      '[[package]]\nname = "demo"\nversion = "1"\nsource = { virtual = "." }\n\n[[package]]\nname = "a"\nversion = "1"\n',
      { runtime: "a", optional: "", development: "" },
    ],
    [
      "poetry.lock",
      poetry1,
      { runtime: "click requests brotli importlib-metadata urllib3", optional: "colorama pysocks", development: "" },
    ],
    [
      "poetry.lock",
      `[[package]]
name = "a"
version = "1"
groups = ["main", "dev"]
markers = "python_version == \\"3.11\\" or python_version >= \\"3.12\\""

[[package]]
name = "b"
version = "1"
groups = ["main"]
markers = "sys_platform == \\"win32\\""

[[package]]
name = "c"
version = "1"
groups = ["dev"]

[[package]]
name = "d"
version = "1"
optional = true
groups = ["main"]
`,
      { runtime: "a", optional: "b d", development: "c" },
    ],
    [
      "pdm.lock",
      `[[package]]
name = "a"
version = "1"
groups = ["default", "dev"]
dependencies = [
    "colorama; platform_system == \\"Windows\\"",
    "b[x]>=1",
]

[[package]]
name = "b"
version = "1"
groups = ["default"]

[[package]]
name = "colorama"
version = "1"
groups = ["default"]

[[package]]
name = "pywin32"
version = "1"
groups = ["default"]
marker = "sys_platform == \\"win32\\""

[[package]]
name = "pytest"
version = "1"
groups = ["dev"]
`,
      { runtime: "a b", optional: "colorama pywin32", development: "pytest" },
    ],
    [
      "pylock.toml",
      `[[packages]]
name = "a"
version = "1"

[[packages]]
name = "b"
version = "1"
marker = "sys_platform == 'win32'"

[[packages]]
name = "c"
version = "1"
marker = "'dev' in dependency_groups"

[[packages]]
name = "d"
version = "1"
marker = "'cli' in extras"

[[packages]]
name = "e"
version = "1"
[packages.directory]
path = "e"
`,
      { runtime: "a", optional: "b d", development: "c" },
    ],
    [
      "Pipfile.lock",
      json({
        default: {
          a: { version: "==1", markers: "python_version >= '3.8'" },
          b: { version: "==1", markers: "sys_platform == 'win32'" },
        },
        develop: { c: { version: "==1" } },
      }),
      { runtime: "a", optional: "b", development: "c" },
    ],
    [
      "bun.lock",
      json({
        lockfileVersion: 1,
        workspaces: {
          "": { name: "app", dependencies: { a: "1", "@s/a": "1" }, devDependencies: { c: "1" } },
          "packages/x": { optionalDependencies: { o: "1" } },
        },
        packages: {
          "@s/a": ["@s/a@1.0.0", "", { dependencies: { b: "2" }, peerDependencies: { p: "1" } }, "sha512-x"],
          "@s/a/b": ["b@2.0.0", "", {}, "sha512-x"],
          a: ["a@1.0.0", "", { dependencies: { b: "1" }, optionalDependencies: { "f-darwin": "1" } }, "sha512-x"],
          b: ["n@1.0.0", "", {}, "sha512-x"],
          c: ["c@1.0.0", "", { dependencies: { d: "1" } }, "sha512-x"],
          d: ["d@1.0.0", "", {}, "sha512-x"],
          "f-darwin": ["f-darwin@1.0.0", "", { os: "darwin", cpu: "x64" }, "sha512-x"],
          o: ["o@1.0.0", "", {}, "sha512-x"],
          p: ["p@1.0.0", "", {}, "sha512-x"],
        },
      }),
      { runtime: "@s/a b a n p", optional: "f-darwin o", development: "c d" },
    ],
    ["bun.lock", json({ packages: { a: ["a@1.0.0"] } }), { runtime: "a", optional: "", development: "" }],
    [
      "yarn.lock",
      `# yarn lockfile v1

"@e/linux-x64@1.0.0":
  version "1.0.0"

chokidar@^3.5.2:
  version "3.5.3"
  dependencies:
    braces "~3.0.2"
  optionalDependencies:
    fsevents "~2.3.2"

"braces@~3.0.2":
  version "3.0.2"

esbuild@1:
  version "1.0.0"
  optionalDependencies:
    "@e/linux-x64" "1.0.0"

fsevents@~2.3.2:
  version "2.3.2"
  dependencies:
    nan "1 || 2"

"nan@1 || 2":
  version "2.1.0"
`,
      { runtime: "chokidar braces esbuild", optional: "@e/linux-x64 fsevents nan", development: "" },
    ],
    [
      "package-lock.json",
      json({
        lockfileVersion: 3,
        packages: {
          "": { name: "app" },
          "node_modules/a": { version: "1.0.0", os: ["!win32"] },
          "node_modules/b": { version: "1.0.0", os: ["darwin"] },
          "node_modules/c": { version: "1.0.0", cpu: ["x64"], os: ["linux"] },
          "node_modules/d": { version: "1.0.0", dev: true },
        },
      }),
      { runtime: "a", optional: "b c", development: "d" },
    ],
  ])("say what %s needs packages for", (path, content, expected) => {
    expect(usesIn(path, content)).toEqual(expected);
  });

  it("follow few versions of a package, so that a file with thousands of them costs little", () => {
    const many = Array.from({ length: 20_000 }, (_, at) => {
      return `[[package]]\nname = "a"\nversion = "${at}"\ndependencies = [{ name = "a" }]\n`;
    });
    const own = '[[package]]\nname = "o"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [{ name = "a" }]\n';

    expect(usesIn("uv.lock", own + many.join("\n")).runtime?.split(" ")).toHaveLength(20);
  });
});
