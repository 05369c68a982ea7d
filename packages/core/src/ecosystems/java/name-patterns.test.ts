import { makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../create-engine.ts";
import { advisorySourceOf } from "../../match/advisory-source-of.ts";
import { explainReport } from "../../match/explain-report.ts";
import { sampleAdvisory } from "../../match/fixtures/samples.ts";
import { matchReport } from "../../match/match-report.ts";
import { allEcosystems } from "../all.ts";
import { fileOf, indexLayers } from "../language/fixtures/index-layers.ts";
import { manifest, pom } from "./fixtures/make-jar.ts";

const engine = createEngine({ ecosystems: allEcosystems });
const advisories = [
  "com.acme:shop",
  "net.db:h2",
  "com.google.guava:guava",
  "log4j:log4j",
  "commons-a:commons-a",
  "org.spring:spring-webmvc",
].map((name) => sampleAdvisory("Maven", name, { ranges: [{ fixed: "2.0" }] }));

const boot = {
  ...manifest({ "Start-Class": "org.x.Main", "Spring-Boot-Version": "3.2.0", "Implementation-Title": "demo" }),
  "org/springframework/boot/loader/launch/JarLauncher.class": "",
  "BOOT-INF/classes/org/x/Main.class": "",
  "BOOT-INF/classes/db/migration/V1.class": "",
};
const untitled = manifest({ "Start-Class": "org.x.Main", "Spring-Boot-Version": "3.2.0" });
const classes = { "org/x/A.class": "" };
const acme = { "com/acme/A.class": "" };

describe("namePatternsOf", () => {
  it.each<[string, string, Record<string, string | Uint8Array>, readonly string[]]>([
    ["a build of Spring Boot", "demo-1.0.jar", boot, []],
    ["a build of Spring Boot that was renamed, by its title", "app.jar", boot, []],
    ["a build of Spring Boot without a title", "app.jar", { ...boot, ...untitled }, []],
    ["a build of Gradle", "demo-1.0-plain.jar", { ...manifest({}), ...classes }, []],
    ["an artifact that no advisory names, with other classes", "demo-1.0.jar", { "org/apache/B.class": "" }, []],
    ["an artifact with the classes of one that an advisory names", "demo-1.0.jar", acme, ["group"]],
    ["such an artifact in a version that is not affected", "demo-2.0.jar", acme, []],
    [
      "an artifact with the classes of one that is named like them",
      "logging-1.2.jar",
      { "org/apache/log4j/A.class": "", "org/apache/log4j/spi/B.class": "" },
      ["group"],
    ],
    [
      "such an artifact with a title",
      "logging-1.2.jar",
      { "org/apache/log4j/A.class": "", ...manifest({ "Implementation-Title": "logging" }) },
      ["group"],
    ],
    ["an artifact that is named after several words", "a-1.2.jar", { "org/apache/commons/a/A.class": "" }, ["group"]],
    [
      "an artifact with the classes of another one of a group that an advisory names",
      "gadget-1.0.jar",
      { "com/acme/gadget/A.class": "" },
      [],
    ],
    ["such an artifact whose name is not that of the classes", "other-1.0.jar", { "com/acme/gadget/A.class": "" }, []],
    [
      "an artifact in whose folder of classes a word of the artifact begins",
      "my-1.0.jar",
      { "org/spring/web/servlet/A.class": "" },
      ["group"],
    ],
    ["an artifact of another group that is named like its classes", "db-1.4.jar", { "org/h2/A.class": "" }, ["group"]],
    ["an application with such classes", "tool.war", { "WEB-INF/classes/org/apache/log4j/A.class": "" }, ["group"]],
    [
      "an artifact with classes for newer releases of Java, and a description of its module",
      "demo-1.0.jar",
      { ...classes, "META-INF/versions/9/module-info.class": "", "META-INF/versions/11/org/x/A.class": "" },
      [],
    ],
    ["resources without classes", "log4j-config-1.2.jar", { "log4j.xml": "" }, []],
    ["an artifact of another group, in a version that is not affected", "shop-2.0.jar", classes, []],
    [
      "a renamed program with classes of no group that an advisory names",
      "app.jar",
      { ...classes, ...manifest({ "Main-Class": "org.x.A" }) },
      [],
    ],
    ["an application without classes of its own", "app.ear", { "a.war": makeZip(pom("g", "a", "1")) }, []],
    ["an application that was renamed", "ROOT.war", { "WEB-INF/classes/org/x/A.class": "" }, []],
    ["an artifact that is affected in some group", "shop-1.0.jar", classes, ["group"]],
    [
      "an artifact that some group has, without a version",
      "shop.war",
      { "WEB-INF/classes/org/x/A.class": "" },
      ["group"],
    ],
    [
      "an application that may be any artifact of a group",
      "ROOT.war",
      { "WEB-INF/classes/com/acme/A.class": "" },
      ["group"],
    ],
    [
      "a renamed program that may be any artifact of its classes",
      "db.jar",
      { "org/h2/A.class": "", ...manifest({ "Main-Class": "org.h2.A" }) },
      ["group"],
    ],
    ["an application of Gradle without a main class", "opt/app/lib/app.jar", { ...manifest({}), ...classes }, []],
    ["an application of an organization that an advisory names", "lib/app.jar", acme, ["group"]],
    ["a renamed library", "x.jar", classes, ["group"]],
    ["an archive with classes of several artifacts", "demo-1.0.jar", { ...classes, ...acme }, ["group"]],
    [
      "an archive with moved copies of classes",
      "demo-1.0.jar",
      { ...classes, "org/x/shaded/com/google/A.class": "" },
      ["group"],
    ],
    ["a name that may have the group in it", "org.x.y.demo-1.0.jar", classes, ["group"]],
  ])("decides about %s", async (_, path, content, expected) => {
    const report = await indexLayers([[fileOf(path, makeZip(content))]]);
    const matched = await matchReport(engine, report, { advisories: advisorySourceOf(advisories) });

    expect(matched.coverage.undecided?.map(({ fact }) => fact) ?? []).toEqual(expected);
  });

  it("leaves a renamed archive undecided, of which an explanation says what it may be", async () => {
    const report = await indexLayers([[fileOf("lib.jar", makeZip({ "com/acme/shop/A.class": "" }))]]);
    const [one] = advisories;
    const question = { vulnerability: one?.name ?? "" };
    const explanation = await explainReport(engine, { report, advisories: advisorySourceOf(advisories) }, question);

    const { answer, undecided } = explanation;
    expect([answer, ...undecided]).toEqual([
      "undecided",
      "1 package whose group, vendor or host is not known: lib (may be com.acme:shop)",
    ]);
  });

  it("decides nothing by a source that cannot list the names in its advisories", async () => {
    const report = await indexLayers([[fileOf("demo-1.0.jar", makeZip(classes))]]);
    const source = { ...advisorySourceOf(advisories), names: async () => undefined };
    const matched = await matchReport(engine, report, { advisories: source });

    expect(matched.coverage.undecided).toMatchObject([{ fact: "group" }]);
  });
});
