import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const spec = (...lines: string[]) => `Gem::Specification.new do |s|\n  ${lines.join("\n  ")}\nend\n`;
const rack = "usr/local/bundle/ruby/3.2.0/specifications/rack-3.0.0.gemspec";
const installed = fileOf(rack, spec('s.name = "rack"', 's.version = "3.0.0"'));
const needing = (...names: string[]) => names.map((name) => `s.add_dependency "${name}", "~> 1"`);
const named = ['s.name = "shop"', 's.version = "1.2.3"'];

describe("rubyApplicationDetector", () => {
  it.each([
    ["whose gems are installed", spec(...named, ...needing("rack")), "shop 1.2.3"],
    ["half of whose gems are installed", spec(...named, ...needing("rack", "sidekiq")), "shop 1.2.3"],
    [
      "with a gem for its tests",
      spec(...named, ...needing("rack"), 's.add_development_dependency("rspec")'),
      "shop 1.2.3",
    ],
    ["with an older word and brackets", spec(...named, "s.add_runtime_dependency('rack', '>= 2')"), "shop 1.2.3"],
    ["whose version is a constant", spec('s.name = "shop"', "s.version = Shop::VERSION", ...needing("rack")), "shop "],
    ["whose gems are other ones", spec(...named, ...needing("a", "b", "rack")), undefined],
    ["that needs no gems", spec(...named), undefined],
    ["whose name is computed", spec("s.name = NAME", 's.version = "1.2.3"', ...needing("rack")), "shop 1.2.3"],
    ["whose gems are in a list", spec(...named, "%w[rack sidekiq].each { |d| s.add_dependency d }"), "shop 1.2.3"],
    ["whose gems have other quotes", spec(...named, "s.add_runtime_dependency(%q<rack>.freeze, [])"), "shop 1.2.3"],
    [
      "whose releases get another version",
      spec('s.name = "shop"', 's.version = "0.0.0"', ...needing("rack")),
      undefined,
    ],
  ])("finds an application %s", async (_, content, expected) => {
    const report = await indexLayers([[installed], [fileOf("srv/shop.gemspec", content)]]);

    const found = expected === undefined ? [] : [`${expected} (rubygems) srv/shop.gemspec`];
    expect(listPackages(report)).toEqual([`rack 3.0.0 (rubygems) ${rack}`, ...found]);
    expect(listProblems(report)).toEqual([]);
  });

  it("finds an application with gems in its folder, until a later layer deletes them", async () => {
    const bundled = fileOf(
      "srv/vendor/bundle/ruby/3.2.0/specifications/rack-3.0.0.gemspec",
      spec('s.name = "rack"', 's.version = "3.0.0"'),
    );
    const layers = [[fileOf("srv/shop.gemspec", spec(...named))], [bundled]];

    expect(listPackages(await indexLayers(layers))).toContain("shop 1.2.3 (rubygems) srv/shop.gemspec");
    expect(listPackages(await indexLayers([...layers, [fileOf("srv/vendor/.wh.bundle", "")]]))).toEqual([]);
  });

  it("finds an application in a folder of tests only with gems of its own", async () => {
    const bundled = fileOf(`srv/test/app/vendor/bundle/ruby/3.2.0/specifications/rack-3.0.0.gemspec`, spec());
    const layer = [bundled, fileOf("srv/test/app/shop.gemspec", spec(...named))];

    expect(listPackages(await indexLayers([layer]))).toContain("shop 1.2.3 (rubygems) srv/test/app/shop.gemspec");
  });

  it.each([
    "usr/local/bundle/ruby/3.2.0/gems/shop-1.2.3/shop.gemspec",
    "srv/spec/fixtures/shop.gemspec",
    "srv/test/app/shop.gemspec",
    "srv/node_modules/shop/ios/shop.gemspec",
  ])("ignores %s", async (path) => {
    const report = await indexLayers([[installed, fileOf(path, spec(...named, ...needing("rack")))]]);

    expect(listPackages(report)).toEqual([`rack 3.0.0 (rubygems) ${rack}`]);
  });
});
