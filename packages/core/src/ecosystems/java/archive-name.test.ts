import { describe, expect, it } from "vitest";
import { archiveNames, isArchiveName, parseArchiveName, splitJoinedName } from "./archive-name.ts";
import { javaEvidence } from "./evidence.ts";

describe("archiveNames", () => {
  it("has the names of evidence of Java packages, and of no other files", () => {
    const ofJava = javaEvidence.flatMap((rule) =>
      "extensions" in rule && rule.where === undefined && rule.unless === undefined ? (rule.extensions ?? []) : [],
    );
    expect(archiveNames.endings).toEqual(expect.arrayContaining(ofJava.map((extension) => `.${extension}`)));
    expect(archiveNames.endings.filter((ending) => !isArchiveName(`a${ending}`))).toEqual([]);
  });
});

describe("isArchiveName", () => {
  it.each([
    "a.jar",
    "opt/B.WAR",
    "a.ear",
    "a.jpi",
    "a.hpi",
    "a.par",
    "a.sar",
    "a.kar",
    "a.nar",
    "a.lpkg",
    "a.mar",
    "a.aar",
    "a.esa",
    "a.wab",
  ])("accepts %s", (path) => {
    expect(isArchiveName(path)).toBe(true);
  });

  it.each(["a.jar.bak", "jar", "a.zip", "a.jar/", "a.jarx"])("ignores %s", (path) => {
    expect(isArchiveName(path)).toBe(false);
  });
});

describe("parseArchiveName", () => {
  it.each([
    ["lib/jackson-databind-2.13.3.jar", "jackson-databind", "2.13.3"],
    ["log4j-1.2-api-2.14.1.jar", "log4j-1.2-api", "2.14.1"],
    ["Saxon-HE-9.9.1-6.jar", "Saxon-HE", "9.9.1-6"],
    ["a-1.0-beta-2.jar", "a", "1.0-beta-2"],
    ["guava-31.1-jre.jar", "guava", "31.1-jre"],
    ["a-1.0-SNAPSHOT.war", "a", "1.0-SNAPSHOT"],
    ["a-1.0.0-rc.1.jar", "a", "1.0.0-rc.1"],
    ["netty-handler-4.1.77.Final.jar", "netty-handler", "4.1.77.Final"],
    ["netty-tcnative-2.0.52.Final-linux-x86_64.jar", "netty-tcnative", "2.0.52.Final"],
    ["spring-core-5.3.20-sources.jar", "spring-core", "5.3.20"],
    ["kafka_2.13-3.2.0.jar", "kafka_2.13", "3.2.0"],
    ["bcprov-jdk15on-1.70.jar", "bcprov-jdk15on", "1.70"],
    ["geronimo-jta_1.1_spec-1.1.1.jar", "geronimo-jta_1.1_spec", "1.1.1"],
    ["javax.servlet-api-3.1.0.jar", "javax.servlet-api", "3.1.0"],
    ["org.eclipse.osgi_3.18.0.v20220516-1530.jar", "org.eclipse.osgi", "3.18.0.v20220516-1530"],
    ["jul-to-slf4j-1.7.36.jar", "jul-to-slf4j", "1.7.36"],
    ["mssql-jdbc-12.2.0.jre11.jar", "mssql-jdbc", "12.2.0.jre11"],
    ["wildfly-common-1.5.4.Final-format-001.jar", "wildfly-common", "1.5.4.Final-format-001"],
    ["gadget-2.0.1-format-001.jar", "gadget", "2.0.1-format-001"],
    ["gadget-2.0-format-001.jar", "gadget", "2.0-format-001"],
    ["gadget-2.0.Final-format-001.jar", "gadget", "2.0.Final-format-001"],
    ["log4j-1.2-api-2.jar", "log4j-1.2-api", "2"],
    ["gadget-001.jar", "gadget", "001"],
    ["org.postgresql.postgresql-42.7.1.jar", "org.postgresql.postgresql", "42.7.1"],
    ["a-1.0-20230101.123456-1.jar", "a", "1.0-20230101.123456-1"],
    ["plexus-container-default-1.0-alpha-9-stable-1.jar", "plexus-container-default", "1.0-alpha-9-stable-1"],
    ["jsr305.jar", "jsr305", ""],
    ["ROOT.war", "ROOT", ""],
    ["1.0.jar", "1.0", ""],
    [".jar", "", ""],
  ])("splits %s", (path, artifact, version) => {
    expect(parseArchiveName(path)).toMatchObject({ artifact, version });
  });

  it("keeps the whole name as the stem", () => {
    expect(parseArchiveName("lib/log4j-1.2-api.jar")).toEqual({
      stem: "log4j-1.2-api",
      artifact: "log4j",
      version: "1.2",
    });
  });
});

describe("splitJoinedName", () => {
  it.each([
    ["org.postgresql.postgresql", ["org.postgresql:postgresql"]],
    ["io.opentelemetry.semconv.opentelemetry-semconv", ["io.opentelemetry.semconv:opentelemetry-semconv"]],
    ["org.typelevel.cats-core_2.13", ["org.typelevel:cats-core_2.13"]],
    ["jakarta.el.jakarta.el-api", ["jakarta.el.jakarta:el-api", "jakarta.el:jakarta.el-api"]],
    ["org.osgi.osgi.core", ["org.osgi.osgi:core", "org.osgi:osgi.core"]],
    ["commons-io.commons-io", ["commons-io:commons-io"]],
    ["log4j.log4j-core", ["log4j:log4j-core"]],
    ["javax.servlet-api", []],
    ["jsr305", []],
    ["a".concat(".b".repeat(20)), []],
  ])("splits %s", (name, expected) => {
    expect(splitJoinedName(name).map(({ group, artifact }) => `${group}:${artifact}`)).toEqual(expected);
  });
});
