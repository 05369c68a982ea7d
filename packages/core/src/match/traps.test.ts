import { describe, expect, it } from "vitest";
import { fileOf } from "../ecosystems/language/fixtures/index-layers.ts";
import { debianTrackerUpdater } from "../feeds/debian-tracker/updater.ts";
import { ghsaUpdater } from "../feeds/osv/databases.ts";
import { alpineSecdbUpdater } from "../feeds/secdb/updaters.ts";
import { feedReaderOf } from "../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../feeds/shared/fixtures/items-of.ts";
import { ubuntuUpdater } from "../feeds/ubuntu/updater.ts";
import type { Advisory } from "../model/advisory.ts";
import { contentSetKey, distributionPackageKey, linkedPartsKey, thirdPartyKey } from "../model/package.ts";
import type { Updater } from "../plugins/updater.ts";
import { kernelStatement } from "../vex/kernel-packages.ts";
import { sampleAdvisory, samplePackage, sampleRecord } from "./fixtures/samples.ts";
import { languageRecord, recordsOf, verdictsOn } from "./fixtures/verdicts.ts";

const fixedIn = (fixed: string, more: Partial<Advisory> = {}) => ({ ranges: [{ fixed }], ...more });

async function advisoriesOf(updater: Updater, document: object): Promise<readonly Advisory[]> {
  const items = await itemsOf(updater, feedReaderOf({ "GHSA-1.json": JSON.stringify(document) }, { layout: "folder" }));
  return items.flatMap((item) => (item.kind === "item" ? [item.item] : []));
}

/** An OSV record about `ecosystem`'s package `a`. */
const osv = (ecosystem: string, more: object = {}, range: object = { type: "ECOSYSTEM" }) => {
  const ranges = [{ events: [{ introduced: "0" }, { fixed: "2.0" }], ...range }];
  return { id: "GHSA-1", affected: [{ package: { ecosystem, name: "a" }, ranges }], ...more };
};

const debian = fileOf("etc/os-release", 'ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\n');
const status = (version: string) =>
  fileOf(
    "var/lib/dpkg/status",
    `Package: zlib1g\nStatus: install ok installed\nVersion: ${version}\nArchitecture: amd64\nSource: zlib\n\n`,
  );
const owned = (found: string) => ({
  ...sampleRecord("debian 12", samplePackage(found)),
  repositories: [
    ...languageRecord("pypi", found).repositories,
    { id: "2", name: "python3-x", key: distributionPackageKey },
  ],
});
const crypto = "golang.org/x/crypto";
const goProgram = (...parts: string[]) => {
  const record = languageRecord("go", `${crypto} v0.1.0`);
  const linked = { id: "2", name: parts.join(" "), key: linkedPartsKey };
  return parts.length === 0 ? record : { ...record, repositories: [...record.repositories, linked] };
};
const openpgp = sampleAdvisory("Go", crypto, {
  id: "govulndb/GO-1",
  imports: [{ path: `${crypto}/openpgp`, symbols: ["ReadMessage"] }],
});
const ofModule = sampleAdvisory("Go", crypto, { id: "ghsa/GHSA-1" });
const ubuntuVex = (vexStatus: string) => ({
  "@context": "https://openvex.dev/ns/v0.2.0",
  statements: [
    {
      vulnerability: { name: "CVE-2024-0001" },
      products: [{ "@id": "pkg:deb/ubuntu/zlib@1?arch=source&distro=jammy" }],
      status: vexStatus,
    },
  ],
});
const secdb = {
  distroversion: "v3.20",
  reponame: "main",
  packages: [{ pkg: { name: "zlib", secfixes: { 0: ["CVE-2024-0001"] } } }],
};
const tracker = (release: object) => ({ zlib: { "CVE-2024-0001": { releases: { bookworm: release } } } });
const eus = {
  id: "1",
  name: "rhel-8-for-x86_64-baseos-eus-rpms__8_DOT_4",
  key: contentSetKey,
};

