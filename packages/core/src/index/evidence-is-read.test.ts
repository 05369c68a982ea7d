import { gzipSync } from "node:zlib";
import { buildTar, type OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fileOf, indexLayers } from "../ecosystems/language/fixtures/index-layers.ts";

const metadata = (name: string, version: string) => `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`;
const wheel = (name: string, version: string, folder = "usr/lib/python3/site-packages") =>
  fileOf(`${folder}/${name}-${version}.dist-info/METADATA`, metadata(name, version));
const poetry = (...packages: readonly string[]) =>
  packages.map((each) => `[[package]]\nname = "${each.split(" ")[0]}"\nversion = "${each.split(" ")[1]}"\n`).join("\n");
const module = (folder: string, name: string) =>
  fileOf(`${folder}node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0" }));
const npmLock = (...names: readonly string[]) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: "1.0.0" }])),
  });

/** Packages as `NAME VERSION`. */
const mixLock = (...packages: readonly string[]) =>
  `%{\n${packages.map((each) => each.replace(/^(\w+) (.*)$/, '  "$1": {:hex, :$1, "$2", "x", [:mix], [], "hexpm", "y"},\n')).join("")}}\n`;
const beam = (folder: string) => fileOf(`app/${folder}/ebin/jason.app`, '{application,jason,[{vsn,"1.4.0"}]}.');

const venv = "app/.venv/lib/python3.12/site-packages";
const address = "git+https://github.com/a/b.git#0123456789abcdef";
const gleamLock = (...packages: readonly string[]) =>
  `packages = [\n${packages.map((each) => each.replace(/^(\w+) (.*)$/, '  { name = "$1", version = "$2", build_tools = ["mix"], requirements = [], source = "hex" },\n')).join("")}]\n`;
/** Lock files whose only package comes from a repository of source code. */
const unpublished = (
  [
    ["Gemfile.lock", "GIT\n  remote: https://github.com/rack/rack\n  specs:\n    rack (2.0.1)\n", "ruby"],
    ["Cargo.lock", `[[package]]\nname = "b"\nversion = "1.0.0"\nsource = "${address}"\n`, "rust"],
    ["poetry.lock", '[[package]]\nname = "b"\nversion = "1"\n\n[package.source]\ntype = "git"\n', "python"],
    ["Pipfile.lock", JSON.stringify({ default: { b: { git: "https://github.com/a/b" } } }), "python"],
    ["composer.lock", JSON.stringify({ packages: [{ name: "a/b", version: "dev-main" }] }), "php"],
    [
      "Package.resolved",
      JSON.stringify({ pins: [{ location: "https://github.com/a/b", state: { branch: "main" } }] }),
      "swift",
    ],
    ["mix.lock", '%{\n  "b": {:git, "https://github.com/a/b", "x", []},\n}', "elixir"],
    ["rebar.lock", '[{<<"b">>,{git,"https://github.com/a/b",{ref,"a"}},0}].', "erlang"],
    ["pubspec.lock", "packages:\n  b:\n    source: git\n    version: 1.0.0\n", "dart"],
    ["package-lock.json", JSON.stringify({ dependencies: { b: { version: address } } }), "npm"],
    ["bun.lock", JSON.stringify({ packages: { b: ["b@github:a/b#0123456", {}] } }), "npm"],
    [
      "yarn.lock",
      `__metadata:\n  version: 8\n\n"b@a/b":\n  version: 0.0.0\n  resolution: "b@https://github.com/a/b.git#commit=0"\n`,
      "npm",
    ],
    [
      "pnpm-lock.yaml",
      "lockfileVersion: '9.0'\n\npackages:\n\n  b@https://codeload.github.com/a/b/tar.gz/0:\n    version: 1.0.0\n",
      "npm",
    ],
  ] as const
).map(([name, content, kind]): [string, readonly OddMember[], readonly string[]] => [
  `with one package from a repository: ${name}`,
  [fileOf(`app/${name}`, content)],
  [`${kind} app/${name}`],
]);

/** What Yarn writes for a project with two packages. */
const pnp = `const RAW_RUNTIME_STATE = '{\\
  "packageRegistryData": [\\
    [null, [[null, {"packageLocation": "./", "packageDependencies": [["old", ["debug", "npm:1.0.0"]]]}]]],\\
    ["debug", [["npm:1.0.0", {"packageLocation": "./.yarn/cache/debug-npm-1.0.0-x.zip/node_modules/debug/",\\
      "packageDependencies": [["debug", "npm:1.0.0"], ["@a/ms", "virtual:0a1b#npm:1.0.0"], ["app", "workspace:."]]}]]]\\
  ]\\
}';`;

/** The kinds of packages that are not assessed in an image of one layer. */
async function unassessedIn(...members: readonly OddMember[]): Promise<readonly string[]> {
  const { coverage } = await indexLayers([members]);
  return coverage.unassessed.map(({ kind, evidence }) => `${kind} ${evidence.map(({ path }) => path).join(" ")}`);
}

