import { describe, expect, it } from "vitest";
import { findFileEvidence } from "./file-evidence.ts";

describe("findFileEvidence", () => {
  it.each([
    ["opt/app/lib/log4j-core-2.14.1.jar", "java"],
    ["usr/local/tomcat/webapps/ROOT.WAR", "java"],
    ["app/node_modules/lodash/package.json", "npm"],
    ["app/node_modules/@babel/core/package.json", "npm"],
    ["app/package-lock.json", "npm"],
    ["opt/app/resources/app.asar", "npm"],
    ["usr/lib/python3/dist-packages/requests-2.31.0.dist-info/METADATA", "python"],
    ["usr/lib/python3/dist-packages/six.egg-info/PKG-INFO", "python"],
    ["usr/lib/python3/dist-packages/six-1.16.0.egg-info", "python"],
    ["srv/poetry.lock", "python"],
    ["usr/lib/ruby/gems/3.1.0/specifications/rake-13.0.6.gemspec", "ruby"],
    ["usr/lib/ruby/gems/3.1.0/specifications/default/json-2.6.1.gemspec", "ruby"],
    ["srv/Gemfile.lock", "ruby"],
    ["app/service.deps.json", "dotnet"],
    ["var/www/vendor/composer/installed.json", "php"],
    ["src/go.sum", "go"],
    ["src/Cargo.lock", "rust"],
    ["usr/lib/R/library/base/DESCRIPTION", "r"],
    ["var/lib/pacman/local/zlib-1.3-1/desc", "pacman"],
    ["var/db/pkg/sys-libs/zlib-1.3/CONTENTS", "portage"],
    ["nix/var/nix/db/db.sqlite", "nix"],
    ["var/lib/snapd/snaps/core20_1234.snap", "snap"],
    ["opt/bitnami/redis/.spdx-redis.spdx", "bitnami"],
    ["mnt/root/var/lib/rpm/Packages", "rpm"],
    ["opt/rpmdb.sqlite", "rpm"],
    ["mnt/root/lib/apk/db/installed", "apk"],
  ])("takes %s for evidence of %s", (path, kind) => {
    expect(findFileEvidence(path)).toBe(kind);
  });

  it.each([
    "var/lib/rpm/Packages",
    "usr/lib/sysimage/rpm/Packages.db",
    "usr/share/rpm/rpmdb.sqlite",
    "lib/apk/db/installed",
    "usr/lib/apk/db/installed",
    "var/lib/apt/lists/Packages",
    "app/package.json",
    "app/node_modules/lodash/fp/package.json",
    "app/node_modules/lodash/yarn.lock",
    "usr/share/doc/METADATA",
    "src/rake.gemspec",
    "app/settings.json",
    ".jar",
    "usr/bin/jar",
    "etc/installed",
  ])("sees nothing in %s", (path) => {
    expect(findFileEvidence(path)).toBeUndefined();
  });
});
