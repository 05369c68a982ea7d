import { makeZip, type OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { manifest, pom, pomXml } from "./java/fixtures/make-jar.ts";
import { fileOf, indexLayers } from "./language/fixtures/index-layers.ts";
import { makeAsar } from "./npm/fixtures/make-asar.ts";
import { buildBdb } from "./rpm/fixtures/build-bdb.ts";
import { numbers, packageHeader, texts } from "./rpm/fixtures/build-header.ts";

const json = JSON.stringify;

/** `name version needs …` of each package that says what it needs, with `!need` for what is not there, and `?` where it is not known. */
async function needsIn(...members: readonly OddMember[]): Promise<readonly string[]> {
  const { packages, dependencies = {} } = await indexLayers([members]);
  return Object.entries(dependencies)
    .map(([id, { packageIds, unmet = [], isPartial }]) => {
      const written = (each: string) =>
        [packages[each]?.name, packages[each]?.version, packages[each]?.arch]
          .filter((part) => part !== undefined)
          .join(" ");
      const names = packageIds.map(written);
      const marks = [...(isPartial === true ? ["?"] : []), ...unmet.map((need) => `!${need}`)];
      return [`${written(id)}:`, ...names.sort(), ...marks].join(" ");
    })
    .sort();
}

interface RpmOf {
  readonly name: string;
  readonly version?: string;
  readonly needs?: readonly string[];
  readonly provides?: readonly string[];
}
const rpmOrders: Readonly<Record<string, number>> = { "<": 2, ">": 4, "=": 8, "<=": 10, ">=": 12 };
/** The lists of `name` and `name >= 1`. */
const rpmRelations = ([names, flags, versions]: readonly [number, number, number], all: readonly string[]) => {
  const words = all.map((each) => (each.startsWith("(") ? [each] : each.split(" ")));
  return [
    texts(
      names,
      words.map(([name = ""]) => name),
    ),
    numbers(
      flags,
      words.map(([, order = ""]) => rpmOrders[order] ?? 0),
    ),
    texts(
      versions,
      words.map(([, , version = ""]) => version),
    ),
  ];
};
const rpms = (...packages: readonly RpmOf[]) =>
  fileOf(
    "var/lib/rpm/Packages",
    buildBdb(
      packages.map(({ name, version, needs = [], provides = [] }, index) => {
        const more = [...rpmRelations([1047, 1112, 1113], provides), ...rpmRelations([1049, 1048, 1050], needs)];
        return { number: index + 1, blob: packageHeader({ name, version, more }) };
      }),
    ),
  );
const dpkg = (...stanzas: readonly string[]) =>
  fileOf("var/lib/dpkg/status", stanzas.map((each) => `${each}Status: install ok installed\nVersion: 1\n`).join("\n"));
const npm = (path: string, more: object) =>
  fileOf(`${path}/package.json`, json({ name: path.split("node_modules/").at(-1), version: "1.0.0", ...more }));
const wheel = (name: string, ...lines: readonly string[]) =>
  fileOf(
    `usr/lib/python3/site-packages/${name}-1.dist-info/METADATA`,
    [`Name: ${name}`, "Version: 1", ...lines, ""].join("\n"),
  );
const metadata = (folder: string, name: string, ...lines: readonly string[]) =>
  fileOf(`${folder}/${name}-1.dist-info/METADATA`, [`Name: ${name}`, "Version: 1", ...lines, ""].join("\n"));
const program = (text: string) =>
  Buffer.concat([Buffer.from(`\x7fELF${"\0".repeat(200)}${text}`, "latin1"), Buffer.alloc(60_000)]);
const gem = (name: string, ...lines: readonly string[]) =>
  fileOf(
    `usr/lib/ruby/gems/3.1.0/specifications/${name}-1.gemspec`,
    [`s.name = "${name}".freeze`, 's.version = "1"', ...lines, ""].join("\n"),
  );

const gemIn = (folder: string, [name, version]: readonly [string, string], ...lines: readonly string[]) =>
  fileOf(
    `${folder}/specifications/${name}-${version}.gemspec`,
    [`s.name = "${name}".freeze`, `s.version = "${version}"`, ...lines, ""].join("\n"),
  );
const framework = (name: string, version: string) =>
  fileOf(
    `usr/share/dotnet/shared/${name}/${version}/${name}.deps.json`,
    json({
      targets: { net: { [`${name}.Runtime/${version}`]: { runtime: { "a.dll": {} } } } },
      libraries: { [`${name}.Runtime/${version}`]: { type: "package" } },
    }),
  );
const nuspec = (id: string, dependencies: string) =>
  fileOf(
    `root/.nuget/packages/${id}/1/${id}.nuspec`,
    `<package><metadata><id>${id}</id><version>1</version><dependencies>${dependencies}</dependencies></metadata></package>`,
  );
const nuspecIn = (folder: string, [id, version]: readonly [string, string], dependencies: string) =>
  fileOf(
    `${folder}/${id}/${version}/${id}.nuspec`,
    `<package><metadata><id>${id}</id><version>${version}</version><dependencies>${dependencies}</dependencies></metadata></package>`,
  );
const rPackage = (library: string, name: string, ...[version = "1", more = ""]: readonly string[]) =>
  fileOf(`${library}/${name}/DESCRIPTION`, `Package: ${name}\nVersion: ${version}\n${more}`);
const ertsApp = (folder: string, name: string, members: string) =>
  fileOf(`opt/${folder}/ebin/${name}.app`, `{application,${name},[{vsn,"1"}${members === "" ? "" : `,${members}`}]}.`);
const pacmanDesc = (name: string, keyword: string, ...values: readonly string[]) =>
  fileOf(
    `var/lib/pacman/local/${name}-1-1/desc`,
    `%NAME%\n${name}\n\n%VERSION%\n1-1\n\n%${keyword}%\n${values.join("\n")}\n\n`,
  );
const perl = (root: string, name: string, runtime: object) =>
  fileOf(
    `${root}/lib/perl5/site_perl/.meta/${name}-1/MYMETA.json`,
    json({ name, version: "1", prereqs: { runtime }, provides: name === "Own" ? { "Own::Sub": {} } : {} }),
  );
const need = (artifact: string, more = "") =>
  `<dependencies><dependency><groupId>g</groupId><artifactId>${artifact}</artifactId>${more}</dependency></dependencies>`;
const excluding = (artifact: string, ...others: readonly string[]) =>
  need(
    artifact,
    `<version>1</version><exclusions>${others.map((each) => `<exclusion><groupId>g</groupId><artifactId>${each}</artifactId></exclusion>`).join("")}</exclusions>`,
  );
const managed = (artifact: string, more: string) =>
  `<dependencyManagement>${need(artifact, `<version>1</version>${more}`)}</dependencyManagement>`;
const parentOf = (artifact: string) =>
  `<parent><groupId>g</groupId><artifactId>${artifact}</artifactId><version>1</version></parent>`;
const model = (artifact: string, lines: readonly string[]) =>
  `<groupId>g</groupId><artifactId>${artifact}</artifactId><version>1</version>${lines.join("")}`;
const jar = (artifact: string, ...lines: readonly string[]) => makeZip(pomXml("g", artifact, model(artifact, lines)));
const repositoryPom = (artifact: string, ...lines: readonly string[]) =>
  fileOf(`root/.m2/repository/g/${artifact}/1/${artifact}-1.pom`, `<project>${model(artifact, lines)}</project>`);

describe("dependencies of packages", () => {
  it.each<[string, readonly OddMember[], readonly string[]]>([
    [
      "dpkg: relations, alternatives, what others provide, and what is not there",
      [
        dpkg(
          "Package: a\nPre-Depends: libc6 (>= 0.36)\nDepends: default-mta | mail-transport-agent, gone:any (= 1)\nRecommends: c, nothing\n",
          "Package: libc6\n",
          "Package: exim4\nProvides: mail-transport-agent (= 1)\nDepends: libc6\n",
          "Package: c\n",
        ),
      ],
      ["a 1: c 1 exim4 1 libc6 1 !gone:any (= 1)", "c 1:", "exim4 1: libc6 1", "libc6 1:"],
    ],
    [
      "dpkg: the version that a choice asks for, and in the same root",
      [
        dpkg(
          "Package: a\nDepends: b (>= 2) | c\n",
          "Package: b\n",
          "Package: c\nDepends: b (>= 2), d (= 1)\n",
          "Package: e\nProvides: d\n",
        ),
        fileOf(
          "srv/root/var/lib/dpkg/status",
          "Package: e\nStatus: install ok installed\nVersion: 2\nDepends: b, f\n\nPackage: f\nStatus: install ok installed\nVersion: 2\n",
        ),
      ],
      ["a 1: c 1", "b 1:", "c 1: !b (>= 2) !d (= 1)", "e 1:", "e 2: f 2 !b", "f 2:"],
    ],
    [
      "dpkg: the versions of what others provide, which none means no version",
      [
        dpkg(
          "Package: a\nDepends: virt (= 1.5), virt (= 2) | b, other (>= 1), virt, b (<< 1), b (>> 0.9), b (< 1), c (<= 1~)\n",
          "Package: b\nProvides: other\n",
          "Package: p1\nProvides: virt\n",
          "Package: p2\nProvides: virt (= 1.5), other (= 1:0)\n",
          "Package: c\n",
        ),
      ],
      ["a 1: b 1 p1 1 p2 1 !b (<< 1) !c (<= 1~)", ...["b", "c", "p1", "p2"].map((name) => `${name} 1:`)],
    ],
    [
      "dpkg: of the same architecture, or of the one that is named",
      [
        dpkg(
          "Package: dpkg\nArchitecture: amd64\n",
          ...["amd64", "i386"].flatMap((arch) =>
            ["l", "m"].map((name) => `Package: ${name}\nArchitecture: ${arch}\nDepends: ${name}2\nProvides: v\n`),
          ),
          ...["l2", "m2"].map((name) => `Package: ${name}\nArchitecture: all\n`),
          "Package: a\nArchitecture: i386\nDepends: l, v\n",
          "Package: b\nArchitecture: amd64\nDepends: l:i386, m:any\n",
          "Package: c\nArchitecture: all\nDepends: l, m:arm64\n",
        ),
      ],
      [
        "a 1 i386: l 1 i386",
        "b 1 amd64: l 1 i386 m 1 amd64",
        "c 1 all: l 1 amd64 !m:arm64",
        "dpkg 1 amd64:",
        ...["l", "m"].flatMap((name) => ["amd64", "i386"].map((arch) => `${name} 1 ${arch}: ${name}2 1 all`)),
        ...["l2", "m2"].map((name) => `${name} 1 all:`),
      ].sort(),
    ],
    [
      "more needs than are kept",
      [
        dpkg(
          `Package: a\nDepends: ${Array.from({ length: 2100 }, (_, index) => `p${index} | b`).join(", ")}\n`,
          "Package: b\n",
        ),
      ],
      ["a 1: b 1 !52 more, which are left out", "b 1:"],
    ],
    [
      "apk: libraries, commands and paths; conflicts are none",
      [
        fileOf(
          "lib/apk/db/installed",
          "P:a\nV:1\nD:so:libz.so.1 cmd:sh>=1 /bin/sh !b\n\nP:zlib\nV:2\np:so:libz.so.1=1.3\n\nP:busybox\nV:3\np:/bin/sh cmd:sh=3\nD:so:libc.so\n",
        ),
      ],
      ["a 1: busybox 3 zlib 2", "busybox 3: !so:libc.so", "zlib 2:"],
    ],
    [
      "apk: the versions that are asked for",
      [
        fileOf(
          "lib/apk/db/installed",
          [
            "P:a\nV:1-r0\nD:virt>3 b~1.0 b=~1 b>=1.0.5 gone~1.1 gone=1.2-r0 c@edge plain>1 b><Q1abc= w<2\n",
            "P:b\nV:1.0.5-r0\n",
            "P:gone\nV:1.10-r0\n",
            "P:c\nV:1-r0\n",
            "P:v2\nV:1-r0\np:virt=2 plain w=1\n",
            "P:v4\nV:1-r0\np:virt=4 w=2\n",
          ].join("\n"),
        ),
      ],
      [
        "a 1-r0: b 1.0.5-r0 c 1-r0 v2 1-r0 v4 1-r0 !gone~1.1 !gone=1.2-r0 !plain>1",
        ...["b 1.0.5-r0:", "c 1-r0:", "gone 1.10-r0:", "v2 1-r0:", "v4 1-r0:"],
      ],
    ],
    [
      "rpm: capabilities, paths of programs that have moved, and choices",
      [
        fileOf(
          "var/lib/rpm/Packages",
          buildBdb(
            [
              packageHeader({
                name: "a",
                more: [
                  texts(1049, [
                    "rpmlib(FileDigests)",
                    "libz.so.1()(64bit)",
                    "/bin/tool",
                    "(x or b)",
                    "(y if z)",
                    "gone",
                  ]),
                ],
              }),
              packageHeader({ name: "b", more: [texts(1047, ["libz.so.1()(64bit)"]), texts(5046, ["d", "absent"])] }),
              packageHeader({ name: "c", more: [texts(1027, ["/usr/bin/tool"])] }),
              packageHeader({ name: "d" }),
            ].map((blob, index) => ({ number: index + 1, blob })),
          ),
        ),
      ],
      ["a 1.0-1: b 1.0-1 c 1.0-1 !gone", "b 1.0-1: d 1.0-1", "c 1.0-1:", "d 1.0-1:"],
    ],
    [
      "rpm: files of other folders, which their package does not say that it provides",
      [
        fileOf(
          "var/lib/rpm/Packages",
          buildBdb(
            [
              packageHeader({ name: "a", more: [texts(1049, ["/etc/policy/a.conf", "/usr/lib/gone"])] }),
              packageHeader({
                name: "b",
                more: [texts(1118, ["/etc/", "/etc/policy/"]), texts(1117, ["b", "a.conf"]), numbers(1116, [0, 1])],
              }),
            ].map((blob, index) => ({ number: index + 1, blob })),
          ),
        ),
      ],
      ["a 1.0-1: b 1.0-1 !/usr/lib/gone", "b 1.0-1:"],
    ],
    [
      "rpm: rich dependencies",
      [
        rpms(
          {
            name: "a",
            needs: [
              "(b >= 1 if c)",
              "(gone if absent)",
              "(gone1 if c)",
              "((d or e) unless absent)",
              "(f(64bit) with f() < 2~~)",
              "(absent if absent else g)",
              "(gone2 unless absent else b)",
            ],
          },
          ...["b", "c", "e", "g"].map((name) => ({ name })),
          { name: "f1", provides: ["f(64bit)"] },
          { name: "f2", provides: ["f(64bit)", "f()"] },
          { name: "h", needs: ["(f(64bit) without f())", "(b and c and e)", "(b unless c)", "(b if", "(gone3 and b)"] },
        ),
      ],
      [
        "a 1.0-1: b 1.0-1 e 1.0-1 f2 1.0-1 g 1.0-1 !(gone1 if c) !(gone2 unless absent else b)",
        ...["b", "c", "e", "f1", "f2", "g"].map((name) => `${name} 1.0-1:`),
        "h 1.0-1: b 1.0-1 c 1.0-1 e 1.0-1 f1 1.0-1 !(b if !(gone3 and b)",
      ],
    ],
    [
      "rpm: the versions that are asked for, of packages and of what they provide",
      [
        rpms(
          {
            name: "a",
            needs: [
              "virt >= 2",
              "(c(x) >= 1 with c(x) < 3)",
              "kern = 6-1",
              "(b >= 1.0 without b > 3)",
              "b >= 1.0-1",
              "gone > 2",
              "range < 2",
              "any = 7",
              "epoch < 1",
              "(absent if b > 1.0)",
              "(b if b > 1.0 else range)",
              "((v1 or v3) with virt > 2)",
            ],
          },
          ...["1", "3"].map((version) => ({ name: `v${version}`, provides: [`virt = ${version}`, "gone = 2"] })),
          { name: "x1", provides: ["c(x) = 4"] },
          { name: "x2", provides: ["c(x) = 2"] },
          ...["5", "6"].map((version) => ({ name: "kern", version, provides: [`kern = ${version}-1`] })),
          { name: "b" },
          { name: "range", provides: ["range <= 3"] },
          { name: "no-version", provides: ["any"] },
          { name: "e", provides: ["epoch = 1:0.5"] },
        ),
      ],
      [
        "a 1.0-1: b 1.0-1 kern 6-1 no-version 1.0-1 range 1.0-1 v3 1.0-1 x2 1.0-1 !gone > 2 !epoch < 1",
        "b 1.0-1:",
        "e 1.0-1:",
        "kern 5-1:",
        "kern 6-1:",
        ...["no-version", "range", "v1", "v3", "x1", "x2"].map((name) => `${name} 1.0-1:`),
      ],
    ],
    [
      "npm: by the folders of Node.js, peers, and optional ones",
      [
        npm("app/node_modules/a", {
          dependencies: { b: "^1", gone: "1" },
          optionalDependencies: { d: "1", absent: "1" },
          peerDependencies: { "@s/p": "1", o: "1" },
          peerDependenciesMeta: { o: { optional: true } },
        }),
        npm("app/node_modules/a/node_modules/b", { version: "1.5.0", dependencies: { c: "1" } }),
        npm("app/node_modules/b", { version: "2.0.0" }),
        npm("app/node_modules/c", {}),
        npm("app/node_modules/d", {}),
        npm("app/node_modules/@s/p", {}),
      ],
      [
        "@s/p 1.0.0:",
        "a 1.0.0: @s/p 1.0.0 b 1.5.0 d 1.0.0 !gone@1",
        "b 1.5.0: c 1.0.0",
        "b 2.0.0:",
        "c 1.0.0:",
        "d 1.0.0:",
      ],
    ],
    [
      "npm: through the links of pnpm",
      [
        npm("app/node_modules/.pnpm/a@1.0.0/node_modules/a", { dependencies: { b: "1" } }),
        { name: "app/node_modules/.pnpm/a@1.0.0/node_modules/b", type: "2", linkName: "../../b@1.0.0/node_modules/b" },
        npm("app/node_modules/.pnpm/b@1.0.0/node_modules/b", {}),
      ],
      ["a 1.0.0: b 1.0.0", "b 1.0.0:"],
    ],
    [
      "npm: in the same archive, and in the same cache the version that is allowed",
      [
        fileOf(
          "opt/app/resources/app.asar",
          makeAsar({
            "package.json": "{}",
            node_modules: Object.fromEntries(
              ["a", "b"].map((name) => [
                name,
                {
                  "package.json": json({
                    name,
                    version: "1.0.0",
                    dependencies: name === "a" ? { b: "^1", c: "1" } : {},
                  }),
                },
              ]),
            ),
          }),
        ),
        npm("opt/app/node_modules/c", {}),
        ...["one", "two"].flatMap((folder) =>
          (folder === "one" ? ["x@1.0.0", "y@1.0.0", "y@1.3.0", "y@2.0.0", "z@0.3.0", "z@0.4.0"] : ["w@1.0.0"]).map(
            (each) => {
              const [name = "", version] = each.split("@");
              const dependencies = name < "y" ? { y: "^1.2.0", z: "~0.3.0" } : {};
              return fileOf(
                `${folder}/.yarn/cache/${name}-npm-${version}-0123456789-10c0.zip`,
                makeZip({ [`node_modules/${name}/package.json`]: json({ name, version, dependencies }) }),
              );
            },
          ),
        ),
        fileOf(
          "root/.bun/install/cache/m@1.0.0@@@1/package.json",
          json({ name: "m", version: "1.0.0", dependencies: { "@s/n": "*", y: "*" } }),
        ),
        fileOf("root/.bun/install/cache/@s/n@1.0.0@@@1/package.json", json({ name: "@s/n", version: "1.0.0" })),
      ],
      [
        "@s/n 1.0.0:",
        "a 1.0.0: b 1.0.0 !c@1",
        "b 1.0.0:",
        "c 1.0.0:",
        "m 1.0.0: @s/n 1.0.0 !y@*",
        "w 1.0.0: !y@^1.2.0 !z@~0.3.0",
        "x 1.0.0: y 1.3.0 z 0.3.0",
        ...["y 1.0.0:", "y 1.3.0:", "y 2.0.0:", "z 0.3.0:", "z 0.4.0:"],
      ],
    ],
    [
      "Python: with the markers that hold, and without extras",
      [
        wheel(
          "a",
          "Requires-Dist: B_b (>=1)",
          "Requires-Dist: c; python_version < '3'",
          "Requires-Dist: d ; extra == 'x'",
          "Requires-Dist: e; sys_platform == 'linux'",
          "Requires-Dist: f; sys_platform == 'win32'",
        ),
        wheel("b.b", "Requires-Dist: gone"),
        wheel("d"),
        wheel("e"),
      ],
      ["a 1: b.b 1 e 1", "b.b 1: !gone", "d 1:", "e 1:"],
    ],
    [
      "Python: by the interpreter of the folder",
      [
        ...["b", "c"].map((name) => metadata("opt/lib/python3.12/site-packages", name)),
        metadata(
          "opt/lib/python3.12/site-packages",
          "a",
          "Requires-Dist: b; python_version >= '3.8' and python_version < '3.13'",
          "Requires-Dist: old; python_version < '3.10'",
          "Requires-Dist: gone; python_version ~= '3.9' and extra != 'x'",
          "Requires-Dist: c; platform_machine == 'arm64'",
          "Requires-Dist: absent; platform_machine == 'arm64'",
          "Requires-Dist: patch; python_full_version < '3.12.1'",
        ),
        metadata(
          "usr/lib/python3/dist-packages",
          "d",
          "Requires-Dist: old; python_version < '3.10'",
          "Requires-Dist: c",
        ),
        { name: "usr/bin/python3", type: "2", linkName: "python3.11" },
      ],
      ["a 1: b 1 c 1 !gone; python_version ~= '3.9' and extra != 'x'", "b 1:", "c 1:", "d 1: !c"],
    ],
    [
      "Python: what extras need that others ask for",
      [
        wheel("a", "Requires-Dist: Req_uests[Socks] >=2", "Requires-Dist: x[never]; python_version < '3'"),
        wheel(
          "req-uests",
          "Requires-Dist: pysocks; extra == 'socks'",
          "Requires-Dist: gone; extra == 'socks'",
          "Requires-Dist: c; extra == 'other'",
          "Requires-Dist: all[y]; extra == 'socks'",
        ),
        wheel(
          "all",
          "Requires-Dist: all[z]; extra == 'y'",
          "Requires-Dist: c ; python_version >= '3' and extra == \"z\"",
          "Requires-Dist: a; extra != 'z'",
        ),
        ...["pysocks", "c"].map((name) => wheel(name)),
        wheel("x", "Requires-Dist: c; extra == 'never'"),
        { name: "usr/bin/python3", type: "2", linkName: "python3.11" },
      ],
      [
        "a 1: req-uests 1",
        "all 1: c 1",
        "c 1:",
        "pysocks 1:",
        "req-uests 1: all 1 pysocks 1 !gone; extra == 'socks'",
        "x 1:",
      ],
    ],
    [
      "Python: in the same environment only, and in that of the system",
      [
        ...["opt/one", "opt/two"].flatMap((folder, index) => [
          metadata(`${folder}/lib/python3.11/site-packages`, `a${index}`, "Requires-Dist: b", "Requires-Dist: s"),
          fileOf(`${folder}/lib/python3.11/site-packages/b-1.dist-info/METADATA`, `Name: b\nVersion: ${index}\n`),
        ]),
        metadata("opt/two/lib64/python3.11/site-packages", "w", "Requires-Dist: b"),
        metadata(
          "usr/lib/python3/dist-packages",
          "s",
          "Requires-Dist: l",
          "Requires-Dist: b",
          "Requires-Dist: v",
          "Requires-Dist: h",
          "Requires-Dist: p",
        ),
        metadata("usr/lib/python3/dist-packages/s/_vendor", "v", "Requires-Dist: l"),
        metadata("usr/local/lib/python3.11/dist-packages", "l", "Requires-Dist: s"),
        metadata("usr/local/lib/python3.12/site-packages", "p", "Requires-Dist: s"),
        metadata("root/.local/lib/python3.11/site-packages", "h", "Requires-Dist: s"),
        metadata("task", "t", "Requires-Dist: l", "Requires-Dist: b"),
        fileOf("var/lib/dpkg/status", "Package: python3\nStatus: install ok installed\nVersion: 3.11.2-1+b1\n"),
      ],
      [
        "a0 1: b 0 !s",
        "a1 1: b 1 !s",
        "b 0:",
        "b 1:",
        "h 1: s 1",
        "l 1: s 1",
        "p 1: !s",
        "python3 3.11.2-1+b1:",
        "s 1: l 1 !b !v !h !p",
        "t 1: l 1 !b",
        "v 1: l 1",
        "w 1: b 1",
      ],
    ],
    ...(
      [
        [
          "its package",
          [
            fileOf(
              "var/lib/dpkg/status",
              "Package: python3\nStatus: install ok installed\nVersion: 3.11.2-1+b1\n\nPackage: python3.12\nStatus: install ok installed\nVersion: 3.12.1\n",
            ),
          ],
          ["python3 3.11.2-1+b1:", "python3.12 3.12.1:"],
        ],
        ["the only program", [fileOf("usr/bin/python3.11", program("\x003.11.2\0"), 0o755)], []],
        [
          "the only package",
          [
            fileOf(
              "var/lib/dpkg/status",
              "Package: libpython3.11-stdlib\nStatus: install ok installed\nVersion: 3.11.2-6\n",
            ),
          ],
          ["libpython3.11-stdlib 3.11.2-6:"],
        ],
      ] as const
    ).map(([title, members, others]): [string, readonly OddMember[], readonly string[]] => [
      `Python: by Debian's interpreter, of which ${title} says the version`,
      [
        metadata(
          "usr/lib/python3/dist-packages",
          "a",
          "Requires-Dist: b; python_version < '3.10'",
          "Requires-Dist: b; python_version == '3.12'",
          "Requires-Dist: c; python_version == '3.11'",
        ),
        ...["b", "c"].map((name) => metadata("usr/lib/python3/dist-packages", name)),
        ...members,
      ],
      [
        `a 1: c 1${title === "the only program" ? " python 3.11.2" : ""}`,
        ...["b", "c"].map((name) => `${name} 1:${title === "the only program" ? " python 3.11.2" : ""}`),
        ...others,
      ],
    ]),
    [
      "Python: by the processor of the image",
      [
        dpkg("Package: dpkg\nArchitecture: arm64\n"),
        wheel(
          "a",
          "Requires-Dist: b; platform_machine == 'aarch64'",
          "Requires-Dist: c; platform_machine == 'x86_64' or platform_machine == 'AMD64'",
          "Requires-Dist: gone; platform_machine != 'x86_64'",
        ),
        wheel("b", "Requires-Dist: a; platform_machine in 'x86_64 i686'"),
        wheel("c"),
      ],
      ["a 1: b 1 !gone; platform_machine != 'x86_64'", "b 1:", "c 1:", "dpkg 1 arm64:"],
    ],
    [
      "Python: of a virtual environment, with the packages of its installation if it says so",
      [
        ...["one", "two"].flatMap((folder) => [
          fileOf(
            `opt/${folder}/pyvenv.cfg`,
            `home = /usr/bin\ninclude-system-site-packages = ${folder === "one" ? "true" : "false"}\nversion = 3.11.2\n`,
          ),
          metadata(
            `opt/${folder}/lib/python3.11/site-packages`,
            folder,
            "Requires-Dist: s",
            "Requires-Dist: l",
            "Requires-Dist: p",
          ),
        ]),
        metadata("usr/lib/python3/dist-packages", "s", "Requires-Dist: one"),
        metadata("usr/local/lib/python3.11/dist-packages", "l"),
        metadata("opt/x/lib/python3.11/site-packages", "p"),
        { name: "usr/bin/python3", type: "2", linkName: "python3.11" },
      ],
      ["l 1:", "one 1: l 1 s 1 !p", "p 1:", "s 1: !one", "two 1: !s !l !p"],
    ],
    [
      "Python: of eggs",
      [
        fileOf("usr/lib/python3/dist-packages/a.egg-info/PKG-INFO", "Name: a\nVersion: 1\n"),
        fileOf(
          "usr/lib/python3/dist-packages/a.egg-info/requires.txt",
          "b>=1\n\n[:python_version < '3']\nold\n\n[x]\nc\n\n[x:python_version > '3']\nd\n",
        ),
        metadata("usr/lib/python3/dist-packages", "b", "Requires-Dist: a[x]"),
        metadata("usr/lib/python3/dist-packages", "c"),
        { name: "usr/bin/python3", type: "2", linkName: "python3.11" },
      ],
      ["a 1: b 1 c 1 !d; extra == \"x\" and (python_version > '3')", "b 1: a 1", "c 1:"],
    ],
    [
      "programs: the interpreter of the place, else the only one, and the package that owns it",
      [
        fileOf("opt/bin/python3.12", program("\x003.12.1\0"), 0o755),
        fileOf("usr/bin/python3.11", program("\x003.11.2\0"), 0o755),
        fileOf("usr/bin/node", program("node.js/v20.1.0\0"), 0o755),
        dpkg("Package: python3.11-minimal\nDepends: libc6\n", "Package: libc6\n"),
        fileOf("var/lib/dpkg/info/python3.11-minimal.list", "/usr/bin/python3.11\n"),
        fileOf("etc/os-release", "ID=debian\nVERSION_ID=12\n"),
        metadata("opt/lib/python3.12/site-packages", "a"),
        metadata("usr/local/lib/python3.11/dist-packages", "b"),
        metadata("srv/site-packages", "c"),
        npm("app/node_modules/d", {}),
      ],
      [
        "a 1: python 3.12.1",
        "b 1: python 3.11.2 python3.11-minimal 1",
        "c 1:",
        "d 1.0.0: node 20.1.0",
        "libc6 1:",
        "python3.11-minimal 1: libc6 1 python 3.11.2",
      ],
    ],
    [
      "Ruby: not those for development",
      [
        gem(
          "a",
          's.add_runtime_dependency(%q<b>.freeze, ["~> 1"])',
          's.add_dependency("gone".freeze)',
          's.add_development_dependency(%q<c>.freeze, [">= 0"])',
        ),
        gem("b"),
        gem("c"),
      ],
      ["a 1: b 1 !gone", "b 1:", "c 1:"],
    ],
    [
      "Ruby: the newest version that meets a need, in folders that Ruby uses together",
      [
        ...["1.1", "1.2.1", "1.10", "1.11.a", "2.0"].flatMap((version) =>
          ["b", "f"].map((name) => gemIn("usr/lib/ruby/gems/3.1.0", [name, version])),
        ),
        gemIn(
          "usr/share/rubygems-integration/all",
          ["d", "1"],
          "s.add_dependency 'f', '> 1.1', '!= 2.0', '<1.10'",
          "s.add_dependency('b', '3')",
          "s.add_runtime_dependency 'c'",
        ),
        gemIn(
          "usr/lib/ruby/gems/3.1.0",
          ["e", "1"],
          's.add_dependency("b", "~> 3.0")',
          "s.add_dependency %q(b2), ['= 1']",
          "s.add_dependency(",
          "  'f',",
          "  '~> 1.2'",
          ")",
        ),
        gemIn("var/lib/gems/3.1.0", ["u", "1"], 's.add_dependency("b")', 's.add_dependency("d")'),
        gemIn("usr/lib/x86_64-linux-gnu/rubygems-integration/3.1.0", ["v", "1"], 's.add_dependency("u")'),
        gemIn("opt/ruby/lib/ruby/gems/3.1.0", ["o", "1"], 's.add_dependency("b")'),
        gemIn("usr/lib/ruby/gems/2.7.0", ["p", "1"], 's.add_dependency("b")', 's.add_dependency("d")'),
      ],
      [
        ...["1.1", "1.10", "1.11.a", "1.2.1", "2.0"].map((version) => `b ${version}:`).sort(),
        "d 1: f 1.2.1 !b (3) !c",
        "e 1: f 1.10 !b (~> 3.0) !b2 (= 1)",
        ...["1.1", "1.10", "1.11.a", "1.2.1", "2.0"].map((version) => `f ${version}:`).sort(),
        "o 1: !b",
        "p 1: d 1 !b",
        "u 1: b 2.0 d 1",
        "v 1: u 1",
      ],
    ],
    [
      "Ruby: of a bundle, which has beside its own gems only those of Ruby itself, and of other folders",
      [
        ...["app", "other"].flatMap((folder) => [
          gemIn(
            `${folder}/vendor/bundle/ruby/3.1.0`,
            ["a", folder === "app" ? "1" : "2"],
            's.add_dependency(%q<b>.freeze, ["~> 1.2".freeze])',
            's.add_dependency(%q<c>.freeze, [">= 0"])',
            "s.add_dependency(%q<json>)",
            's.add_dependency(%q<bundler>, [">= 1"])',
          ),
          gemIn(`${folder}/vendor/bundle/ruby/3.1.0`, ["c", folder === "app" ? "1" : "2"]),
        ]),
        gemIn("app/vendor/bundle/ruby/3.1.0", ["b", "1.2"]),
        ...["b", "c", "bundler"].map((name) => gemIn("usr/local/lib/ruby/gems/3.1.0", [name, "1.9"])),
        ...["3.1.0", "3.4.0"].map((abi) =>
          fileOf(
            `usr/local/lib/ruby/gems/${abi}/specifications/default/json-${abi}.gemspec`,
            `s.name = "json"\ns.version = "${abi}"\n`,
          ),
        ),
        gemIn("usr/local/bundle", ["h", "1"], 's.add_dependency("b")', 's.add_dependency("a")'),
        gemIn("root/.gem/ruby/3.1.0", ["i", "1"], 's.add_dependency("b")', 's.add_dependency("h")'),
        fileOf("app/x.gemspec", "s.name = 'x'\ns.version = '1'\ns.add_dependency 'b'\ns.add_dependency 'h'\n"),
        fileOf(
          "srv/y.gemspec",
          "s.name = 'y'\ns.version = '1'\ns.add_dependency 'h'\ns.add_dependency 'b'\ns.add_dependency 'a'\n",
        ),
        fileOf(
          "usr/local/bundle/bundler/gems/g-0123456789ab/g.gemspec",
          "s.name = 'g'\ns.version = '1'\ns.add_dependency 'h'\n%w[b c].each { |name| s.add_dependency name }\n",
        ),
      ],
      [
        "a 1: b 1.2 bundler 1.9 c 1 json 3.1.0",
        "a 2: bundler 1.9 c 2 json 3.1.0 !b (~> 1.2)",
        "b 1.2:",
        "b 1.9:",
        "bundler 1.9:",
        "c 1.9:",
        "c 1:",
        "c 2:",
        "g 1: b 1.9 c 1.9 h 1",
        "h 1: b 1.9 !a",
        "i 1: b 1.9 !h",
        "json 3.1.0:",
        "json 3.4.0:",
        "x 1: b 1.2 !h",
        "y 1: b 1.9 h 1 !a",
      ],
    ],
    [
      "Ruby: a file for old versions of RubyGems",
      [
        gem(
          "a",
          "if s.respond_to? :specification_version then",
          "  s.specification_version = 3",
          "  if Gem::Version.new(Gem::VERSION) >= Gem::Version.new('1.2.0') then",
          '    s.add_runtime_dependency(%q<b>, ["~> 1.0"])',
          '    s.add_development_dependency(%q<c>, [">= 0"])',
          "  else",
          '    s.add_dependency(%q<b>, ["~> 1.0"])',
          '    s.add_dependency(%q<c>, [">= 0"])',
          "  end",
          "else",
          '  s.add_dependency(%q<b>, ["~> 1.0"])',
          '  s.add_dependency(%q<c>, [">= 0"])',
          "end",
        ),
        gem("b"),
        gem("c"),
      ],
      ["a 1: b 1", "b 1:", "c 1:"],
    ],
    [
      "Composer: packages, not PHP itself",
      [
        fileOf(
          "app/vendor/composer/installed.json",
          json({
            packages: [
              {
                name: "a/a",
                version: "1",
                require: { php: ">=8", "ext-json": "*", "b/b": "1", "psr/log": "1", "gone/gone": "1" },
              },
              { name: "b/b", version: "1", provide: { "psr/log": "1" } },
            ],
          }),
        ),
      ],
      ["a/a 1: b/b 1 !gone/gone", "b/b 1:"],
    ],
    [
      "Composer: in the same folder of packages",
      ["one", "two"].map((folder, index) =>
        fileOf(
          `${folder}/vendor/composer/installed.json`,
          json({
            packages: [
              { name: `a/a${index}`, version: "1", require: { "b/b": "1", "c/c": "1" } },
              { name: "b/b", version: `${index}` },
              ...(index === 0 ? [{ name: "c/c", version: "1" }] : []),
            ],
          }),
        ),
      ),
      ["a/a0 1: b/b 0 c/c 1", "a/a1 1: b/b 1 !c/c", "b/b 0:", "b/b 1:", "c/c 1:"],
    ],
    [
      "Composer: the project, also where the list of its packages states its version",
      ["one", "two"].flatMap((folder) => [
        fileOf(
          `${folder}/vendor/composer/installed.json`,
          json({ packages: [{ name: "b/b", version: folder, require: { "a/one": "*" } }] }),
        ),
        fileOf(
          `${folder}/composer.json`,
          json({ name: `a/${folder}`, require: { php: "*", "b/b": "1", "gone/g": "1" } }),
        ),
        fileOf(
          `${folder}/vendor/composer/installed.php`,
          `<?php return array(\n 'root' => array(\n 'name' => 'a/${folder}',\n 'pretty_version' => '${folder === "one" ? "7" : "dev-main"}',\n`,
        ),
      ]),
      ["a/one 7: b/b one !gone/g", "a/two : b/b two !gone/g", "b/b one: a/one 7", "b/b two: !a/one"],
    ],
    [
      "conda: in the same environment, without what the machine has",
      [
        fileOf("opt/a/conda-meta/x-1.json", json({ name: "x", version: "1", depends: ["y >=1", "__glibc >=2.17"] })),
        fileOf("opt/a/conda-meta/y-2.json", json({ name: "y", version: "2", depends: [] })),
        fileOf("opt/b/conda-meta/y-3.json", json({ name: "y", version: "3", depends: ["gone=1", "x"] })),
      ],
      ["x 1: y 2", "y 2:", "y 3: !gone=1 !x"],
    ],
    [
      "Maven: by scope, in the same archive first, and what an archive has in itself",
      [
        fileOf(
          "app/a.war",
          makeZip({
            ...pom("g", "a", "1"),
            "WEB-INF/lib/b-1.jar": jar(
              "b",
              need("c"),
              need("t", "<scope>test</scope>"),
              need("gone", "<version>2</version>"),
            ),
            "WEB-INF/lib/c-1.jar": jar("c", need("o", "<optional>true</optional><version>1</version>")),
            "WEB-INF/lib/l-3.jar": makeZip({ "A.class": "" }),
          }),
        ),
        ...["c-2", "o-1", "t-1"].map((name) =>
          fileOf(`lib/${name}.jar`, makeZip(pom("g", name.slice(0, 1), name.slice(2)))),
        ),
        fileOf("lib/l-3.jar", makeZip({ "A.class": "" })),
        fileOf("lib/m-1.jar", jar("m", need("l", "<scope>runtime</scope>"), need("b", "<version>1</version>"))),
      ],
      ["g:a 1: g:b 1 g:c 1 l 3 ?", "g:b 1: g:c 1 !g:gone:2", "g:c 1:", "g:m 1: l 3 !g:b:1"],
    ],
    [
      "Maven: the version of the same application, else that of the model",
      [
        ...["one", "two"].flatMap((name, index) => [
          fileOf(`srv/${name}/WEB-INF/lib/a${index}.jar`, jar(`a${index}`, need("b", "<version>9</version>"))),
          fileOf(`srv/${name}/WEB-INF/lib/b-${index}.jar`, makeZip(pom("g", "b", String(index)))),
          fileOf(
            `srv/${name}.ear`,
            makeZip({
              [`w${index}.war`]: makeZip({
                "WEB-INF/lib/c.jar": jar(
                  `c${index}`,
                  need("d", "<version>9</version>"),
                  need("b", "<version>9</version>"),
                ),
              }),
              [`lib/d-${index}.jar`]: makeZip(pom("g", "d", String(index))),
            }),
          ),
        ]),
        fileOf("srv/lib/e.jar", jar("e", need("b", "<version>1</version>"), need("f", "<version>2</version>"))),
        ...["1", "2", "3"].map((version) => fileOf(`srv/lib/f-${version}.jar`, makeZip(pom("g", "f", version)))),
      ],
      [
        "g:a0 1: g:b 0",
        "g:a1 1: g:b 1",
        "g:c0 1: g:d 0 !g:b:9",
        "g:c1 1: g:d 1 !g:b:9",
        "g:e 1: g:f 2 !g:b:1",
        "one : g:d 0 w0  ?",
        "two : g:d 1 w1  ?",
        "w0 : g:c0 1 ?",
        "w1 : g:c1 1 ?",
      ],
    ],
    [
      "Maven: with parents and imported models of a local repository",
      [
        fileOf("app/a-1.jar", jar("a", parentOf("p"), need("b"), need("x"), need("c-${v}", "<version>1</version>"))),
        repositoryPom("p", parentOf("q"), managed("x", "<scope>test</scope>"), need("d", "<version>1</version>")),
        repositoryPom(
          "q",
          "<properties><v>7</v></properties>",
          managed("bom", "<type>pom</type><scope>import</scope>"),
        ),
        repositoryPom("bom", managed("b", "")),
        ...["b-1", "c-7-1", "d-1", "x-1"].map((name) =>
          fileOf(`app/${name}.jar`, makeZip(pom("g", name.slice(0, -2), "1"))),
        ),
      ],
      ["g:a 1: g:b 1 g:c-7 1 g:d 1"],
    ],
    [
      "Maven: without what is excluded, in versions that models manage",
      [
        fileOf(
          "app/a-1.jar",
          jar(
            "a",
            parentOf("p"),
            `<dependencyManagement>${need("e", "<version>3</version><exclusions><exclusion><groupId>g</groupId><artifactId>i</artifactId></exclusion></exclusions>")}</dependencyManagement>`,
            `<dependencies>${["b", "e", "f"].map((name) => `<dependency><groupId>g</groupId><artifactId>${name}</artifactId>${name === "b" ? "<exclusions><exclusion><artifactId>gone</artifactId><groupId>g</groupId></exclusion><exclusion><groupId>h</groupId><artifactId>*</artifactId></exclusion></exclusions><version>1</version><scope>runtime</scope>" : ""}</dependency>`).join("")}</dependencies>`,
          ),
        ),
        repositoryPom(
          "p",
          "<properties><v>2</v></properties>",
          `<dependencyManagement>${need("f", "<version>${v}</version>")}</dependencyManagement>`,
        ),
        fileOf(
          "app/b-1.jar",
          jar(
            "b",
            "<dependencies><dependency><groupId>h</groupId><artifactId>x</artifactId><version>1</version></dependency><dependency><groupId>g</groupId><artifactId>gone</artifactId><version>1</version></dependency><dependency><groupId>g</groupId><artifactId>i</artifactId><version>1</version></dependency><dependency><groupId>g</groupId><artifactId>j</artifactId><version>1</version></dependency></dependencies>",
          ),
        ),
        ...["e-2", "e-3", "f-1", "f-2"].map((name) =>
          fileOf(`app/${name}.jar`, makeZip(pom("g", name.slice(0, 1), name.slice(2)))),
        ),
      ],
      ["g:a 1: g:b 1 g:e 3 g:f 2", "g:b 1: !g:i:1 !g:j:1"],
    ],
    [
      "Maven: without what is excluded on all ways to an artifact only",
      [
        ...[
          ["a", excluding("b", "x"), need("c", "<version>1</version>")],
          ["b", need("x", "<version>1</version>"), need("d", "<version>1</version>")],
          ["c", excluding("d", "y", "x")],
          ["d", need("x", "<version>1</version>"), need("y", "<version>1</version>")],
          ["e", need("x", "<version>1</version>")],
          ["f", excluding("h", "x")],
          ["h", need("f", "<version>1</version>"), need("x", "<version>1</version>")],
        ].map(([name = "", ...lines]) => fileOf(`app/${name}-1.jar`, jar(name, ...lines))),
      ],
      [
        "g:a 1: g:b 1 g:c 1",
        "g:b 1: g:d 1",
        "g:c 1: g:d 1",
        "g:d 1: !g:y:1",
        "g:e 1: !g:x:1",
        "g:f 1: g:h 1",
        "g:h 1: g:f 1 !g:x:1",
      ],
    ],
    [
      "Maven: it is not known what a parent says that is not there, nor when what it manages is needed",
      [
        fileOf("app/a-1.jar", jar("a", parentOf("gone"), need("b", "<version>1</version>"), need("c"))),
        fileOf("app/b-1.jar", jar("b", parentOf("p"))),
        fileOf("app/c-1.jar", jar("c", need("x"))),
        repositoryPom("p", parentOf("gone")),
      ],
      ["g:a 1: g:b 1 g:c 1 ?", "g:b 1: ?", "g:c 1: ?"],
    ],
    [
      "Maven: the nearest of very many of a name",
      Array.from({ length: 20 }, (_, index) => [
        fileOf(`srv/${index}/lib/a.jar`, jar(`a${index}`, need("b", "<version>9</version>"))),
        fileOf(`srv/${index}/lib/${index % 2 === 0 ? "x/" : ""}b-${index}.jar`, makeZip(pom("g", "b", String(index)))),
      ]).flat(),
      Array.from({ length: 20 }, (_, index) => `g:a${index} 1: g:b ${index}`).sort(),
    ],
    [
      "Maven: by the class path, and in an unpacked application",
      [
        fileOf(
          "opt/a-1.jar",
          makeZip({ ...pom("g", "a", "1"), ...manifest({ "Class-Path": "lib/b-1.jar lib/gone.jar" }) }),
        ),
        fileOf("opt/lib/b-1.jar", makeZip(pom("g", "b", "1"))),
        ...Object.entries(pom("g", "w", "1")).map(([name, text]) => fileOf(`srv/w/${name}`, text)),
        fileOf("srv/w/WEB-INF/lib/c-1.jar", makeZip(pom("g", "c", "1"))),
      ],
      ["g:a 1: g:b 1 ?", "g:w 1: g:c 1 ?"],
    ],
    [
      ".NET: by the targets, through libraries without files, and the framework that the host chooses",
      [
        fileOf(
          "app/shop.deps.json",
          json({
            targets: {
              net8: {
                "shop/1.0.0": {
                  dependencies: { Meta: "1.0.0", "runtimepack.R": "8.0.0" },
                  runtime: { "shop.dll": {} },
                },
                "Meta/1.0.0": { dependencies: { Used: "2.0.0", OnlyCompiled: "1.0.0" } },
                "OnlyCompiled/1.0.0": {},
                "Used/2.0.0": { runtime: { "used.dll": {} } },
                "runtimepack.R/8.0.0": { runtime: { "r.dll": {} } },
              },
            },
            libraries: {
              "shop/1.0.0": { type: "project" },
              ...Object.fromEntries(
                ["Meta/1.0.0", "OnlyCompiled/1.0.0", "Used/2.0.0"].map((key) => [key, { type: "package" }]),
              ),
              "runtimepack.R/8.0.0": { type: "runtimepack" },
            },
          }),
        ),
        fileOf(
          "app/shop.runtimeconfig.json",
          json({ runtimeOptions: { framework: { name: "Web", version: "8.0.0" } } }),
        ),
        ...["7.0.9", "8.0.2", "8.0.11", "8.1.0"].map((version) => framework("Web", version)),
        fileOf(
          "usr/share/dotnet/shared/Web/8.0.11/Web.runtimeconfig.json",
          json({ runtimeOptions: { frameworks: [{ name: "Core", version: "8.0.11" }] } }),
        ),
      ],
      [
        "R 8.0.0:",
        "Used 2.0.0:",
        ...["Web.Runtime 7.0.9:", "Web.Runtime 8.0.11: !Core/8.0.11", "Web.Runtime 8.0.2:", "Web.Runtime 8.1.0:"],
        "shop 1.0.0: R 8.0.0 Used 2.0.0 Web.Runtime 8.0.11",
      ],
    ],
    [
      ".NET: by descriptions, of some frameworks only if it is there",
      [
        nuspec(
          "a",
          '<group targetFramework="net6.0"><dependency id="B" version="[1,)"/><dependency id="c"/></group><group targetFramework="net8.0"><dependency id="b" version="1"/><dependency id="absent"/></group>',
        ),
        nuspec("b", ""),
        nuspec("c", '<dependency id="gone" version="1"/>'),
      ],
      ["a 1: b 1 c 1", "b 1:", "c 1: !gone/1"],
    ],
    [
      ".NET: by the groups of descriptions that programs on Linux use",
      [
        nuspec(
          "a",
          '<group targetFramework="net8.0"><dependency id="b" version="1"/></group><group targetFramework=".NETFramework4.7.2"><dependency id="c" version="1"/></group><group targetFramework="net8.0-windows7.0"><dependency id="d"/></group><group targetFramework=".NETStandard2.0"><dependency id="c"/></group>',
        ),
        nuspec(
          "b",
          '<group targetFramework="net472"><dependency id="c" version="1"/></group><group targetFramework="netstandard2.0"/><group targetFramework="netstandard1.3"><dependency id="d"/></group>',
        ),
        nuspec("c", '<group targetFramework="net45"><dependency id="d" version="1"/></group>'),
        nuspec(
          "d",
          '<group targetFramework="net6.0"><dependency id="c"/></group><group targetFramework="net10.0"><dependency id="c"/><dependency id="gone"/></group>',
        ),
      ],
      ["a 1: b 1", "b 1: d 1", "c 1: d 1", "d 1: c 1"],
    ],
    [
      ".NET: the target that the application runs with",
      [
        fileOf(
          "app/shop.deps.json",
          json({
            runtimeTarget: { name: ".NETCoreApp,Version=v8.0/linux-x64" },
            targets: {
              ".NETFramework,Version=v4.7.2": { "A/1.0.0": { dependencies: { C: "1.0.0" }, runtime: { "a.dll": {} } } },
              ".NETCoreApp,Version=v8.0/linux-x64": {
                "shop/1.0.0": { dependencies: { A: "1.0.0" }, runtime: { "shop.dll": {} } },
                "A/1.0.0": { dependencies: { B: "1.0.0" }, runtime: { "a.dll": {} } },
                "B/2.0.0": { runtime: { "b.dll": {} } },
                "C/1.0.0": { runtime: { "c.dll": {} } },
              },
            },
            libraries: {
              "shop/1.0.0": { type: "project" },
              ...Object.fromEntries(["A/1.0.0", "B/2.0.0", "C/1.0.0"].map((key) => [key, { type: "package" }])),
            },
          }),
        ),
      ],
      ["A 1.0.0: B 2.0.0", "B 2.0.0:", "C 1.0.0:", "shop 1.0.0: A 1.0.0"],
    ],
    [
      ".NET: the lowest version of the same folder of packages that is allowed",
      [
        ...["root/.nuget/packages", "srv/.nuget/packages"].flatMap((folder) => [
          nuspecIn(
            folder,
            ["a", folder.length === 20 ? "1" : "2"],
            '<dependency id="b" version="1.5"/><dependency id="c" version="[1.0,2.0)"/><dependency id="d" version="[1.0]"/>',
          ),
          ...["1.0", "1.9", "2.0"].flatMap((version) =>
            ["b", "c", "d"].map((id) => nuspecIn("root/.nuget/packages", [id, version], "")),
          ),
        ]),
      ],
      [
        "a 1: b 1.9 c 1.0 d 1.0",
        "a 2: !b/1.5 !c/[1.0,2.0) !d/[1.0]",
        ...["b", "c", "d"].flatMap((id) => ["1.0", "1.9", "2.0"].map((version) => `${id} ${version}:`)),
      ],
    ],
    [
      "Erlang: releases are whole",
      [
        ...["one", "two"].flatMap((folder, index) => [
          ertsApp(`${folder}/lib/a${index}-1`, `a${index}`, "{applications,[kernel,b]}"),
          ertsApp(`${folder}/lib/kernel-${index}`, "kernel", "{applications,[]}"),
        ]),
        ertsApp("two/lib/b-1", "b", "{applications,[]}"),
        ertsApp("p/_build/prod/lib/c", "c", "{applications,[kernel,b]}"),
      ],
      ["a0 1: kernel 1 !b", "a1 1: b 1 kernel 1", "b 1:", "c 1: b 1 kernel 1", "kernel 1:"],
    ],
    [
      "Erlang: applications, also those of Erlang itself, and optional ones",
      [
        ertsApp("lib/a-1", "a", "{applications,[kernel,b,gone,absent]},{optional_applications,[absent]}"),
        ertsApp("lib/b-1", "b", "{modules,[]},{included_applications,[c]},{applications,[kernel]}"),
        ertsApp("lib/c-1", "c", ""),
        ertsApp("lib/kernel-9", "kernel", "{applications,[]}"),
      ],
      ["a 1: b 1 kernel 1 !gone", "b 1: c 1 kernel 1", "kernel 1:"],
    ],
    [
      "pacman: names, libraries, and what is optional",
      [
        pacmanDesc("a", "DEPENDS", "libb.so=1-64", "c>=1", "gone"),
        pacmanDesc("b", "PROVIDES", "libb.so=1-64"),
        pacmanDesc("c", "OPTDEPENDS", "a: to do this", "absent: more"),
      ],
      ["a 1-1: b 1-1 c 1-1 !gone", "b 1-1:", "c 1-1: a 1-1"],
    ],
    [
      "pacman: the versions that are asked for, with a release only if one is named",
      [
        pacmanDesc("a", "DEPENDS", "libb.so=2-64", "c=1", "c=1-2", "virt>1", "d<2"),
        pacmanDesc("b", "PROVIDES", "libb.so=1-64", "virt=1", "d"),
        pacmanDesc("b2", "PROVIDES", "libb.so=2-64", "virt=2"),
        pacmanDesc("c", "OPTDEPENDS", "b>=1:1: newer", "b2>=1: to do this"),
      ],
      ["a 1-1: b2 1-1 c 1-1 !c=1-2 !d<2", "b 1-1:", "b2 1-1:", "c 1-1: b2 1-1"],
    ],
    [
      "Haskell: by the names of builds",
      [
        fileOf(
          "usr/lib/ghc/package.conf.d/a-1.conf",
          "name: a\nversion: 1\nid: a-1\ndepends:\n    b-1-7f\n    gone-1\n",
        ),
        fileOf("usr/lib/ghc/package.conf.d/b-1.conf", "name: b\nversion: 1\nid: b-1-7f\n"),
      ],
      ["a 1: b 1 !gone-1", "b 1:"],
    ],
    [
      "Perl: modules by the distributions that have them, not those of Perl itself",
      [
        perl("usr/local", "a", { requires: { perl: 5, "b::c": 0, strict: 0, "Data::Dumper": 0, "IO::Handle": 1 } }),
        perl("usr/local", "b-c", { requires: { "HTTP::Request": 6 }, recommends: { "Other::One": 0 } }),
        fileOf(
          "usr/local/lib/perl5/site_perl/.meta/HTTP-Message-1/install.json",
          json({ provides: { "HTTP::Request": { file: "x" }, "HTTP::Message": {} } }),
        ),
        perl("usr/local", "HTTP-Message", { recommends: { "Gone::One": 0 } }),
        perl("usr/local", "d", { requires: { "Gone::Two": 0, a: 0 } }),
        perl("app/local", "e", { requires: { a: 0, "Own::Sub": 0 } }),
        perl("app/local", "Own", {}),
        perl("srv/local", "f", { requires: { "Own::Sub": 0 } }),
      ],
      ["HTTP-Message 1:", "Own 1:", "a 1: b-c 1", "b-c 1: HTTP-Message 1", "d 1: a 1 ?", "e 1: Own 1 a 1", "f 1: ?"],
    ],
    [
      "Homebrew: what a formula was built to need",
      [
        fileOf(
          "opt/Cellar/a/1/INSTALL_RECEIPT.json",
          json({ runtime_dependencies: [{ full_name: "tap/b" }, { full_name: "gone" }] }),
        ),
        fileOf("opt/Cellar/b/1/INSTALL_RECEIPT.json", "{"),
      ],
      ["a 1: b 1 !gone"],
    ],
    [
      "CocoaPods: with what the parts of a pod need",
      [
        fileOf(
          "app/Pods/Manifest.lock",
          "PODS:\n  - A (1):\n    - A/Core (= 1)\n    - B (~> 1)\n  - A/Core (1):\n    - C\n  - B (1)\n  - C (1)\n",
        ),
      ],
      ["A 1: B 1 C 1", "B 1:", "C 1:"],
    ],
    [
      "vcpkg: by the name of the port",
      [
        fileOf(
          "opt/vcpkg/status",
          "Package: a\nVersion: 1\nDepends: b:x64-linux, gone\nStatus: install ok installed\n\nPackage: b\nVersion: 1\nStatus: install ok installed\n",
        ),
      ],
      ["a 1: b 1 !gone", "b 1:"],
    ],
    [
      "Flatpak: the runtime of an application",
      [
        fileOf("var/lib/flatpak/app/org.a/x86_64/stable/c/metadata", "[Application]\nruntime=org.r/x86_64/46\n"),
        ...["45", "46"].map((branch) =>
          fileOf(`var/lib/flatpak/runtime/org.r/x86_64/${branch}/c/metadata`, "[Runtime]\n"),
        ),
      ],
      ["org.a stable x86_64: org.r 46 x86_64", "org.r 45 x86_64:", "org.r 46 x86_64:"],
    ],
    [
      "R: of the same project, and of the library of all",
      [
        ...["one", "two"].flatMap((folder, index) => [
          rPackage(`${folder}/renv/library/R-4.3/x86_64`, `a${index}`, "1", "Imports: b, c, d\n"),
          ...(index === 0 ? [] : [rPackage(`${folder}/renv/library/R-4.3/x86_64`, "b", "1")]),
        ]),
        rPackage("usr/lib/R/library", "c", "1", "Imports: b\n"),
      ],
      ["a0 1: c 1 !b !d", "a1 1: b 1 c 1 !d", "b 1:", "c 1: !b"],
    ],
    [
      "CocoaPods and vcpkg: in the same file",
      [
        fileOf("one/Pods/Manifest.lock", "PODS:\n  - A (1):\n    - B\n"),
        fileOf("two/Pods/Manifest.lock", "PODS:\n  - B (1)\n"),
        fileOf("one/vcpkg/status", "Package: v\nVersion: 1\nDepends: w\nStatus: install ok installed\n"),
        fileOf("two/vcpkg/status", "Package: w\nVersion: 1\nStatus: install ok installed\n"),
      ],
      ["A 1: !B", "B 1:", "v 1: !w", "w 1:"],
    ],
    [
      "R: over several lines",
      [
        fileOf(
          "usr/lib/R/library/a/DESCRIPTION",
          "Package: a\nVersion: 1\nDepends: R (>= 4.0), b\nImports: c (>= 1),\n    d,\n\tgone\nTitle: T\n",
        ),
        ...["b", "c", "d"].map((name) =>
          fileOf(`usr/lib/R/library/${name}/DESCRIPTION`, `Package: ${name}\nVersion: 1\n`),
        ),
      ],
      ["a 1: b 1 c 1 d 1 !gone", "b 1:", "c 1:", "d 1:"],
    ],
  ])("are found for %s", async (_, members, expected) => {
    expect(await needsIn(...members)).toEqual(expected);
  });

  it("are found in a bounded time where thousands have one name, and what is not looked at is not met", async () => {
    const names = Array.from({ length: 1500 }, (_, index) => `a${index}`);
    const members = names.flatMap((name) => [
      metadata(`v/${name}/lib/python3.11/site-packages`, name, "Requires-Dist: b"),
      metadata(`w/${name}/lib/python3.11/site-packages`, "b"),
    ]);

    expect(await needsIn(...members)).toEqual([...names.map((name) => `${name} 1: !b`), "b 1:"].sort());
  });

  it("are found of names that few packages have, also where others are not looked at any more", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => {
      const provides = index < 150 ? "Provides: v\n" : "";
      return `Package: a${index}\nDepends: v, only\n${provides}`;
    });

    const found = await needsIn(dpkg(...many, "Package: only\n"));

    expect(found.filter((each) => each.includes("!v")).length).toBeGreaterThan(0);
    expect(found.filter((each) => each.includes("only 1"))).toHaveLength(3001);
  });
});