describe("a lock file of an image", () => {
  it.each<[string, readonly OddMember[], readonly string[]]>([
    [
      "whose packages are in another folder",
      [
        fileOf("app/poetry.lock", poetry("PyYAML 6.0", "requests 2.31.0")),
        wheel("pyyaml", "6.0"),
        wheel("requests", "2.31.0"),
      ],
      [],
    ],
    [
      "most of whose packages are there, but those of other platforms",
      [fileOf("app/poetry.lock", poetry("a 1", "b 2", "colorama 3")), wheel("a", "1"), wheel("b", "2")],
      [],
    ],
    [
      "without anything that can be read",
      [fileOf("app/poetry.lock", "\u0000"), wheel("six", "1.16.0")],
      ["python app/poetry.lock"],
    ],
    [
      "of another form than is known",
      [fileOf("app/poetry.lock", 'package = [{ name = "b", version = "1" }]\n'), wheel("six", "1.16.0")],
      ["python app/poetry.lock"],
    ],
    [
      "with a conflict",
      [fileOf("app/poetry.lock", `<<<<<<< HEAD\n${poetry("six 1.16.0")}=======\n`), wheel("six", "1.16.0")],
      ["python app/poetry.lock"],
    ],
    [
      "of Mix, of which a build for production leaves out what is for development",
      [fileOf("app/mix.lock", mixLock("jason 1.4.0", "credo 1.6.0", "bunt 0.2.0")), beam("_build/prod/lib/jason")],
      [],
    ],
    ["of Gleam", [fileOf("app/manifest.toml", gleamLock("jason 1.4.0"))], ["erlang app/manifest.toml"]],
    ["of Gleam, in a package", [fileOf("app/node_modules/a/manifest.toml", gleamLock("jason 1.4.0"))], []],
    [
      "of Gleam with its packages",
      [fileOf("app/manifest.toml", gleamLock("jason 1.4.0")), beam("build/erlang-shipment/jason")],
      [],
    ],
    ["of another program with that name", [fileOf("app/manifest.toml", 'packages = [{ name = "a" }]\n')], []],
    [
      "of Mix beside a release",
      [fileOf("app/mix.lock", mixLock("jason 1.4.0", "credo 1.6.0")), beam("lib/jason-1.4.0")],
      [],
    ],
    [
      "of Mix beside a build from another lock file",
      [fileOf("app/mix.lock", mixLock("jason 1.4.1", "credo 1.6.0")), beam("_build/prod/lib/jason")],
      ["elixir app/mix.lock"],
    ],
    [
      "of Mix beside a build for development",
      [fileOf("app/mix.lock", mixLock("jason 1.4.0", "credo 1.6.0")), beam("_build/dev/lib/jason")],
      ["elixir app/mix.lock"],
    ],
    ["that says that it is empty", [fileOf("app/poetry.lock", "# made\npackage = []\n"), wheel("six", "1.16.0")], []],
    [
      "of npm that says that it is empty",
      [fileOf("app/package-lock.json", '{"name": "a", "lockfileVersion": 3, "packages": {"": {"name": "a"}}}')],
      [],
    ],
    [
      "of the sources of Go itself",
      [
        fileOf("opt/sdk/src/go.mod", "module std\n\ngo 1.22\n\nrequire golang.org/x/net v0.20.0\n"),
        fileOf("opt/sdk/src/go.sum", "golang.org/x/net v0.20.0 h1:x\n"),
        fileOf("opt/sdk/src/cmd/go.mod", "module cmd\n\ngo 1.22\n\nrequire golang.org/x/net v0.20.0\n"),
        fileOf("opt/sdk/src/cmd/go.sum", "golang.org/x/net v0.20.0 h1:x\n"),
        fileOf("opt/sdk/src/vendor/modules.txt", "# golang.org/x/net v0.20.0\n"),
        fileOf("opt/sdk/src/cmd/vendor/modules.txt", "# golang.org/x/net v0.20.0\n"),
      ],
      [],
    ],
    [
      "of a program of Go in a folder with such a name",
      [
        fileOf("go/src/cmd/go.mod", "module example.org/cmd\n\nrequire golang.org/x/net v0.20.0\n"),
        fileOf("go/src/cmd/go.sum", "golang.org/x/net v0.20.0 h1:x\n"),
      ],
      ["go go/src/cmd/go.sum"],
    ],
    ...(["go.sum", "go.work.sum", "vendor/modules.txt", "Gopkg.lock"] as const).map(
      (name): [string, readonly OddMember[], readonly string[]] => [
        `of Go alone: ${name}`,
        [fileOf(`src/${name}`, "# golang.org/x/net v0.20.0\n")],
        [`go src/${name}`],
      ],
    ),
    [
      "of a workspace of Go, whose modules have lists",
      [
        fileOf("src/go.work", "go 1.22\n\nuse (\n\t./a\n)\n"),
        fileOf("src/go.work.sum", "golang.org/x/net v0.20.0 h1:x\n"),
      ],
      [],
    ],
    ["of Go's modules in another folder", [fileOf("src/modules.txt", "# golang.org/x/net v0.20.0\n")], []],
    [
      "of the sources of Rust's standard library",
      [
        fileOf(
          "opt/rustup/toolchains/stable/lib/rustlib/src/rust/library/Cargo.lock",
          '[[package]]\nname = "b"\nversion = "1.0.0"\nsource = "registry+https://example.org"\n',
        ),
      ],
      [],
    ],
    [
      "of Deno, whose packages are in its cache",
      [
        fileOf("app/deno.lock", JSON.stringify({ version: "5", npm: { "ms@2.0.0": {}, "b@1.0.0_ms@2.0.0": {} } })),
        fileOf("deno-dir/npm/npm.x.com/ms/2.0.0/package.json", '{"name":"ms","version":"2.0.0"}'),
        fileOf("deno-dir/npm/npm.x.com/b/1.0.0/package.json", '{"name":"b","version":"1.0.0"}'),
      ],
      [],
    ],
    [
      "of Deno, whose packages are not in its cache",
      [
        fileOf("app/deno.lock", JSON.stringify({ version: "5", npm: { "ms@2.0.0": {} } })),
        fileOf("deno-dir/npm/npm.x.com/b/1.0.0/package.json", '{"name":"b","version":"1.0.0"}'),
      ],
      ["npm app/deno.lock"],
    ],
    [
      "all of whose packages are a group of its own that is not there",
      [fileOf("app/poetry.lock", `${poetry("b 1")}groups = ["web"]\n`), wheel("six", "1.16.0")],
      ["python app/poetry.lock"],
    ],
    [
      "all of whose packages are for development",
      [fileOf("app/poetry.lock", `${poetry("b 1")}groups = ["dev"]\n`), wheel("six", "1.16.0")],
      [],
    ],
    [
      "whose peers are not there",
      [
        fileOf(
          "app/package-lock.json",
          JSON.stringify({ lockfileVersion: 3, packages: { "node_modules/b": { version: "1.0.0", peer: true } } }),
        ),
      ],
      ["npm app/package-lock.json"],
    ],
    [
      "whose packages are not there, beside others of the language",
      [fileOf("app/poetry.lock", poetry("requests 2.31.0", "urllib3 2.0")), wheel("six", "1.16.0")],
      ["python app/poetry.lock"],
    ],
    [
      "whose packages are there in other versions",
      [fileOf("app/poetry.lock", poetry("six 1.10.0")), wheel("six", "1.16.0")],
      ["python app/poetry.lock"],
    ],
    [
      "that has only a few of its packages below its folder",
      [fileOf("app/poetry.lock", poetry("a 1", "b 2", "c 3")), wheel("a", "1", venv)],
      ["python app/poetry.lock"],
    ],
    [
      "that has another package of its language below its folder",
      [fileOf("app/poetry.lock", poetry("a 1", "b 2")), wheel("pip", "24.0", venv)],
      ["python app/poetry.lock"],
    ],
    [
      "half of whose packages are there",
      [fileOf("app/poetry.lock", poetry("a 1", "b 2")), wheel("a", "1")],
      ["python app/poetry.lock"],
    ],
    [
      "that marks no development, with a fifth of its packages below its folder",
      [
        fileOf("app/poetry.lock", poetry(...Array.from({ length: 50 }, (_, at) => `p${at} 1`))),
        ...Array.from({ length: 10 }, (_, at) => wheel(`p${at}`, "1", venv)),
      ],
      [],
    ],
    [
      "whose packages for development and other platforms are not there",
      [
        fileOf(
          "app/package-lock.json",
          npmLock("debug").replace(
            '"packages":{',
            '"packages":{"node_modules/a":{"version":"1.0.0","dev":true},"node_modules/b":{"version":"1.0.0","optional":true},',
          ),
        ),
        module("app/", "debug"),
      ],
      [],
    ],
    ...unpublished,
    [
      "beside the packages of npm itself",
      [fileOf("app/package-lock.json", npmLock("debug", "ms")), module("usr/local/lib/", "npm")],
      ["npm app/package-lock.json"],
    ],
    [
      "in the root, beside the packages of npm itself",
      [fileOf("package-lock.json", npmLock("debug", "ms")), module("usr/local/lib/", "npm")],
      ["npm package-lock.json"],
    ],
    [
      "in the root with its packages",
      [fileOf("package-lock.json", npmLock("debug", "ms")), ...["debug", "ms"].map((name) => module("", name))],
      [],
    ],
    ["that lists nothing", [fileOf("app/package-lock.json", npmLock())], []],
    [
      "that cannot be read",
      [fileOf("app/package-lock.json", "{"), module("usr/local/lib/", "npm")],
      ["npm app/package-lock.json"],
    ],
    [
      "of a kind that no detector reads, in another folder than the packages",
      [fileOf("app/bun.lockb", "x"), module("srv/", "debug")],
      ["npm app/bun.lockb"],
    ],
    ["of a script of Python alone", [fileOf("app/run.py.lock", poetry("a 1"))], ["python app/run.py.lock"]],
    ["of a script of Python with its packages", [fileOf("app/run.py.lock", poetry("a 1")), wheel("a", "1")], []],
    ["of a dependency", [fileOf("usr/lib/node_modules/a/yarn.lock", "x")], []],
    ...(
      [
        [
          "whose packages are not there",
          "app/requirements.txt",
          "requests>=2\nflask\n",
          ["python app/requirements.txt"],
        ],
        ["with pins", "app/requirements.txt", "requests==2.31.0\n", ["python app/requirements.txt"]],
        ["in a folder of them", "app/requirements/base.txt", "flask\n", ["python app/requirements/base.txt"]],
        ["with an address", "app/requirements.txt", "git+https://a.b/c.git#egg=c\n", ["python app/requirements.txt"]],
        [
          "one of whose packages is there in another version",
          "app/requirements.txt",
          "six==1.0\n",
          ["python app/requirements.txt"],
        ],
        ["whose packages are there", "app/requirements.txt", "Six>=1\n", []],
        ["whose packages are there as they are pinned", "app/requirements/prod.txt", "six==1.16.0\n", []],
        ["for another platform", "app/requirements.txt", "six\npywin32 ; sys_platform == 'win32'\n", []],
        ["that only includes others", "app/requirements.txt", "# all\n-r requirements/base.txt\n-e .\n", []],
        ["for development", "app/requirements-dev.txt", "pytest\n", []],
        ["for development, in a folder", "app/requirements/test.txt", "pytest\n", []],
        ["of documentation", "app/docs/requirements.txt", "sphinx\n", []],
        ["of examples", "app/examples/a/requirements.txt", "flask\n", []],
        ["of tests", "app/tests/requirements.txt", "flask\n", []],
        ["of a package", "usr/lib/python3/dist-packages/a/requirements.txt", "flask\n", []],
        ["of the distribution", "usr/share/a/requirements.txt", "flask\n", []],
        ["that is a text", "app/requirements.txt", "A computer with a keyboard is needed.\n", []],
      ] as const
    ).map(([title, path, content, expected]): [string, readonly OddMember[], readonly string[]] => [
      `of requirements of Python ${title}`,
      [fileOf(path, content), wheel("six", "1.16.0")],
      expected,
    ]),
    ["of Plug'n'Play without its packages", [fileOf("app/.pnp.cjs", pnp)], ["npm app/.pnp.cjs"]],
    ["of Plug'n'Play, in the form of JSON", [fileOf("app/.pnp.data.json", pnp)], ["npm app/.pnp.data.json"]],
    [
      "of Plug'n'Play, beside other packages",
      [fileOf("app/.pnp.cjs", pnp), module("usr/local/lib/", "npm")],
      ["npm app/.pnp.cjs"],
    ],
    [
      "of Plug'n'Play with its packages",
      [fileOf("app/.pnp.cjs", pnp), module("app/", "debug"), module("app/", "@a/ms")],
      [],
    ],
    [
      "in a folder of packages that are not there",
      [fileOf("app/node_modules/.package-lock.json", npmLock("debug", "ms"))],
      ["npm app/node_modules/.package-lock.json"],
    ],
    [
      "in the folder of its packages",
      [fileOf("app/node_modules/.package-lock.json", npmLock("debug")), module("app/", "debug")],
      [],
    ],
    [
      "in the folder of packages of a package",
      [fileOf("app/node_modules/a/node_modules/.package-lock.json", npmLock("debug")), module("app/", "a")],
      [],
    ],
  ])("%s", async (_, members, expected) => {
    expect(await unassessedIn(...members)).toEqual(expected);
  });
});

