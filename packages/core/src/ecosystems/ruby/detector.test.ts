import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const folder = "usr/local/bundle/specifications";
const spec = (...lines: string[]) => `Gem::Specification.new do |s|\n  ${lines.join("\n  ")}\nend\n`;
const rack = spec('s.name = "rack".freeze', 's.version = "2.2.7"');

describe("rubyDetector", () => {
  it.each([
    ["a gem", `${folder}/rack-2.2.7.gemspec`, rack, "rack 2.2.7"],
    ["a default gem", "usr/lib/ruby/gems/3.1.0/specifications/default/rack-2.2.7.gemspec", rack, "rack 2.2.7"],
    ["a gem of Debian", "usr/share/rubygems-integration/all/specifications/rack-2.2.7.gemspec", rack, "rack 2.2.7"],
    [
      "a version of RubyGems' class",
      `${folder}/a-1.0.gemspec`,
      spec("s.name = 'a'", "s.version = Gem::Version.new('1.0')"),
      "a 1.0",
    ],
    [
      "another variable, blanks and Windows' line ends",
      `${folder}/b-2.gemspec`,
      'Gem::Specification.new{|spec|\r\n\tspec.name    = "b"\r\n\tspec.version = "2.0.pre1".freeze\r\n}',
      "b 2.0.pre1",
    ],
    [
      "a platform after the version",
      `${folder}/nokogiri-1.15.0-x86_64-linux.gemspec`,
      spec('s.name = "nokogiri"', 's.version = "1.15.0-x86_64-linux"'),
      "nokogiri 1.15.0",
    ],
    [
      "a version that is a constant, with a stub",
      `${folder}/c.gemspec`,
      `# -*- encoding: utf-8 -*-\n# stub: c 3.1.4 ruby lib\n\n${spec('s.name = "c"', "s.version = C::VERSION")}`,
      "c 3.1.4",
    ],
    [
      "a version that is a constant, by the name of the file",
      `${folder}/net-http-0.3.2.gemspec`,
      spec('s.name = "net-http"', "s.version = Net::HTTP::VERSION"),
      "net-http 0.3.2",
    ],
    [
      "a platform in the name of the file",
      `${folder}/d-1.2-java.gemspec`,
      spec('s.name = "d"', 's.version = "#{major}.2"'),
      "d 1.2",
    ],
    [
      "the first assignment",
      `${folder}/e-1.gemspec`,
      spec('s.name = "e"', 's.required_ruby_version = "9"', 's.version = "1"', 's.version = "2"'),
      "e 1",
    ],
  ])("finds %s", async (_, path, content, expected) => {
    expect(listPackages(await indexLayers([[fileOf(path, content)]]))).toEqual([`${expected} (rubygems) ${path}`]);
  });

  it.each([
    ["a specification in the sources of a gem", "usr/local/bundle/gems/rack-2.2.7/rack.gemspec", "partial"],
    ["another file", `${folder}/rack-2.2.7.gemspec.rej`, "complete"],
  ])("ignores %s", async (_, path, status) => {
    const report = await indexLayers([[fileOf(path, rack)]]);

    expect([listPackages(report), report.coverage]).toMatchObject([[], { status }]);
  });

  it.each([
    ["without a name", `${folder}/x.gemspec`, spec("s.version = X"), "expected the name and version of a gem"],
    ["whose name is too late", `${folder}/x.gemspec`, `#${"x".repeat(70_000)}\n${rack}`, "expected the name and"],
    [
      "whose name is too long",
      `${folder}/x-1.gemspec`,
      spec(`s.name = "${"x".repeat(2_000)}"`),
      "expected a short word",
    ],
  ])("makes a problem of a specification %s", async (_, path, content, message) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([]);
    expect(listProblems(report)).toEqual([expect.stringContaining(`malformed_package_db ${path}: ${message}`)]);
  });

  it("does not count a lock file if gems are installed", async () => {
    const { coverage } = await indexLayers([
      [fileOf(`${folder}/rack-2.2.7.gemspec`, rack), fileOf("app/Gemfile.lock", "GEM\n  specs:\n    rack (2.2.7)\n")],
    ]);

    expect(coverage.unassessed).toEqual([]);
  });
});