/** A way to match wrongly, with a package and an advisory that fall into it, and what is said of them instead. */
interface Trap {
  readonly number: number;
  readonly about: string;
  shows(): unknown;
  readonly expected: unknown;
}

const traps: readonly Trap[] = [
  {
    number: 1,
    about: "a source rpm tells no epoch: its binary's counts where the versions are equal",
    shows: () => {
      const perl = samplePackage("perl 4:5.26.3-419.el8_4.1", { from: "perl 5.26.3-419.el8_4.1" });
      const advisory = sampleAdvisory("rhel:8", "perl", fixedIn("4:5.26.3-419.el8", { packageKind: "SOURCE" }));
      return verdictsOn(sampleRecord("rhel 8.4", perl), advisory);
    },
    expected: ["fixed"],
  },
  {
    number: 2,
    about: "the version of a binary is not that of its source",
    shows: () => {
      const escapes = samplePackage("perl-Pod-Escapes 1:1.04-396.el8", { from: "perl 5.26.3-419.el8" });
      const advisory = sampleAdvisory("rhel:8", "perl", fixedIn("4:5.26.3-417.el8", { packageKind: "SOURCE" }));
      return verdictsOn(sampleRecord("rhel 8.4", escapes), advisory);
    },
    expected: ["fixed"],
  },
  {
    number: 3,
    about: "Oracle's ksplice builds have advisories of their own",
    shows: () => {
      const advisory = sampleAdvisory("ol:9", "glibc", fixedIn("2:2.34-100.0.1.ksplice1.el9"));
      return verdictsOn(sampleRecord("ol 9.4", "glibc 2.34-100.0.1.el9"), advisory);
    },
    expected: ["other-flavour"],
  },
  {
    number: 4,
    about: "a fix in one stream of a module is none for another, nor for packages of no module",
    shows: () => {
      const advisory = sampleAdvisory(
        "rhel:8",
        "postgresql",
        fixedIn("12.7-1.module+el8", { module: "postgresql:12" }),
      );
      const of96 = samplePackage("postgresql 9.6.22-1.module+el8", { module: "postgresql:9.6" });
      const plain = "postgresql 9.6.22-1.el8";
      return [of96, plain].flatMap((found) => verdictsOn(sampleRecord("rhel 8.4", found), advisory));
    },
    expected: ["other-module", "other-module"],
  },
  {
    number: 5,
    about: "a module's build whose label is missing cannot be judged",
    shows: () => {
      const advisory = sampleAdvisory(
        "almalinux:8",
        "nodejs",
        fixedIn("1:12-1.module_el8.4.0", { module: "nodejs:12" }),
      );
      return verdictsOn(sampleRecord("almalinux 8.4", "nodejs 1:10-1.module_el8.3.0"), advisory);
    },
    expected: ["module-unknown"],
  },
  {
    number: 6,
    about: "a fix of the main stream is none for a build of longer support",
    shows: () => {
      const cpes = ["cpe:/o:redhat:enterprise_linux:8::baseos"];
      const advisory = sampleAdvisory("rhel:8", "openssl", fixedIn("1:1.1.1k-5.el8_5", { cpes }));
      return verdictsOn(sampleRecord("rhel 8.4", "openssl 1:1.1.1g-15.el8_3", [eus]), advisory);
    },
    expected: ["other-product"],
  },
  {
    number: 7,
    about: "a language's package that the distribution installed is left to the distribution",
    shows: () => verdictsOn(owned("urllib3 1.26.5"), sampleAdvisory("PyPI", "urllib3", fixedIn("1.26.18"))),
    expected: ["distribution-package"],
  },
  {
    number: 8,
    about: "a main module without a release is not compared with releases",
    shows: () =>
      verdictsOn(languageRecord("go", "a.example/app "), sampleAdvisory("Go", "a.example/app", fixedIn("1.2.0"))),
    expected: ["version-unknown"],
  },
  {
    number: 9,
    about: "a fix in version 0 says that no version is affected, whatever others say",
    shows: async () => {
      const zlib = samplePackage("zlib 1.3-r0", { from: "zlib 1.3-r0" });
      const other = sampleAdvisory("alpine:3.20", "zlib", { ...fixedIn("1.4-r0"), id: "osv/CVE-2024-0001" });
      return verdictsOn(sampleRecord("alpine 3.20", zlib), [...(await advisoriesOf(alpineSecdbUpdater, secdb)), other]);
    },
    expected: ["vendor-statement", "vendor-statement"],
  },
  {
    number: 10,
    about: "packages come from the branch that apk installs from, not from that of os-release",
    shows: async () => {
      const records = await recordsOf([
        fileOf("etc/os-release", "ID=alpine\nVERSION_ID=3.19.1\n"),
        fileOf("etc/apk/repositories", "https://dl-cdn.alpinelinux.org/alpine/edge/main\n"),
        fileOf("lib/apk/db/installed", "P:zlib\nV:1.3-r0\nA:x86_64\no:zlib\n\n"),
      ]);
      return ["alpine:edge", "alpine:3.19"].map((branch) =>
        verdictsOn(records, sampleAdvisory(branch, "zlib", fixedIn("1.4-r0", { packageKind: "SOURCE" }))),
      );
    },
    expected: [["affected 1.4-r0"], []],
  },
  {
    number: 11,
    about: "no CPE name is guessed for packages that a feed of their vendor speaks of; other names are other products",
    shows: () => {
      const cpes = ["cpe:2.3:a:haxx:curl:*:*:*:*:*:*:*:*"];
      const advisory = sampleAdvisory("cpe", "haxx:curl", fixedIn("8.6.0", { cpes }));
      const curl = (name: string) => samplePackage("curl 8.0.0", { cpe: `cpe:2.3:a:${name}:8.0.0:*:*:*:*:*:*:*` });
      const program = (name: string) => ({ ...languageRecord("generic", "curl 8.0.0"), package: curl(name) });
      return [
        verdictsOn(sampleRecord("debian 12", curl("haxx:curl")), advisory),
        verdictsOn({ ...languageRecord("npm", "curl 8.0.0"), package: curl("haxx:curl") }, advisory),
        verdictsOn(languageRecord("generic", "curl 8.0.0"), advisory),
        verdictsOn(program("curl:curl"), advisory),
        verdictsOn(program("haxx:curl8"), advisory),
        verdictsOn(program("haxx:curl"), advisory),
      ];
    },
    expected: [[], [], [], [], [], ["affected 8.6.0"]],
  },
  {
    number: 12,
    about: "the platform of a gem makes no prerelease of it",
    shows: async () => {
      const spec =
        'Gem::Specification.new do |s|\n s.name = "nokogiri"\n s.version = "1.19.3"\n s.platform = "aarch64-linux"\nend\n';
      const records = await recordsOf([
        fileOf("usr/lib/ruby/gems/3.3.0/specifications/nokogiri-1.19.3-aarch64-linux.gemspec", spec),
      ]);
      return verdictsOn(records, sampleAdvisory("RubyGems", "nokogiri", fixedIn("1.19.3")));
    },
    expected: ["fixed"],
  },
  {
    number: 13,
    about: "prereleases of npm are below their release",
    shows: () =>
      ["2.0.0-rc.1", "2.0.0"].flatMap((version) =>
        verdictsOn(languageRecord("npm", `a ${version}`), sampleAdvisory("npm", "a", fixedIn("2.0.0"))),
      ),
    expected: ["affected 2.0.0", "fixed"],
  },
  {
    number: 14,
    about: "a jar is not matched by its artifact alone, nor by another group",
    shows: () => {
      const advisory = sampleAdvisory("Maven", "org.springframework:spring-web");
      return ["spring-web", "org.myorg.spring:spring-web", "org.springframework:spring-web"].map((name) =>
        verdictsOn(languageRecord("maven", `${name} 5.3.20`), advisory),
      );
    },
    expected: [[], [], ["affected"]],
  },
  {
    number: 15,
    about: "withdrawn records say nothing",
    shows: () => advisoriesOf(ghsaUpdater, osv("PyPI", { withdrawn: "2024-01-01T00:00:00Z" })),
    expected: [],
  },
  {
    number: 16,
    about: "each package of a record counts in its own ecosystem and ranges; ranges of commits are left out",
    shows: async () => {
      const git = { type: "GIT", repo: "https://a.example/a", events: [{ introduced: "0" }] };
      const [affected] = osv("PyPI").affected;
      const record = { id: "GHSA-1", affected: [{ ...affected, ranges: [git, ...(affected?.ranges ?? [])] }] };
      const advisories = await advisoriesOf(ghsaUpdater, record);
      return [
        ["pypi", "a 1.0"],
        ["pypi", "a 2.0"],
        ["npm", "a 1.0.0"],
      ].map(([language = "", text = ""]) => verdictsOn(languageRecord(language, text), advisories));
    },
    expected: [["affected 2.0"], ["fixed"], []],
  },
  {
    number: 17,
    about: "a package of the same name that another made is not the distribution's",
    shows: () => {
      const php = sampleRecord("debian 12", "php8.2 8.2.1-1+remi", [{ id: "1", name: "sury", key: thirdPartyKey }]);
      return verdictsOn(php, sampleAdvisory("debian:12", "php8.2", fixedIn("8.2.7-1")));
    },
    expected: ["third-party-package"],
  },
  {
    number: 18,
    about: "only what is left in the finished image counts",
    shows: async () => {
      const flask = (version: string) =>
        fileOf("app/flask.dist-info/METADATA", `Metadata-Version: 2.1\nName: flask\nVersion: ${version}\n`);
      const upgraded = await recordsOf([debian, status("1:1.2-1"), flask("1.0")], [status("1:1.3-1"), flask("3.0")]);
      const removed = await recordsOf([debian, flask("1.0")], [fileOf("app/.wh.flask.dist-info", "")]);
      return [upgraded, removed].map((records) => records.map(({ package: { version } }) => version).sort());
    },
    expected: [["1:1.3-1", "3.0"], []],
  },
  {
    number: 19,
    about: "an architecture may have a fix of its own",
    shows: () => {
      const rsyslog = samplePackage("rsyslog 8.1-1", { arch: "x86_64" });
      const ofArch = (value: string, fixed: string) =>
        sampleAdvisory("rocky:8", "rsyslog", { ...fixedIn(fixed), id: value, arch: { operation: "equals", value } });
      return verdictsOn(sampleRecord("rocky 8", rsyslog), [ofArch("aarch64", "8.2-1"), ofArch("x86_64", "8.1-1")]);
    },
    expected: ["other-arch", "fixed"],
  },
  {
    number: 20,
    about: "packages of the kernel are marked: a container does not run them, and headers hold no code",
    shows: () =>
      [
        "pkg:deb/debian/linux-libc-dev@6.1",
        "pkg:deb/ubuntu/linux-aws-headers-5.15.0@5.15",
        "pkg:deb/debian/linux-image-6.1.0-18-amd64@6.1",
        "pkg:rpm/redhat/kernel-headers@5.14",
        "pkg:rpm/redhat/kernel-core@5.14",
        "pkg:apk/alpine/linux-headers@6.6",
        "pkg:deb/debian/linux-perf@6.1",
        "pkg:rpm/redhat/kernel-tools@5.14",
        "pkg:apk/alpine/linux-pam@1.5",
        "pkg:npm/linux-headers@1.0",
      ].map((purl) => kernelStatement(purl)?.justification),
    expected: [
      ...["vulnerable_code_not_present", "vulnerable_code_not_present", "vulnerable_code_not_in_execute_path"],
      ...["vulnerable_code_not_present", "vulnerable_code_not_in_execute_path", "vulnerable_code_not_present"],
      ...[undefined, undefined, undefined, undefined],
    ],
  },
  {
    number: 21,
    about: "advisories of one branch say nothing of another",
    shows: () => {
      const openssl = samplePackage("openssl 1.1.1l-r0", { from: "openssl 1.1.1l-r0" });
      const advisory = sampleAdvisory("alpine:3.17", "openssl", fixedIn("3.0.7-r0", { packageKind: "SOURCE" }));
      return verdictsOn(sampleRecord("alpine 3.11", openssl), advisory);
    },
    expected: [],
  },
  {
    number: 22,
    about: "a fix that is named later counts, whatever was said before of none to come",
    shows: async () => {
      const zlib = samplePackage("zlib1g 1:1.2-1", { from: "zlib 1:1.2-1" });
      const open = { status: "open", urgency: "low", nodsa: "Minor issue", nodsa_reason: "" };
      const resolved = { status: "resolved", urgency: "low", fixed_version: "1:1.3-1" };
      const [none, later] = [
        await advisoriesOf(debianTrackerUpdater, tracker(open)),
        await advisoriesOf(debianTrackerUpdater, tracker(resolved)),
      ];
      const withFix = later.map((advisory) => ({ ...advisory, id: "osv/DSA-1" }));
      return [none, [...none, ...withFix]].map((advisories) => verdictsOn(sampleRecord("debian 12", zlib), advisories));
    },
    expected: [["affected"], ["affected 1:1.3-1"]],
  },
  {
    number: 23,
    about: "advisories on wheels that bundle a library say nothing of the distribution's build",
    shows: () => {
      const advisory = sampleAdvisory("PyPI", "cryptography", { ...fixedIn("42.0.2"), id: "ghsa/GHSA-1" });
      return [owned("cryptography 38.0.4"), languageRecord("pypi", "cryptography 38.0.4")].map((record) =>
        verdictsOn(record, advisory),
      );
    },
    expected: [["distribution-package"], ["affected 42.0.2"]],
  },
  {
    number: 24,
    about: "an advisory on one package of a Go module is about programs that have it; unknown is the whole module",
    shows: () => [
      verdictsOn(goProgram("ssh"), [openpgp, ofModule]),
      verdictsOn(goProgram("openpgp", "ssh"), openpgp),
      verdictsOn(goProgram(), openpgp),
      verdictsOn(goProgram("ssh"), ofModule),
    ],
    expected: [["part-not-linked", "part-not-linked"], ["affected"], ["affected"], ["affected"]],
  },
  {
    number: 25,
    about:
      "each feed's own words: what waits for triage is undecided, and a fix in version 0 is Debian's for not affected",
    shows: async () => {
      const ofUbuntu = sampleRecord("ubuntu 22.04", samplePackage("zlib1g 1-1", { from: "zlib 1-1" }));
      const ofDebian = sampleRecord("debian 12", samplePackage("zlib1g 1-1", { from: "zlib 1-1" }));
      const words = ["under_investigation", "not_affected"].map((word) => advisoriesOf(ubuntuUpdater, ubuntuVex(word)));
      const zero = await advisoriesOf(debianTrackerUpdater, tracker({ status: "resolved", fixed_version: "0" }));
      const undetermined = await advisoriesOf(debianTrackerUpdater, tracker({ status: "undetermined" }));
      return [
        ...(await Promise.all(words)).map((advisories) => verdictsOn(ofUbuntu, advisories)),
        ...[zero, undetermined].map((advisories) => verdictsOn(ofDebian, advisories)),
      ];
    },
    expected: [["vendor-undetermined"], ["vendor-statement"], ["vendor-statement"], ["vendor-undetermined"]],
  },
];

/** The traps of `facts/matching.md` §7. */
const trapCount = 25;

describe("traps of matching", () => {
  it("has a row for each", () => {
    expect(traps.map(({ number }) => number)).toEqual(Array.from({ length: trapCount }, (_, index) => index + 1));
  });

  it.each(traps.map((trap) => [trap.number, trap.about, trap] as const))(
    "%i: %s",
    async (_, __, { shows, expected }) => {
      expect(await shows()).toEqual(expected);
    },
  );
});