describe("a lock file that tells of each package whether it is for development", () => {
  const all = ["a", "b", "c", "d", "e"];
  const most = all.slice(0, 4);
  const npm = fileOf("app/package-lock.json", npmLock(...all));
  const inGroups = (...names: readonly string[]) => names.map((name) => `${poetry(`${name} 1`)}groups = ["main"]\n`);
  const poetryLock = fileOf("app/poetry.lock", inGroups(...all).join("\n"));
  const installed = (...names: readonly string[]) => names.map((name) => wheel(name, "1"));
  const uvLock = fileOf(
    "app/uv.lock",
    `[[package]]\nname = "app"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [\n${all.map((name) => `    { name = "${name}" },\n`).join("")}]\n\n${poetry(...all.map((name) => `${name} 1`))}`,
  );
  const composerLock = fileOf(
    "app/composer.lock",
    JSON.stringify({ packages: all.map((name) => ({ name: `a/${name}`, version: "v1.0.0" })), "packages-dev": [] }),
  );
  const composer = (...names: readonly string[]) =>
    fileOf(
      "app/vendor/composer/installed.json",
      JSON.stringify({ packages: names.map((name) => ({ name: `a/${name}`, version: "1.0.0" })) }),
    );
  const pipfile = fileOf(
    "app/Pipfile.lock",
    JSON.stringify({ default: Object.fromEntries(all.map((name) => [name, { version: "==1" }])), develop: {} }),
  );
  const pnpm = fileOf(
    "app/pnpm-lock.yaml",
    `lockfileVersion: '9.0'\n\nimporters:\n  .:\n    dependencies:\n${all.map((name) => `      ${name}:\n        specifier: ^1\n        version: 1.0.0\n`).join("")}\npackages:\n\n${all.map((name) => `  ${name}@1.0.0:\n    resolution: {integrity: x}\n\n`).join("")}\nsnapshots:\n\n${all.map((name) => `  ${name}@1.0.0: {}\n\n`).join("")}`,
  );
  const modules = (folder: string, names: readonly string[]) => names.map((name) => module(folder, name));

  it.each<[string, readonly OddMember[], readonly string[]]>([
    ["npm, all of them", [npm, ...modules("app/", all)], []],
    ["npm, all of them in a higher folder", [npm, ...modules("", all)], []],
    ["npm, all but one", [npm, ...modules("app/", most)], ["npm app/package-lock.json"]],
    ["npm, all but one in another folder", [npm, ...modules("srv/", most)], ["npm app/package-lock.json"]],
    ["Poetry, all of them", [poetryLock, ...installed(...all)], []],
    ["Poetry, all but one", [poetryLock, ...installed(...most)], ["python app/poetry.lock"]],
    [
      "Poetry, all but one in the project's environment",
      [poetryLock, ...most.map((name) => wheel(name, "1", venv))],
      ["python app/poetry.lock"],
    ],
    [
      "Poetry, all and an installer in another version",
      [fileOf("app/poetry.lock", inGroups(...all, "setuptools").join("\n")), ...installed(...all)],
      [],
    ],
    ["uv, all of them", [uvLock, ...installed(...all)], []],
    ["uv, all but one", [uvLock, ...installed(...most)], ["python app/uv.lock"]],
    ["Pipenv, all of them", [pipfile, ...installed(...all)], []],
    ["Pipenv, all but one", [pipfile, ...installed(...most)], ["python app/Pipfile.lock"]],
    ["Composer, all of them", [composerLock, composer(...all)], []],
    ["Composer, all but one", [composerLock, composer(...most)], ["php app/composer.lock"]],
    ["pnpm, all of them", [pnpm, ...modules("app/", all)], []],
    ["pnpm, all but one", [pnpm, ...modules("app/", most)], ["npm app/pnpm-lock.yaml"]],
  ])("is covered by what is installed: %s", async (_, members, expected) => {
    expect(await unassessedIn(...members)).toEqual(expected);
  });

  it("does not count packages of another system where it does not tell", async () => {
    const lock = fileOf("app/poetry.lock", poetry(...all.map((name) => `${name} 1`)));
    const elsewhere = most.map((name) => wheel(name, "1", "rootfs/usr/lib/python3/site-packages"));

    expect(await unassessedIn(lock, ...elsewhere)).toEqual(["python app/poetry.lock"]);
    expect(await unassessedIn(lock, ...installed(...most))).toEqual([]);
  });
});

