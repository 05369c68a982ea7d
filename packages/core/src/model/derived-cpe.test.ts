import { describe, expect, it } from "vitest";
import { sampleDistribution, samplePackage } from "../match/fixtures/samples.ts";
import { derivedCpe } from "./derived-cpe.ts";
import { languageKey } from "./package.ts";

const ofLanguage = (repository: string, text: string) => ({
  package: samplePackage(text),
  repositories: [{ id: "1", name: repository, key: languageKey }],
});

describe("derivedCpe", () => {
  it.each([
    ["npm", "debug 4.3.4", "debug:debug:4.3.4:*:*:*:*:node.js:*:*"],
    ["npm", "@babel/core 7.0.0-rc.1", "babel:core:7.0.0-rc.1:*:*:*:*:node.js:*:*"],
    ["pypi", "Zope.Interface 5.0+local", "zope-interface:zope-interface:5.0\\+local:*:*:*:*:python:*:*"],
    ["maven", "org.apache.commons:commons-text 1.9", "apache:commons-text:1.9:*:*:*:*:*:*:*"],
    ["maven", "junit:junit 4.13", "junit:junit:4.13:*:*:*:*:*:*:*"],
    ["maven", "slf4j-api 2.0.9", "slf4j-api:slf4j-api:2.0.9:*:*:*:*:*:*:*"],
    ["go", "github.com/docker/cli v24.0.0+incompatible", "docker:cli:v24.0.0\\+incompatible:*:*:*:*:*:*:*"],
    ["go", "github.com/go-jose/go-jose/v4 v4.0.1", "go-jose:go-jose:v4.0.1:*:*:*:*:*:*:*"],
    ["go", "golang.org/x/net v0.17.0", "golang:net:v0.17.0:*:*:*:*:*:*:*"],
    ["go", "k8s.io/api v0.29.0", "k8s:api:v0.29.0:*:*:*:*:*:*:*"],
    ["go", "cloud.google.com/go/storage v1.36.0", "google:storage:v1.36.0:*:*:*:*:*:*:*"],
    ["go", "gopkg.in v1.0.0", "gopkg:gopkg:v1.0.0:*:*:*:*:*:*:*"],
    ["go", "stdlib 1.21.3", "golang:go:1.21.3:*:*:*:*:*:*:*"],
    ["packagist", "symfony/http-kernel v6.3.1", "symfony:http-kernel:v6.3.1:*:*:*:*:php:*:*"],
    ["nuget", "Newtonsoft.Json 13.0.1", "newtonsoft.json:newtonsoft.json:13.0.1:*:*:*:*:.net:*:*"],
    ["rubygems", "rack 2.2.7", "rack:rack:2.2.7:*:*:*:*:ruby:*:*"],
    ["cran", "rlang 1.0-6", "rlang:rlang:1.0-6:*:*:*:*:*:*:*"],
  ])("of a package of %s, %s, is %s", (repository, text, expected) => {
    expect(derivedCpe(ofLanguage(repository, text))).toBe(`cpe:2.3:a:${expected}`);
  });

  it.each([
    ["debian 12", "libc6 2:2.36~rc1-9+deb12u3", "libc6:libc6:2\\:2.36\\~rc1-9\\+deb12u3:*:*:*:*:*:*:*"],
    [
      "alpine 3.20",
      "libstdc++ 13.2.1_git20240309-r0",
      "libstdc\\+\\+:libstdc\\+\\+:13.2.1_git20240309-r0:*:*:*:*:*:*:*",
    ],
  ])("of a package of %s, %s, is %s", (release, text, expected) => {
    const record = { package: samplePackage(text), distribution: sampleDistribution(release), repositories: [] };

    expect(derivedCpe(record)).toBe(`cpe:2.3:a:${expected}`);
  });

  it("is of no package whose kind is not known, and of none with a name that no CPE name can have", () => {
    expect(derivedCpe({ package: samplePackage("tool 1"), repositories: [] })).toBeUndefined();
    expect(derivedCpe(ofLanguage("pypi", "café 1"))).toBeUndefined();
  });
});
