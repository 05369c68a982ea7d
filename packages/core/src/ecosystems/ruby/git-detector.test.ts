import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages } from "../language/fixtures/index-layers.ts";

const folder = "usr/local/bundle/ruby/3.2.0/bundler/gems/sidekiq-0a1b2c3d4e5f";
const path = `${folder}/sidekiq.gemspec`;
const spec = (...lines: string[]) => `Gem::Specification.new do |s|\n  ${lines.join("\n  ")}\nend\n`;

describe("rubyGitDetector", () => {
  it.each([
    ["plain texts", spec('s.name = "sidekiq"', "s.version = '7.1.0'"), "sidekiq 7.1.0"],
    [
      "frozen texts, with comments and Windows' line ends",
      spec('gem.name    = "sidekiq".freeze # the name\r', 'gem.version = "7.1.0";\r'),
      "sidekiq 7.1.0",
    ],
    [
      "a version of RubyGems' class",
      spec('s.name = "sidekiq"', 's.version = Gem::Version.new("7.2.0.pre")', 's.required_ruby_version = ">= 3"'),
      "sidekiq 7.2.0.pre",
    ],
    ["texts of the call", 'Gem::Specification.new "sidekiq", "7.1.0" do |s|\nend\n', "sidekiq 7.1.0"],
    ["texts with other quotes", spec("s.name = %q{sidekiq}", "s.version = %q(7.1.0)"), "sidekiq 7.1.0"],
    ["one line", 'Gem::Specification.new { |s| s.name = "sidekiq"; s.version = "7.1.0" }\n', "sidekiq 7.1.0"],
    ["another name than the repository's", spec('s.name = "a"', 's.version = "1"'), "a 1"],
  ])("lists a gem by %s", async (_, content, expected) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([`${expected} (rubygems) ${path}`]);
    expect(report.coverage.unassessed).toEqual([]);
  });

  it.each([
    ["a constant", spec('s.name = "a"', "s.version = A::VERSION")],
    ["a file", spec('s.name = "a"', 's.version = File.read("VERSION").strip')],
    ["a text with an interpolation", spec('s.name = "a"', 's.version = "1.#{minor}"')],
    ["a sum", spec('s.name = "a"', 's.version = "1." + minor')],
    ["a condition", spec('s.name = "a"', 's.version = "1.0" if release')],
    ["two assignments", spec('s.name = "a"', 's.version = "1.0"', 's.version = "#{s.version}.dev"')],
    ["a text of the call and an assignment", 'Gem::Specification.new "a", "1" do |s|\ns.version += "2"\nend'],
    ["an appended text", spec('s.name = "a"', 's.version = "1.0"', 's.version += ".dev"')],
    ["no name", spec('s.version = "1.0"')],
    ["an empty file", ""],
  ])("leaves a gem unassessed if its specification has %s", async (_, content) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([]);
    expect(report.coverage.unassessed).toMatchObject([{ kind: "ruby", count: 1, evidence: [{ path }] }]);
  });

  it.each([
    "usr/local/bundle/ruby/3.2.0/gems/sidekiq/sidekiq.gemspec",
    `${folder}/test/fixtures/other.gemspec`,
    "srv/bundler/gems/sidekiq/sidekiq.gemspec",
  ])("ignores %s", async (place) => {
    const report = await indexLayers([[fileOf(place, spec('s.name = "a"', 's.version = "1"'))]]);

    expect([listPackages(report), report.coverage.unassessed]).toEqual([[], []]);
  });

  it("drops a checkout that a later layer removes", async () => {
    const report = await indexLayers([
      [fileOf(path, spec('s.name = "a"', 's.version = "1"'))],
      [fileOf("usr/local/bundle/ruby/3.2.0/bundler/gems/.wh.sidekiq-0a1b2c3d4e5f", "")],
    ]);

    expect(listPackages(report)).toEqual([]);
  });
});