describe("a lock file that does not tell what is for development", () => {
  const tools = Array.from({ length: 10 }, (_, index) => `tool${index}`);
  const all = ["debug", "ms", ...tools];
  const yarnLock = fileOf(
    "app/yarn.lock",
    ["# yarn lockfile v1\n", ...all.map((name) => `${name}@^1:\n  version "1.0.0"\n`)].join("\n"),
  );
  const largeLock = [
    "# yarn lockfile v1\n",
    ...Array.from({ length: 500 }, (_, at) => `p${at}@^1:\n  version "1.0.0"\n`),
  ].join("\n");
  const stated = (more: object = {}) =>
    fileOf(
      "app/package.json",
      JSON.stringify({
        private: true,
        dependencies: { debug: "^1", other: "npm:ms@1", member: "workspace:*" },
        devDependencies: Object.fromEntries(tools.map((name) => [name, "^1"])),
        ...more,
      }),
    );
  const installed = [module("app/", "debug"), module("app/", "ms")];

  const gems = fileOf(
    "app/Gemfile.lock",
    `GEM\n  remote: https://rubygems.org/\n  specs:\n${all.map((name) => `    ${name} (1.0)\n`).join("")}`,
  );
  const gem = (name: string, version = "1.0", folder = "usr/local/bundle") =>
    fileOf(
      `${folder}/specifications/${name}-${version}.gemspec`,
      `Gem::Specification.new do |s|\n  s.name = "${name}"\n  s.version = "${version}"\nend\n`,
    );
  const gemfile = (more = "") => fileOf("app/Gemfile", `gem "debug"\ngem "ms"\n${more}gem "tool0", group: :test\n`);

  const poetryLock = fileOf("app/poetry.lock", poetry(...all.map((name) => `${name} 1`)));
  const pyproject = fileOf(
    "app/pyproject.toml",
    '[tool.poetry.dependencies]\npython = "^3.12"\ndebug = "*"\nms = "*"\n[tool.poetry.group.dev.dependencies]\ntool0 = "*"\n',
  );
  const inVenv = (...names: readonly string[]) => names.map((name) => wheel(name, "1", venv));

  it.each<[string, readonly OddMember[], readonly string[]]>([
    ["Yarn's with a description beside it", [yarnLock, stated(), ...installed], []],
    ["Yarn's of a project that only builds", [yarnLock, stated({ dependencies: {} })], []],
    ["Yarn's alone", [yarnLock, ...installed], ["npm app/yarn.lock"]],
    ["Yarn's, and one package is missing", [yarnLock, stated(), module("app/", "debug")], ["npm app/yarn.lock"]],
    [
      "Yarn's, and the packages are those of another folder",
      [yarnLock, stated(), module("srv/", "debug"), module("srv/", "ms")],
      ["npm app/yarn.lock"],
    ],
    [
      "Yarn's, of which another project has the most, but not all that this one needs",
      [yarnLock, stated(), ...["debug", ...tools].map((name) => module("srv/", name))],
      ["npm app/yarn.lock"],
    ],
    [
      "Yarn's, of which another folder has the most and all that the project needs",
      [yarnLock, stated(), ...all.map((name) => module("srv/", name))],
      [],
    ],
    [
      "Bundler's, of whose gems the most are there, but not one that the Gemfile needs",
      [gems, gemfile(), ...["debug", ...tools].map((name) => gem(name))],
      ["ruby app/Gemfile.lock"],
    ],
    [
      "Yarn's of a workspace, whose members need more",
      [yarnLock, stated({ workspaces: ["packages/*"] }), ...installed],
      ["npm app/yarn.lock"],
    ],
    [
      "Yarn's, and the description states nothing for development",
      [yarnLock, stated({ devDependencies: undefined }), ...installed],
      ["npm app/yarn.lock"],
    ],
    [
      "Yarn's, of which another folder has the most, but not one that a project needs which states nothing for development",
      [yarnLock, stated({ devDependencies: undefined }), ...["debug", ...tools].map((name) => module("srv/", name))],
      ["npm app/yarn.lock"],
    ],
    [
      "Yarn's, of which another folder has all that a project needs which states nothing for development",
      [yarnLock, stated({ devDependencies: undefined }), ...all.slice(0, 9).map((name) => module("srv/", name))],
      [],
    ],
    [
      "Yarn's with all below its folder but one that the project needs",
      [yarnLock, stated({ devDependencies: undefined }), ...["debug", ...tools].map((name) => module("app/", name))],
      ["npm app/yarn.lock"],
    ],
    [
      "Yarn's with all below its folder but one that may be for development",
      [yarnLock, stated(), ...all.slice(0, 11).map((name) => module("app/", name))],
      [],
    ],
    [
      "Yarn's with all below its folder but one that is optional",
      [
        yarnLock,
        stated({ optionalDependencies: { ms: "1", other: "npm:ms@1" } }),
        ...["debug", ...tools].map((name) => module("app/", name)),
      ],
      [],
    ],
    [
      "a large one of Yarn with the half of its packages, but not one that the project needs",
      [
        fileOf("app/yarn.lock", largeLock),
        fileOf("app/package.json", JSON.stringify({ name: "app", dependencies: { p1: "^1" } })),
        ...Array.from({ length: 400 }, (_, at) => module("app/", `p${at + 2}`)),
      ],
      ["npm app/yarn.lock"],
    ],
    [
      "Bundler's, of whose gems the most are there, but not one that a Gemfile without groups needs",
      [gems, fileOf("app/Gemfile", 'gem "ms"\n'), ...["debug", ...tools].map((name) => gem(name))],
      ["ruby app/Gemfile.lock"],
    ],
    [
      "Poetry's with an environment of its packages but one that the project needs",
      [
        poetryLock,
        fileOf("app/pyproject.toml", '[tool.poetry.dependencies]\ndebug = "*"\nms = "*"\n'),
        ...inVenv("debug", ...tools),
      ],
      ["python app/poetry.lock"],
    ],
    [
      "Yarn's with most below its folder, and the description states nothing for development",
      [yarnLock, stated({ devDependencies: undefined }), ...all.slice(0, 7).map((name) => module("app/", name))],
      [],
    ],
    [
      "a large one of Yarn with eight below its folder, of a project that states nothing for development",
      [
        fileOf("app/yarn.lock", largeLock),
        fileOf("app/package.json", JSON.stringify({ name: "app", dependencies: { p1: "^1" } })),
        ...Array.from({ length: 200 }, (_, at) => module("app/", `p${at}`)),
      ],
      ["npm app/yarn.lock"],
    ],
    [
      "a large one of Yarn with eight below its folder, of a project with something for development",
      [
        fileOf("app/yarn.lock", largeLock),
        fileOf("app/package.json", JSON.stringify({ dependencies: { p1: "^1" }, devDependencies: { p400: "^1" } })),
        ...Array.from({ length: 200 }, (_, at) => module("app/", `p${at}`)),
      ],
      [],
    ],
    [
      "Poetry's with eight below its folder, of a project that states nothing for development",
      [
        fileOf("app/poetry.lock", poetry(...Array.from({ length: 50 }, (_, at) => `p${at} 1`))),
        fileOf("app/pyproject.toml", '[tool.poetry.dependencies]\np1 = "*"\n'),
        ...Array.from({ length: 10 }, (_, at) => wheel(`p${at}`, "1", venv)),
      ],
      ["python app/poetry.lock"],
    ],
    [
      "Poetry's with eight below its folder, of a project with an extra, which may be for tests",
      [
        fileOf("app/poetry.lock", poetry(...Array.from({ length: 50 }, (_, at) => `p${at} 1`))),
        fileOf(
          "app/pyproject.toml",
          '[project]\nname = "a"\ndependencies = ["p1"]\n[project.optional-dependencies]\ntest = ["p40"]\n',
        ),
        ...Array.from({ length: 10 }, (_, at) => wheel(`p${at}`, "1", venv)),
      ],
      [],
    ],
    [
      "Bundler's with eight below its folder, of a Gemfile that states nothing for development",
      [
        fileOf(
          "app/Gemfile.lock",
          `GEM\n  remote: https://rubygems.org/\n  specs:\n${Array.from({ length: 50 }, (_, at) => `    g${at} (1.0)\n`).join("")}`,
        ),
        fileOf("app/Gemfile", 'gem "g1"\n'),
        ...Array.from({ length: 10 }, (_, at) => gem(`g${at}`, "1.0", "app/vendor/bundle/ruby/3.1.0")),
      ],
      ["ruby app/Gemfile.lock"],
    ],
    ["Bundler's with a Gemfile", [gems, gemfile(), gem("debug"), gem("ms")], []],
    ["Bundler's, and a gem is missing", [gems, gemfile(), gem("debug")], ["ruby app/Gemfile.lock"]],
    [
      "Bundler's, and a gem is another version",
      [gems, gemfile(), gem("debug"), gem("ms", "2.0")],
      ["ruby app/Gemfile.lock"],
    ],
    [
      "Bundler's with a Gemfile that names other files",
      [gems, gemfile("gemspec\n"), gem("debug"), gem("ms")],
      ["ruby app/Gemfile.lock"],
    ],
    ["Poetry's with a project", [poetryLock, pyproject, wheel("debug", "1"), wheel("ms", "1")], []],
    ["Poetry's, and a package is missing", [poetryLock, pyproject, wheel("debug", "1")], ["python app/poetry.lock"]],
    ["Poetry's with an environment of its packages", [poetryLock, ...inVenv("debug", "ms", "pip", "shop")], []],
    ["Poetry's with one of its packages", [poetryLock, ...inVenv("debug")], ["python app/poetry.lock"]],
    ["Poetry's with other packages", [poetryLock, ...inVenv("debug", "ms", "a", "b")], ["python app/poetry.lock"]],
  ])("%s", async (_, members, expected) => {
    expect(await unassessedIn(...members)).toEqual(expected);
  });

  it("counts a description of another layer, and none that a later layer deletes", async () => {
    const layers = [[yarnLock, ...installed], [stated()]];

    expect((await indexLayers(layers)).coverage.unassessed).toEqual([]);
    const deleted = await indexLayers([...layers, [fileOf("app/.wh.package.json", "")]]);
    expect(deleted.coverage.unassessed).toMatchObject([{ kind: "npm" }]);
  });
});

