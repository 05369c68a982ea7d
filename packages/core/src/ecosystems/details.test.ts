import { createHash } from "node:crypto";
import { makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import { licenseReference } from "../licenses/license-reference.ts";
import type { PackageDetails } from "../model/package-details.ts";
import type { FileDetector, FileEntry } from "../plugins/detector.ts";
import type { Ecosystem } from "../plugins/ecosystem.ts";
import { buildElf } from "../programs/fixtures/build-program.ts";
import { allEcosystems } from "./all.ts";
import { manifest, pomXml } from "./java/fixtures/make-jar.ts";
import { fileOf, indexLayers } from "./language/fixtures/index-layers.ts";

const json = JSON.stringify;
const dpkg = (name: string, more = "") =>
  fileOf(
    "var/lib/dpkg/status",
    `Package: ${name}\nStatus: install ok installed\nVersion: 1\nMaintainer: D <d@debian.org>\n${more}`,
  );
const copyright = (...licenses: string[]) =>
  [
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
    ...licenses.map((each) => `\nFiles: *\nCopyright: me\nLicense: ${each}\n the text of it`),
    "\nLicense: MIT\n a text that is only repeated",
  ].join("\n");

const jarFiles = (name: string) => ({
  [`META-INF/maven/org.a/${name}/pom.properties`]: `groupId=org.a\nartifactId=${name}\nversion=1.0\n`,
});
const jarOf = (name: string) => makeZip(jarFiles(name));
const withoutDetails = createEngine({ ecosystems: allEcosystems, details: false });

/** The details of the only package of a layer. */
async function detailsIn(members: Parameters<typeof indexLayers>[0][number], engine?: ReturnType<typeof createEngine>) {
  const { details = {} } = await indexLayers([members], engine);
  return Object.values(details);
}

/** What each NuGet row below states beside its licence. */
const nuget = {
  supplier: "O",
  originator: "A, B",
  authors: ["A", "B"],
  description: "does this",
  homepage: "https://a.example",
  sourceAddress: "https://a.example/a.git",
};

describe("details of packages", () => {
  it.each<[string, string, string | Uint8Array, PackageDetails]>([
    [
      "apk",
      "lib/apk/db/installed",
      "P:a\nV:1-r0\nT:A tool\nU:https://a.example\nL:MIT AND ISC\nm:M <m@a.example>\n",
      {
        licenses: [{ text: "MIT AND ISC" }],
        supplier: "M <m@a.example>",
        homepage: "https://a.example",
        description: "A tool",
      },
    ],
    [
      "npm",
      "app/node_modules/a/package.json",
      json({
        name: "a",
        version: "1.0.0",
        license: "MIT",
        author: { name: "A", email: "a@a.example" },
        contributors: ["C (https://c.example)"],
        repository: { type: "git", url: "git+https://a.example/a.git" },
        homepage: "https://a.example",
        description: " does\n this ",
      }),
      {
        licenses: [{ text: "MIT" }],
        originator: "A <a@a.example>",
        authors: ["A <a@a.example>", "C"],
        sourceAddress: "git+https://a.example/a.git",
        homepage: "https://a.example",
        description: "does this",
      },
    ],
    [
      "npm, as it was years ago",
      "app/node_modules/a/package.json",
      json({ name: "a", version: "1.0.0", licenses: [{ type: "MIT", url: "x" }, { type: "GPL-2.0" }] }),
      { licenses: [{ text: "MIT OR GPL-2.0" }] },
    ],
    [
      "Python",
      "usr/lib/python3/site-packages/a-1.dist-info/METADATA",
      "Name: a\nVersion: 1\nSummary: S\nLicense: see file\nClassifier: License :: OSI Approved :: MIT License\nAuthor-email: A <a@a.example>\nProject-URL: Source, https://a.example/a\nHome-page: https://a.example\n\nLicense: no field\n",
      {
        licenses: [{ text: "MIT License", expression: "MIT" }],
        originator: "A <a@a.example>",
        authors: ["A <a@a.example>"],
        description: "S",
        homepage: "https://a.example",
        sourceAddress: "https://a.example/a",
      },
    ],
    [
      "Python, with lines of blanks in a field",
      "usr/lib/python3/site-packages/a-1.dist-info/METADATA",
      "Name: a\nVersion: 1\nLicense: MIT\n        \n        the text of it\nSummary: S\n\nHome-page: no field\n",
      { licenses: [{ text: "MIT" }], description: "S" },
    ],
    [
      "Python, with an ambiguous classifier",
      "usr/lib/python3/site-packages/a-1.dist-info/METADATA",
      "Name: a\nVersion: 1\nLicense: BSD-3-Clause\nClassifier: License :: OSI Approved :: BSD License\n",
      { licenses: [{ text: "BSD-3-Clause" }] },
    ],
    [
      "Python, by its expression",
      "usr/lib/python3/site-packages/a-1.dist-info/METADATA",
      "Name: a\nVersion: 1\nLicense-Expression: MIT OR Apache-2.0\nClassifier: License :: OSI Approved :: MIT License\n",
      { licenses: [{ text: "MIT OR Apache-2.0" }] },
    ],
    [
      "a gem",
      "usr/lib/ruby/gems/3.1.0/specifications/a-1.gemspec",
      's.name = "a".freeze\ns.version = "1"\ns.licenses = ["Ruby".freeze, "BSD-2-Clause".freeze]\ns.authors = ["A".freeze]\ns.homepage = "https://a.example".freeze\ns.summary = "S"\n',
      {
        licenses: [{ text: "Ruby" }, { text: "BSD-2-Clause" }],
        authors: ["A"],
        homepage: "https://a.example",
        description: "S",
      },
    ],
    [
      "a gem with lists of words, and over several lines",
      "usr/lib/ruby/gems/3.1.0/specifications/a-1.gemspec",
      's.name = "a"\ns.version = "1"\ns.licenses = %w[MIT BSD-2-Clause]\ns.authors = ["A",\n  "B"]\ns.summary = "S"\n',
      { licenses: [{ text: "MIT" }, { text: "BSD-2-Clause" }], authors: ["A", "B"], description: "S" },
    ],
    [
      "Composer",
      "app/vendor/composer/installed.json",
      json({
        packages: [
          {
            name: "a/a",
            version: "1.0.0",
            license: ["MIT", "ISC"],
            authors: [{ name: "A", email: "a@a.example" }],
            dist: { url: "https://d.example/a.zip" },
          },
        ],
      }),
      { licenses: [{ text: "MIT OR ISC" }], authors: ["A <a@a.example>"], downloadAddress: "https://d.example/a.zip" },
    ],
    [
      "R",
      "usr/lib/R/library/a/DESCRIPTION",
      "Package: a\nVersion: 1.0\nTitle: T\nLicense: GPL-2 | GPL-3\nMaintainer: M <m@a.example>\nURL: https://a.example, https://b.example\n",
      {
        licenses: [{ text: "GPL-2 | GPL-3", expression: "GPL-2.0-only OR GPL-3.0-only" }],
        supplier: "M <m@a.example>",
        authors: ["M <m@a.example>"],
        homepage: "https://a.example",
        description: "T",
      },
    ],
    [
      "conda",
      "opt/conda/conda-meta/a-1-0.json",
      json({ name: "a", version: "1", license: "BSD-3-Clause", url: "https://c.example/a.conda" }),
      { licenses: [{ text: "BSD-3-Clause" }], downloadAddress: "https://c.example/a.conda" },
    ],
    [
      "NuGet",
      "root/.nuget/packages/a/1/a.nuspec",
      '<package><metadata><id>a</id><version>1</version><authors>A, B</authors><owners>O</owners><license type="expression">MIT OR ISC</license><licenseUrl>https://licenses.nuget.org/MIT</licenseUrl><projectUrl>https://a.example</projectUrl><repository url="https://a.example/a.git"/><description>does\n this</description></metadata></package>',
      {
        licenses: [{ text: "MIT OR ISC" }],
        ...nuget,
      },
    ],
    [
      "NuGet, with a file",
      "root/.nuget/packages/a/1/a.nuspec",
      '<package><metadata><id>a</id><version>1</version><authors>A, B</authors><owners>O</owners><license type="file">LICENSE.md</license><projectUrl>https://a.example</projectUrl><repository url="https://a.example/a.git"/><description>does\n this</description></metadata></package>',
      {
        licenses: [
          {
            text: "file LICENSE.md",
            expression: licenseReference("file LICENSE.md", "root/.nuget/packages/a/1"),
            path: "root/.nuget/packages/a/1/LICENSE.md",
          },
        ],
        ...nuget,
      },
    ],
    [
      "NuGet, as it was years ago",
      "root/.nuget/packages/a/1/a.nuspec",
      '<package><metadata><id>a</id><version>1</version><authors>A, B</authors><owners>O</owners><licenseUrl>https://www.apache.org/licenses/LICENSE-2.0</licenseUrl><projectUrl>https://a.example</projectUrl><repository url="https://a.example/a.git"/><description>does\n this</description></metadata></package>',
      {
        licenses: [{ text: "https://www.apache.org/licenses/LICENSE-2.0", expression: "Apache-2.0" }],
        ...nuget,
      },
    ],
    [
      "Erlang",
      "opt/lib/a-1/ebin/a.app",
      '{application,a,[{vsn,"1"},{description,"does this"},{licenses,["Apache-2.0","MIT"]},{links,[{"GitHub","https://a.example"}]}]}.',
      {
        licenses: [{ text: "Apache-2.0" }, { text: "MIT" }],
        description: "does this",
        homepage: "https://a.example",
      },
    ],
    [
      "pacman",
      "var/lib/pacman/local/a-1-1/desc",
      "%NAME%\na\n\n%VERSION%\n1-1\n\n%DESC%\nA tool\n\n%URL%\nhttps://a.example\n\n%LICENSE%\nMIT\nISC\n\n%PACKAGER%\nP <p@a.example>\n",
      {
        licenses: [{ text: "MIT" }, { text: "ISC" }],
        supplier: "P <p@a.example>",
        description: "A tool",
        homepage: "https://a.example",
      },
    ],
    [
      "Haskell",
      "usr/lib/ghc/package.conf.d/a-1.conf",
      "name: a\nversion: 1\nid: a-1\nlicense: BSD-3-Clause\nmaintainer: m@a.example\nauthor: A\nsynopsis: S\nhomepage: https://a.example\n",
      {
        licenses: [{ text: "BSD-3-Clause" }],
        supplier: "m@a.example",
        authors: ["A"],
        description: "S",
        homepage: "https://a.example",
        provides: ["a-1"],
      },
    ],
    [
      "Perl",
      "usr/lib/perl5/.meta/a-1/MYMETA.json",
      json({
        name: "a",
        version: "1",
        license: ["perl_5"],
        author: ["A <a@a.example>"],
        abstract: "unknown",
        resources: { repository: { url: "https://a.example/a.git" } },
      }),
      {
        licenses: [{ text: "perl_5", expression: "Artistic-1.0-Perl OR GPL-1.0-or-later" }],
        authors: ["A <a@a.example>"],
        sourceAddress: "https://a.example/a.git",
      },
    ],
    [
      "a plugin of WordPress",
      "srv/wp-content/plugins/a/a.php",
      "<?php\n/*\n * Plugin Name: A\n * Version: 1\n * License: GPL-2.0-or-later\n * Author: A\n * Plugin URI: https://a.example\n */",
      { licenses: [{ text: "GPL-2.0-or-later" }], authors: ["A"], homepage: "https://a.example" },
    ],
    [
      "a snap",
      "snap/a/1/meta/snap.yaml",
      "name: a\nversion: '1'\nsummary: does this\nlicense: GPL-3.0\n",
      { licenses: [{ text: "GPL-3.0" }], description: "does this" },
    ],
    [
      "PEAR",
      "usr/share/php/.registry/a.reg",
      'a:4:{s:4:"name";s:1:"a";s:7:"version";s:1:"1";s:7:"license";a:1:{s:8:"_content";s:3:"MIT";}s:7:"summary";s:1:"S";}',
      { licenses: [{ text: "MIT" }], description: "S" },
    ],
    [
      "Maven",
      "lib/a-1.jar",
      makeZip({
        ...pomXml(
          "g",
          "a",
          "<groupId>g</groupId><artifactId>a</artifactId><version>1</version><name>A</name><url>https://a.example/${x}</url>" +
            "<organization><name>O</name></organization><scm><url>https://a.example/a</url></scm>" +
            "<licenses><license><name>Own</name></license><license><name>Apache</name><url>https://www.apache.org/licenses/LICENSE-2.0</url></license></licenses>" +
            "<developers><developer><id>d</id><email>d@a.example</email></developer></developers>",
        ),
        ...manifest({ "Bundle-License": "MIT", "Bundle-DocURL": "https://b.example" }),
      }),
      {
        licenses: [{ text: "Own OR Apache", expression: "LicenseRef-Own OR Apache-2.0" }],
        supplier: "O",
        authors: ["d <d@a.example>"],
        description: "A",
        sourceAddress: "https://a.example/a",
      },
    ],
    [
      "an archive of Java without a model",
      "lib/a-1.jar",
      makeZip(
        manifest({
          "Bundle-License": '"https://www.apache.org/licenses/LICENSE-2.0.txt";link="x,y", Own',
          "Implementation-Vendor": "V",
          "Bundle-Description": "does this",
        }),
      ),
      {
        licenses: [{ text: "https://www.apache.org/licenses/LICENSE-2.0.txt" }, { text: "Own" }],
        supplier: "V",
        description: "does this",
      },
    ],
  ])("are read from the record of %s", async (_, path, content, expected) => {
    const [{ requires, file: _file, ...stated } = {}, ...others] = await detailsIn([fileOf(path, content)]);

    expect([stated, others]).toEqual([expected, []]);
  });

  it.each<[string, string, readonly (readonly [string, string?])[]]>([
    [
      "machine-readable",
      copyright("GPL-2+ or Artistic", "Expat", "GPL-3+ with Bison exception", "Expat", "Expat or Artistic, and GPL-3"),
      [
        ["GPL-2+ or Artistic", "GPL-2.0-or-later OR Artistic-1.0-Perl"],
        ["Expat", "MIT"],
        ["GPL-3+ with Bison exception", licenseReference("GPL-3+ with Bison exception")],
        ["Expat or Artistic, and GPL-3", "(MIT OR Artistic-1.0-Perl) AND GPL-3.0-only"],
      ],
    ],
    [
      "with the line ends of Windows",
      copyright("ISC", "GPL-3").replaceAll("\n", "\r\n"),
      [
        ["ISC", "ISC"],
        ["GPL-3", "GPL-3.0-only"],
      ],
    ],
    [
      "with identifiers of SPDX, and a name that is none of them",
      copyright("GPL-3.0-only", "0BSD", "(GPL-2+ or Expat) and curl", "GFDL-NIV-1.3+", "MIT"),
      [
        ["GPL-3.0-only", "GPL-3.0-only"],
        ["0BSD", "0BSD"],
        ["(GPL-2+ or Expat) and curl", "(GPL-2.0-or-later OR MIT) AND curl"],
        ["GFDL-NIV-1.3+", "GFDL-1.3-no-invariants-or-later"],
        ["MIT", "LicenseRef-MIT"],
      ],
    ],
    [
      "with exceptions, and titles",
      copyright(
        "GPL-2 with Linux-syscall-note exception",
        "GPL-2+ with Font exception",
        "Own with Font exception",
        "Apache-2",
      ),
      [
        ["GPL-2 with Linux-syscall-note exception", "GPL-2.0-only WITH Linux-syscall-note"],
        ["GPL-2+ with Font exception", "GPL-2.0-or-later WITH Font-exception-2.0"],
        ["Own with Font exception", licenseReference("Own with Font exception")],
        ["Apache-2", "Apache-2.0"],
      ],
    ],
    ...[
      "http://svn.debian.org/wsvn/dep/web/deps/dep5.mdwn?op=file&rev=135",
      "http://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
      "\n https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
      "http://dep.debian.net/deps/dep5/",
      "http://wiki.debian.org/Proposals/CopyrightFormat?action=recall&rev=502",
    ].map((format): [string, string, readonly (readonly [string, string?])[]] => [
      `in the format ${JSON.stringify(format)}, with the licence of the whole, and on the next line`,
      `Format: ${format}\nUpstream-Name: a\nLicense: GPL-2+\n\nFiles: *\nLicense:\n Expat\n\nFiles: b\nLicense:\n Do what\n you want\n\nLicense: ISC\n text\n`,
      [
        ["GPL-2+", "GPL-2.0-or-later"],
        ["Expat", "MIT"],
        ["Do what", licenseReference("Do what")],
      ],
    ]),
    [
      "other text",
      "see /usr/share/common-licenses/GPL-2, and /usr/share/common-licenses/Apache-2.0.",
      [
        ["Apache-2.0", "Apache-2.0"],
        ["GPL-2", "LicenseRef-GPL-2"],
      ],
    ],
    ["text that names no licence", "do what you want", [["copyright file sha256-0e07807be4ec4609"]]],
  ])("have the licences of Debian's copyright file: %s", async (_, text, expected) => {
    const path = "usr/share/doc/a/copyright";
    const [details] = await detailsIn([
      dpkg("a", "Homepage: https://a.example\nDescription: S\n more\n"),
      fileOf(path, text),
    ]);

    expect(
      details?.licenses?.map((each) => [each.text, ...(each.expression === undefined ? [] : [each.expression])]),
    ).toEqual(expected);
    expect(details?.licenses?.every((each) => each.path === path)).toBe(true);
    expect(details).toMatchObject({ supplier: "D <d@debian.org>", homepage: "https://a.example", description: "S" });
  });

  it("have the programs of Debian's packages, beside what they provide", async () => {
    const [details] = await detailsIn([
      dpkg("a", "Provides: v (= 1)\n"),
      fileOf("usr/share/doc/a/copyright", copyright("MIT")),
      fileOf(
        "var/lib/dpkg/info/a:amd64.list",
        "/.\n/usr/sbin\n/usr/sbin/nginx\n/usr/lib/pg/bin/postgres\n/usr/bin/x/y\n/usr/share/cbin/z\n/bin/b",
      ),
    ]);

    expect(details?.provides).toEqual(["v (= 1)", "/usr/sbin/nginx", "/usr/lib/pg/bin/postgres", "/bin/b"]);
    expect(details?.licenses).toHaveLength(1);
  });

  it.each<[string, object, readonly (readonly [string, string?])[]]>([
    ["a list with repeats", { license: ["MIT", "MIT", "mit"] }, [["mit"]]],
    ["a list of objects", { license: [{ type: "MIT" }, { name: "ISC" }] }, [["MIT OR ISC"]]],
    ["a list", { license: ["MIT", "X y"] }, [["MIT OR X y", `MIT OR ${licenseReference("X y")}`]]],
    [
      "old objects",
      {
        licenses: [
          { type: "BSD", url: "https://opensource.org/licenses/BSD-3-Clause" },
          { url: "https://a.example/l" },
        ],
      },
      [["BSD OR https://a.example/l", `BSD-3-Clause OR ${licenseReference("https://a.example/l")}`]],
    ],
    ["one object", { license: { type: "MIT", url: "https://a.example/l" } }, [["MIT"]]],
    [
      "an address",
      { license: "http://www.opensource.org/licenses/mit-license.php" },
      [["http://www.opensource.org/licenses/mit-license.php", "MIT"]],
    ],
    ["an expression with an unknown name", { license: "(MIT OR X)" }, [["(MIT OR X)"]]],
    [
      "a list of an expression",
      { license: ["(MIT OR X)", "ISC"] },
      [["(MIT OR X) OR ISC", "(MIT OR LicenseRef-X) OR ISC"]],
    ],
    [
      "a file",
      { license: "SEE LICENSE IN L.md" },
      [["SEE LICENSE IN L.md", licenseReference("SEE LICENSE IN L.md", "a 1.0.0")]],
    ],
    ["nothing", { license: "", licenses: [] }, []],
    ["nothing, in words", { license: "NONE" }, []],
  ])("have npm's licence in the form of %s", async (_, stated, expected) => {
    const [{ licenses = [] } = {}] = await detailsIn([
      fileOf("app/node_modules/a/package.json", json({ name: "a", version: "1.0.0", ...stated })),
    ]);

    expect(licenses.map(({ text, expression }) => (expression === undefined ? [text] : [text, expression]))).toEqual(
      expected,
    );
  });

  it.each([
    ["acme/app", "https://github.com/acme/app"],
    ["github:acme/app#main", "https://github.com/acme/app"],
    ["gitlab:acme/group/app", "https://gitlab.com/acme/group/app"],
    ["bitbucket:acme/app", "https://bitbucket.org/acme/app"],
    ["gist:11081aaa281", "https://gist.github.com/11081aaa281"],
    ["git@git.example:acme/app.git", "ssh://git.example/acme/app.git"],
    ["git+https://a.example/a.git", "git+https://a.example/a.git"],
    ["acme/app/packages/a", "acme/app/packages/a"],
    ["acme", "acme"],
  ])("have npm's repository %s as %s", async (repository, address) => {
    for (const stated of [repository, { type: "git", url: repository }]) {
      const file = json({ name: "a", version: "1.0.0", repository: stated });
      const [details] = await detailsIn([fileOf("app/node_modules/a/package.json", file)]);

      expect(details?.sourceAddress).toBe(address);
    }
  });

  it.each<[string, readonly string[], readonly (readonly [string, string?])[]]>([
    [
      "nothing, and a classifier",
      ["License: UNKNOWN", "Classifier: License :: OSI Approved :: BSD License"],
      [["BSD License"]],
    ],
    ["nothing", ["License: UNKNOWN"], []],
    ["an empty field", ["License: ", "Classifier: License :: OSI Approved :: MIT License"], [["MIT License", "MIT"]]],
    ["a file, and a classifier", ["License: file: LICENSE", "Classifier: License :: X"], [["X"]]],
    ["a file", ["License: see LICENSE.txt"], [["see LICENSE.txt", licenseReference("see LICENSE.txt", "a 1")]]],
    [
      "a file, and a classifier",
      ["License: LICENSE.md", "Classifier: License :: OSI Approved :: BSD License"],
      [["BSD License"]],
    ],
    ["a title", ["License: The MIT License (MIT)"], [["The MIT License (MIT)", "MIT"]]],
    ["an address", ["License: https://opensource.org/licenses/MIT"], [["https://opensource.org/licenses/MIT", "MIT"]]],
    [
      "an expression, with its parts as classifiers",
      [
        "License: MIT OR GPL-2.0-or-later",
        "Classifier: License :: OSI Approved :: MIT License",
        "Classifier: License :: OSI Approved :: GNU General Public License v2 or later (GPLv2+)",
      ],
      [["MIT OR GPL-2.0-or-later"]],
    ],
    [
      "an expression that classifiers contradict",
      ["License: GPL-3.0-or-later", "Classifier: License :: OSI Approved :: MIT License"],
      [["GPL-3.0-or-later (classifiers: MIT License)", "GPL-3.0-or-later"]],
    ],
    [
      "a title that classifiers contradict",
      ["License: Apache 2.0", "Classifier: License :: OSI Approved :: MIT License"],
      [["Apache 2.0 (classifiers: MIT License)", "Apache-2.0"]],
    ],
    [
      "two classifiers, of which one says nothing",
      ["Classifier: License :: OSI Approved", "Classifier: License :: OSI Approved :: ISC License (ISCL)"],
      [["ISC License (ISCL)", "ISC"]],
    ],
    [
      "a whole text, and an ambiguous classifier",
      [
        "License: Copyright (c) A",
        "        ",
        "        Permission is",
        "Classifier: License :: OSI Approved :: BSD License",
      ],
      [["BSD License"]],
    ],
    [
      "a whole text",
      ["License: Copyright (c) A", "        ", "        Permission is granted", "Summary: S"],
      [["Copyright (c) A Permission is granted"]],
    ],
    ["an expression with an unknown name", ["License-Expression: MIT OR X"], [["MIT OR X"]]],
  ])("have Python's licence of %s", async (_, lines, expected) => {
    const [{ licenses = [] } = {}] = await detailsIn([
      fileOf(
        "usr/lib/python3/site-packages/a-1.dist-info/METADATA",
        ["Name: a", "Version: 1", ...lines, "", "License: no"].join("\n"),
      ),
    ]);

    expect(licenses.map(({ text, expression }) => (expression === undefined ? [text] : [text, expression]))).toEqual(
      expected,
    );
  });

  it.each([
    ["apache_2_0", "Apache-2.0"],
    ["bsd", "BSD-3-Clause"],
    ["artistic_1", "Artistic-1.0"],
    ["perl", "Artistic-1.0-Perl OR GPL-1.0-or-later"],
    ["lgpl_3_0", "LGPL-3.0-only"],
    ["sun", "SISSL"],
    ["open_source", undefined],
    ["unrestricted", undefined],
    ["gpl", undefined],
  ])("have Perl's licence %s as %s", async (license, expression) => {
    const record = json({ name: "a", version: "1", license: [license, "unknown"] });
    const [details] = await detailsIn([fileOf("usr/lib/perl5/.meta/a-1/MYMETA.json", record)]);

    expect(details?.licenses).toEqual([{ text: license, expression }]);
  });

  it.each([
    ["https://licenses.nuget.org/(MIT%20OR%20ISC)", "MIT OR ISC"],
    ["http://opensource.org/licenses/MIT", "MIT"],
    ["https://a.example/license", undefined],
    ["https://aka.ms/deprecateLicenseUrl", "none"],
  ])("have NuGet's old address %s as %s", async (address, expression) => {
    const text = `<package><metadata><id>a</id><version>1</version><licenseUrl>${address}</licenseUrl></metadata></package>`;
    const [details] = await detailsIn([fileOf("root/.nuget/packages/a/1/a.nuspec", text)]);

    expect(details?.licenses?.map((each) => each.expression) ?? ["none"]).toEqual([expression]);
  });

  it.each([
    ["GPL (>= 2)", "GPL-2.0-or-later"],
    ["GPL (>=2)", "GPL-2.0-or-later"],
    ["GPL (>= 2.0) | file LICENCE", `GPL-2.0-or-later OR ${licenseReference("file LICENCE", "a 1.0")}`],
    ["ACM | GPL-3", "LicenseRef-ACM OR GPL-3.0-only"],
    ["GPL-2 |\n    GPL-3", "GPL-2.0-only OR GPL-3.0-only"],
    ["GPL (> 2)", undefined],
    ["GPL (>= 2, < 4)", undefined],
    ["Apache License (>= 2)", "Apache-2.0+"],
    ["Mozilla Public License 2.0", "MPL-2.0"],
    ["CC BY 4.0", "CC-BY-4.0"],
    ["LGPL (>= 2.1) | file LICENSE", `LGPL-2.1-or-later OR ${licenseReference("file LICENSE", "a 1.0")}`],
    ["file LICENSE", licenseReference("file LICENSE", "a 1.0")],
    ["MIT + file LICENSE", "MIT"],
    ["BSD_3_clause + file LICENSE | AGPL-3", "BSD-3-Clause OR AGPL-3.0-only"],
    ["Apache License (== 2.0)", "Apache-2.0"],
    ["Apache License 2.0", "Apache-2.0"],
    ["GPL", undefined],
    ["Unlimited", undefined],
  ])("have R's licence %s as %s", async (license, expression) => {
    const text = `Package: a\nVersion: 1.0\nLicense: ${license}\n`;
    const [details] = await detailsIn([fileOf("usr/lib/R/library/a/DESCRIPTION", text)]);

    expect(details?.licenses?.[0]?.expression).toBe(expression);
  });

  it.each([
    ["of the same archive", true],
    ["of another archive", false],
  ])("are inherited from the model of a parent in a folder %s", async (_, isSame) => {
    const parents = {
      ...pomXml(
        "g",
        "p",
        "<parent><groupId>g</groupId><artifactId>q</artifactId><version>1</version></parent><artifactId>p</artifactId><scm><url>https://a.example/src</url></scm>",
      ),
      ...pomXml(
        "g",
        "q",
        "<groupId>g</groupId><artifactId>q</artifactId><version>1</version><organization><name>O</name></organization><licenses><license><name>MIT</name></license></licenses>",
      ),
    };
    const own = pomXml(
      "g",
      "a",
      "<parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent><artifactId>a</artifactId>",
    );
    const files = isSame ? [{ ...own, ...parents }] : [own, parents];

    const { packages, details = {} } = await indexLayers([
      files.map((each, index) => fileOf(`lib/${["a", "x"][index]}-1.jar`, makeZip(each))),
    ]);

    const [id = ""] = Object.entries(packages).find(([, { name }]) => name === "g:a") ?? [];
    expect(details[id]).toMatchObject({
      licenses: [{ text: "MIT", path: isSame ? "lib/a-1.jar" : "lib/x-1.jar" }],
      supplier: "O",
      sourceAddress: "https://a.example/src",
    });
  });

  it("have no credentials of addresses, which get into documents", async () => {
    const [details] = await detailsIn([
      fileOf(
        "app/node_modules/a/package.json",
        json({
          name: "a",
          version: "1",
          homepage: "https://u:p@a.example/x",
          repository: "https://user:secret@a.example/b.git",
          _resolved: "https://tok:sec@r.example/x.tgz?token=abc",
        }),
      ),
    ]);

    expect(details).toMatchObject({
      homepage: "https://a.example/x",
      sourceAddress: "https://a.example/b.git",
      downloadAddress: "https://r.example/x.tgz",
    });
  });

  it("have the holders of the copyright and the sources of Debian's copyright file", async () => {
    const files = [
      "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nSource: https://a.example/src",
      "Files: *\nCopyright: 2020 A\n  2021 B\nLicense: MIT\n text",
      "Files: debian/*\nCopyright: 2020 A\nLicense: MIT",
      "License: MIT\nCopyright: of no file",
    ];

    const [details] = await detailsIn([dpkg("a"), fileOf("usr/share/doc/a/copyright", files.join("\n\n"))]);

    expect([details?.copyright, details?.sourceAddress]).toEqual(["2020 A, 2021 B", "https://a.example/src"]);
  });

  const base = "usr/share/doc/a-base/copyright";
  it.each<[string, Readonly<Record<string, string>>, string | undefined, string?]>([
    ["to the folder of another package", { "usr/share/doc/a": "a-base" }, "ISC", base],
    ["to the copyright of another package", { "usr/share/doc/a/copyright": "../a-base/copyright" }, "ISC", base],
    ["to a link", { "usr/share/doc/a": "/usr/share/doc/b", "usr/share/doc/b": "a-base" }, "ISC", base],
    ["to themselves", { "usr/share/doc/a": "b", "usr/share/doc/b": "a" }, undefined],
    [
      "to a common licence",
      { "usr/share/doc/a/copyright": "/usr/share/common-licenses/Apache-2.0" },
      "Apache-2.0",
      "usr/share/doc/a/copyright",
    ],
    [
      "to a common licence of which the version is not said",
      { "usr/share/doc/a/copyright": "../../common-licenses/GPL" },
      "LicenseRef-GPL",
      "usr/share/doc/a/copyright",
    ],
    ["to something else", { "usr/share/doc/a": "../licenses/a" }, undefined],
  ])("follow links %s", async (_, links, expression, path) => {
    const entries = Object.entries(links).map(([name, linkName]) => ({ name, type: "2" as const, linkName }));
    const [details] = await detailsIn([dpkg("a"), fileOf(base, copyright("ISC")), ...entries]);

    expect(details?.licenses?.map((each) => [each.expression, each.path])).toEqual(
      expression === undefined ? undefined : [[expression, path]],
    );
  });

  it("are those of the finished image", async () => {
    const path = "usr/share/doc/a/copyright";
    const below = [dpkg("a"), fileOf(path, copyright("ISC"))];
    const gone = { name: "usr/share/doc/a/.wh.copyright", content: "" };
    const licensesOf = async (layer: Parameters<typeof indexLayers>[0][number]) => {
      const { details = {} } = await indexLayers([below, layer]);
      return Object.values(details)[0]?.licenses?.map(({ text }) => text);
    };

    expect(await licensesOf([fileOf(path, copyright("MIT"))])).toEqual(["MIT"]);
    expect(await licensesOf([gone])).toBeUndefined();
  });

  it.each([true, false])("are read as the engine asks: %s", async (details) => {
    const asked: (boolean | undefined)[] = [];
    const detect: FileDetector["detect"] = (_, options) => {
      asked.push(options?.details);
      return [];
    };
    const detector = { name: "asked", revision: 1, wants: ({ path }: FileEntry) => path === "asked", detect };
    const asEcosystem: Ecosystem = {
      name: "asked",
      detectors: [{ ...detector, name: "asked-of-all", detect: (_, options) => detector.detect({} as never, options) }],
      fileDetectors: [detector],
      matchers: [],
      purl: [],
    };

    await indexLayers([[fileOf("asked", "")]], createEngine({ ecosystems: [asEcosystem], details }));

    expect(asked).toEqual([details, details]);
  });

  it.each([
    ["a jar", "app/a-1.0.jar", jarOf("a"), "archive"],
    ["a jar in another", "app/war.war", makeZip({ "WEB-INF/lib/a-1.0.jar": jarOf("a") }), "archive"],
    ["a program", "usr/bin/curl", buildElf([{ name: ".rodata", content: Buffer.from("\0curl/7.88.1\0") }]), "program"],
  ])("have the digests of %s", async (_, path, bytes, kind) => {
    const file = path.endsWith(".war") ? jarOf("a") : bytes;
    const digest = (algorithm: string) => createHash(algorithm).update(file).digest("hex");

    const found = await detailsIn([fileOf(path, bytes, 0o755)]);

    expect(found.map((each) => each.file)).toContainEqual({ kind, sha256: digest("sha256"), sha512: digest("sha512") });
    expect(await detailsIn([fileOf(path, bytes, 0o755)], withoutDetails)).toEqual([]);
  });

  it("have no digests of an archive into which a package was copied", async () => {
    const [path, other] = ["META-INF/maven/org.b/b/pom.properties", "groupId=org.b\nartifactId=b\nversion=2\n"];

    const found = await detailsIn([fileOf("app/a-1.0.jar", makeZip({ ...jarFiles("a"), [path]: other }))]);

    expect(found.filter(({ file }) => file !== undefined)).toHaveLength(1);
  });

  it("are left out by an engine without them, which has another state", async () => {
    const [engine, without] = [true, false].map((details) => createEngine({ ecosystems: allEcosystems, details }));
    const members = [dpkg("a"), fileOf("usr/share/doc/a/copyright", copyright("ISC"))];

    const report = await indexLayers([members], without);

    expect(report.details).toBeUndefined();
    expect(Object.values(report.packages)).toHaveLength(1);
    expect(without?.state).not.toBe(engine?.state);
  });
});