describe("a packed package, or one in the cache of a package manager", () => {
  const gem = (name: string, version: string) =>
    fileOf(
      `usr/local/bundle/specifications/${name}-${version}.gemspec`,
      `Gem::Specification.new do |s|\n  s.name = "${name}"\n  s.version = "${version}"\nend\n`,
    );
  const condaCache = [
    fileOf("opt/pkgs/numpy-1.26.4-py311_0.conda", "x"),
    fileOf("opt/pkgs/numpy-1.26.4-py311_0/info/index.json", "{}"),
    fileOf("opt/pkgs/zlib-1.3-0.tar.bz2", "x"),
  ];
  const condaMeta = fileOf(
    "opt/conda-meta/numpy-1.26.4-py311_1.json",
    JSON.stringify({ name: "numpy", version: "1.26.4", build: "py311_1" }),
  );
  const rocks = [fileOf("opt/lpeg-1.1.0-1.rockspec", "x"), fileOf("opt/lua-cjson-2.1.0-1.src.rock", "x")];
  const rockManifest = fileOf("usr/local/lib/luarocks/rocks-5.1/lpeg/1.1.0-1/rock_manifest", "x");
  const hexSources = ["hex_metadata.config", "mix.exs"].map((name) => fileOf(`app/deps/jason/${name}`, "x"));
  const hexArchive = fileOf("root/.hex/packages/hexpm/jason-1.4.0.tar", "x");
  const unpackedGem = fileOf("app/vendor/bundle/ruby/3.1.0/gems/nokogiri-1.15.0-x86_64-linux/lib/nokogiri.rb", "x");
  const unpackedTest = fileOf(
    "app/vendor/bundle/ruby/3.1.0/gems/nokogiri-1.15.0-x86_64-linux/spec/gems/foo-1.0/foo.rb",
    "x",
  );
  const phpPackage = fileOf("srv/vendor/monolog/monolog/composer.json", "{}");
  const phpInstalled = (name: string) =>
    fileOf("srv/vendor/composer/installed.json", JSON.stringify([{ name, version: "1.0.0" }]));
  const archive = fileOf("app/vendor/cache/nokogiri-1.15.0-x86_64-linux.gem", "x");
  const source = fileOf("usr/local/cargo/registry/src/index-1f/tokio-util-1.0.0/Cargo.toml", "x");
  const packedSource = fileOf("usr/local/cargo/registry/cache/index-1f/tokio-util-1.0.0.crate", "x");
  const goModule = fileOf("go/pkg/mod/github.com/!a/b@v1.0.0/go.mod", "x");
  const goZip = fileOf("go/pkg/mod/cache/download/github.com/!a/b/@v/v1.0.0.zip", "x");
  const pack = (name: string) => fileOf(name, gzipSync(buildTar(fileOf("package/package.json", "{}"))));

  const packed = (name: string, ...paths: readonly string[]) =>
    fileOf(name, gzipSync(buildTar(...paths.map((path) => fileOf(path, "x".repeat(999))))));

  it.each<[string, readonly OddMember[], readonly string[]]>([
    ["a gem", [archive], [`ruby ${archive.name}`]],
    ["a gem that is installed", [archive, gem("nokogiri", "1.15.0")], []],
    ["a gem that is installed in another version", [archive, gem("nokogiri", "1.16.0")], [`ruby ${archive.name}`]],
    ["a crate, packed and unpacked", [source, packedSource], [`rust ${source.name}`]],
    ["a module of Go, packed and unpacked", [goModule, goZip], [`go ${goModule.name}`]],
    ["what describes a module of Go", [fileOf("go/pkg/mod/cache/download/github.com/a/b/@v/v1.0.0.mod", "x")], []],
    ["a gem unpacked without its specification", [unpackedGem, unpackedTest], [`ruby ${unpackedGem.name}`]],
    ["a gem unpacked with its specification", [unpackedGem, unpackedTest, gem("nokogiri", "1.15.0")], []],
    ["a gem unpacked beside another version", [unpackedGem, gem("nokogiri", "1.16.0")], [`ruby ${unpackedGem.name}`]],
    ["a folder of gems that is none", [fileOf("usr/lib/ruby/gems/3.1.0/doc/a", "x")], []],
    [
      "a vendored crate",
      [fileOf("app/vendor/serde/.cargo-checksum.json", "{}")],
      ["rust app/vendor/serde/.cargo-checksum.json"],
    ],
    [
      "a vendored crate of the standard library",
      [fileOf("lib/rustlib/src/rust/vendor/a/.cargo-checksum.json", "{}")],
      [],
    ],
    ["a package of PHP without a list", [phpPackage], [`php ${phpPackage.name}`]],
    ["a package of PHP that is listed", [phpPackage, phpInstalled("monolog/monolog")], []],
    ["a package of PHP beside a list without it", [phpPackage, phpInstalled("psr/log")], [`php ${phpPackage.name}`]],
    ["a package of PHP for tests", [fileOf("tests/vendor/monolog/monolog/composer.json", "{}")], []],
    ["packages of conda", condaCache, ["conda opt/pkgs/numpy-1.26.4-py311_0.conda opt/pkgs/zlib-1.3-0.tar.bz2"]],
    ["packages of conda, of which one is installed", [...condaCache, condaMeta], ["conda opt/pkgs/zlib-1.3-0.tar.bz2"]],
    [
      "files that are like packages of conda",
      [fileOf("opt/a-1.0-1.tar.bz2", "x"), fileOf("a/info/index.json", "{}")],
      [],
    ],
    ["packages of LuaRocks", rocks, ["lua opt/lpeg-1.1.0-1.rockspec opt/lua-cjson-2.1.0-1.src.rock"]],
    [
      "packages of LuaRocks, of which one is installed",
      [...rocks, rockManifest],
      ["lua opt/lua-cjson-2.1.0-1.src.rock"],
    ],
    ["sources of Lua that are no release", [fileOf("app/app-scm-1.rockspec", "x")], []],
    ["sources of Elixir", hexSources, ["elixir app/deps/jason/hex_metadata.config"]],
    ["sources of Elixir and what was built", [...hexSources, beam("_build/prod/lib/jason")], []],
    ["a package of Hex", [hexArchive], [`elixir ${hexArchive.name}`]],
    ["a package of Hex that is built", [hexArchive, beam("_build/prod/lib/jason")], []],
    ["a toolchain of Go", [fileOf("go/pkg/mod/golang.org/toolchain@v0.0.1-go1.22.0/go.mod", "x")], []],
    ["a package of npm", [pack("opt/debug-1.0.0.tgz")], ["npm opt/debug-1.0.0.tgz"]],
    ["a package of npm in a file of another name", [pack("opt/debug-1.0.0.tar.gz")], ["npm opt/debug-1.0.0.tar.gz"]],
    [
      "a package of npm, not compressed",
      [fileOf("a.tar", buildTar(fileOf("package/package.json", "{}")))],
      ["npm a.tar"],
    ],
    [
      "a package of npm of another name that is installed",
      [pack("opt/debug-1.0.0.tar.gz"), module("app/", "debug")],
      [],
    ],
    ["a package of npm that is installed", [pack("opt/debug-1.0.0.tgz"), module("app/", "debug")], []],
    ["a package of npm in a package", [pack("app/node_modules/debug/a/b-1.0.0.tgz"), module("app/", "debug")], []],
    [
      "an application with packages of several languages",
      [
        packed("srv/a.tar.gz", "./a/lib/a.jar", "./a/node_modules/b/package.json"),
        packed("srv/b.tgz", "b.txt", "c-1.0.dist-info/METADATA"),
      ],
      ["java srv/a.tar.gz", "python srv/b.tgz"],
    ],
    ["packages of Ruby", [packed("srv/a.tar.gz", "specifications/rack-2.0.gemspec")], ["ruby srv/a.tar.gz"]],
    ["packages of PHP", [packed("srv/a.tar.gz", "vendor/composer/installed.json")], ["php srv/a.tar.gz"]],
    ["packages of .NET", [packed("srv/a.tar.gz", "a.deps.json")], ["dotnet srv/a.tar.gz"]],
    ["packages of Python that were not built", [packed("srv/a-1.tar.gz", "a-1/a.egg-info/PKG-INFO")], []],
    ["packages for tests", [packed("srv/tests/a.tar.gz", "a-1.dist-info/METADATA")], []],
    ["another archive", [fileOf("opt/a-1.0.0.tgz", gzipSync(buildTar(fileOf("a/b", ""))))], []],
    ["a file that is no archive", [fileOf("opt/a-1.0.0.tgz", "x".repeat(9999))], []],
  ])("%s", async (_, members, expected) => {
    expect(await unassessedIn(...members)).toEqual(expected);
  });
});

describe("a lock file of a workspace", () => {
  const package_ = (path: string, content: object = {}) => fileOf(`app/${path}package.json`, JSON.stringify(content));
  const root = package_("", { private: true, workspaces: ["packages/*"], devDependencies: { tool: "1" } });
  const [api, web] = [
    package_("packages/api/", { name: "api", private: true, dependencies: { debug: "1", lib: "1" } }),
    package_("packages/web/", { name: "web", private: true, dependencies: { left: "1" } }),
  ];
  const version = "1.0.0";
  const needs = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, version]));
  const packageLock = fileOf(
    "app/package-lock.json",
    JSON.stringify({
      lockfileVersion: 3,
      packages: {
        "": { workspaces: ["packages/*"], devDependencies: { tool: "1" } },
        "packages/api": { name: "api", dependencies: needs("debug", "lib") },
        "packages/lib": { name: "lib", dependencies: {} },
        "packages/web": { name: "web", dependencies: needs("left") },
        "node_modules/api": { resolved: "packages/api", link: true },
        "node_modules/lib": { resolved: "packages/lib", link: true },
        "node_modules/debug": { version, dependencies: needs("ms") },
        "packages/api/node_modules/ms": { version: "9.0.0" },
        ...Object.fromEntries(["ms", "left", "right"].map((name) => [`node_modules/${name}`, { version }])),
        "node_modules/left": { version, dependencies: needs("right") },
        "node_modules/tool": { version, dev: true },
      },
    }),
  );
  const block = (depth: number, ...lines: readonly string[]) => lines.map((line) => `${" ".repeat(depth)}${line}\n`);
  const importer = (path: string, kind: string, ...packages: readonly string[]) => [
    ...block(2, `${path}:`),
    ...block(4, `${kind}:`),
    ...packages.flatMap((each) => block(6, each)),
  ];
  const importers = [
    "importers:\n",
    ...importer(".", "devDependencies", `tool: ${version}`),
    ...importer("packages/api", "dependencies", `debug: ${version}`, "lib: link:../lib"),
    ...importer("packages/lib", "dependencies"),
    ...importer("packages/web", "dependencies", `left: ${version}`),
  ].join("");
  const needed: Readonly<Record<string, string>> = { debug: "ms", left: "right" };
  const names = ["debug", "ms", "left", "right", "tool"];
  const pnpmLock = (form: string, keyOf: (name: string) => string) => {
    const snapshots = names.flatMap((name) => {
      const need = needed[name];
      const own = need === undefined ? [] : [...block(4, "dependencies:"), ...block(6, `${need}: ${version}`)];
      return [...block(2, `${keyOf(name)}:`), ...block(4, `dev: ${name === "tool"}`), ...own];
    });
    const also = form === "'9.0'" ? `snapshots:\n${snapshots.join("")}` : "";
    return fileOf(
      "app/pnpm-lock.yaml",
      `lockfileVersion: ${form}\n\n${importers}packages:\n${snapshots.join("")}${also}`,
    );
  };
  const workspaces = {
    "": { devDependencies: needs("tool") },
    "packages/api": { name: "api", dependencies: needs("debug", "lib") },
    "packages/lib": { name: "lib" },
    "packages/web": { name: "web", dependencies: needs("left") },
  };
  const bunLock = fileOf(
    "app/bun.lock",
    JSON.stringify({
      workspaces,
      packages: {
        ...Object.fromEntries(
          names.map((name) => [
            name,
            [`${name}@${version}`, "", { dependencies: needs(...[needed[name] ?? []].flat()) }],
          ]),
        ),
        api: ["api@workspace:packages/api"],
        lib: ["lib@workspace:packages/lib"],
      },
    }),
  );
  const yarn1 = fileOf(
    "app/yarn.lock",
    ["# yarn lockfile v1\n", ...names.map((name) => `${name}@1:\n  version "1.0.0"\n`)].join("\n"),
  );
  const yarn4 = fileOf(
    "app/yarn.lock",
    [
      "__metadata:\n  version: 8\n",
      ...names.map((name) => `"${name}@npm:1":\n  version: 1.0.0\n  resolution: "${name}@npm:1.0.0"\n`),
    ].join("\n"),
  );
  const modules = (...found: readonly string[]) => found.map((name) => module("app/", name));

  const files = [
    ["npm", packageLock],
    ["pnpm 5", pnpmLock("5.4", (name) => `/${name}/${version}`)],
    ["pnpm 6", pnpmLock("'6.0'", (name) => `/${name}@${version}`)],
    ["pnpm 9", pnpmLock("'9.0'", (name) => `${name}@${version}`)],
    ["Bun", bunLock],
    ["Yarn 1", yarn1],
    ["Yarn 4", yarn4],
  ] as const;

  it.each(files)("of %s counts for the members in the image", async (_, lock) => {
    const lib = package_("packages/lib/", { name: "lib", private: true });
    const named = [`npm ${lock.name}`];
    const isRead = (...members: readonly OddMember[]) => unassessedIn(root, lock, ...members);

    expect(await isRead(api, lib, ...modules("debug", "ms"))).toEqual([]);
    expect(await isRead(web, ...modules("left", "right"))).toEqual([]);
    expect(await isRead(web, ...modules("debug", "ms"))).toEqual(named);
    expect(await isRead(api, web, ...modules("debug", "ms"))).toEqual(named);
    expect(await isRead(modules("tool")[0] ?? lock)).toEqual(named);
  });

  const member = (name: string, folder: string, ...needs: readonly string[]) =>
    `[[package]]\nname = "${name}"\nversion = "1"\nsource = { editable = "${folder}" }\ndependencies = [\n${needs.map((each) => `    { name = "${each}" },\n`).join("")}]\n\n`;
  const uvLock = fileOf(
    "app/uv.lock",
    `version = 1\n\n${member("api", "packages/api", "debug", "lib")}${member("lib", "packages/lib", "ms")}${member("web", "packages/web", "left", "right", "third")}${poetry(...["debug 1", "ms 1", "left 1", "right 1", "third 1"])}`,
  );
  const described = (name: string) =>
    fileOf(`app/packages/${name}/pyproject.toml`, `[project]\nname = "${name}"\nversion = "1"\n`);

  it.each<[string, readonly OddMember[], readonly string[]]>([
    ["a member", [described("api"), wheel("debug", "1", venv), wheel("ms", "1", venv)], []],
    ["a member without what it needs", [described("web"), wheel("debug", "1", venv)], ["python app/uv.lock"]],
    ["no member", [wheel("debug", "1", venv)], ["python app/uv.lock"]],
  ])("of uv counts for the members in the image: %s", async (_, members, expected) => {
    expect(await unassessedIn(uvLock, ...members)).toEqual(expected);
  });
});
