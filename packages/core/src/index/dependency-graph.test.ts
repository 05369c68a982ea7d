import { describe, expect, it } from "vitest";
import { parseDigest } from "../model/digest.ts";
import type { ImageStart } from "../model/image-manifest.ts";
import type { IndexReport } from "../model/index-report.ts";
import { distributionPackageKey, languageKey } from "../model/package.ts";
import { chainsIn, dependencyGraph } from "./dependency-graph.ts";
import { packageUses, reachedPackages } from "./reached-packages.ts";

/** A report of packages 1 to `count` with these needs. */
function reportOf(
  count: number,
  needs: Readonly<Record<string, readonly string[]>>,
  unmet: readonly string[] = [],
): IndexReport {
  const ids = Array.from({ length: count }, (_, index) => String(index + 1));
  return {
    manifestDigest: parseDigest(`sha256:${"0".repeat(64)}`),
    state: "IndexFinished",
    success: true,
    packages: Object.fromEntries(ids.map((id) => [id, { id, name: `p${id}`, version: "1", kind: "BINARY" as const }])),
    distributions: {},
    repositories: {},
    environments: {},
    dependencies: Object.fromEntries(
      Object.entries(needs).map(([id, packageIds]) => [
        id,
        { packageIds, unmet: unmet.includes(id) ? ["gone"] : undefined },
      ]),
    ),
    coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
  };
}

describe("dependencyGraph", () => {
  it("hangs what nothing needs on the image, and one of each circle", () => {
    const graph = dependencyGraph(reportOf(7, { 1: ["2"], 2: [], 3: ["4"], 4: ["3"], 5: ["3", "6"], 6: ["6"] }, ["2"]));

    expect(graph).toMatchObject({ roots: ["1", "5", "7"], incomplete: ["2"], unknown: ["7"] });
    expect(dependencyGraph(reportOf(2, { 1: ["2"], 2: ["1"] }))?.roots).toEqual(["1"]);
  });

  it("does not know the rest of what is needed where only a part is shown", () => {
    const { dependencies, ...report } = reportOf(2, { 1: ["2"], 2: [] });
    const partly = { ...dependencies, 1: { packageIds: ["2"], isPartial: true } } as const;

    expect(dependencyGraph({ ...report, dependencies: partly })).toMatchObject({ roots: ["1"], unknown: ["1"] });
  });

  it("is not there for a report that was made without", () => {
    const { dependencies, ...report } = reportOf(1, {});

    expect(dependencyGraph(report)).toBeUndefined();
  });
});

describe("chainsIn", () => {
  it.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[] | undefined]>([
    ["the shortest chain", { 1: ["2"], 2: ["3"], 3: ["4"], 5: ["3"] }, ["5", "3", "4"]],
    ["a root", { 4: ["1"] }, ["4"]],
    ["a circle", { 3: ["4"], 4: ["3"] }, ["3", "4"]],
  ])("finds %s", (_, needs, chain) => {
    const graph = dependencyGraph(reportOf(5, needs));

    expect(graph && chainsIn(graph)("4")).toEqual(chain);
    expect(graph && chainsIn(graph)("4", 2)).toEqual(chain?.slice(-2));
    expect(graph && chainsIn(graph)("9")).toBeUndefined();
  });
});

describe("reachedPackages", () => {
  const reachedIn = (given: IndexReport, start: ImageStart | undefined) =>
    reachedPackages(given, dependencyGraph(given), start);
  const places: Readonly<Record<string, string>> = {
    1: "usr/local/bin/node",
    2: "srv/app/package.json",
    3: "srv/app/node_modules/a/package.json",
    4: "opt/app.jar:lib/b.jar",
    5: "var/lib/rpm/rpmdb.sqlite",
    6: "lib/apk/db/installed",
    7: "srv/other/node_modules/c/package.json",
  };
  const report = {
    ...reportOf(7, { 2: ["1", "3"], 3: [] }),
    environments: Object.fromEntries(
      Object.entries(places).map(([id, packageDb]) => [
        id,
        [{ packageDb, repositoryIds: { 1: ["owner"], 2: ["npm"], 3: ["npm"] }[id] ?? [] }],
      ]),
    ),
    repositories: {
      owner: { id: "owner", name: "p5", key: distributionPackageKey },
      npm: { id: "npm", name: "npm", key: languageKey },
    },
    details: { 5: { provides: ["p5 = 1", "/usr/sbin/httpd"] }, 6: { provides: ["cmd:redis-server=7"] } },
  };
  const rpm = { packageDb: places[5] ?? "", distributionId: "1", repositoryIds: [] };
  const owned = { ...report, environments: { ...report.environments, 5: [rpm] } };

  it.each<[string, ImageStart | undefined, readonly string[] | undefined]>([
    ["a program by the search path", { command: ["node"] }, ["1", "5"]],
    ["a program by its path", { command: ["/usr/local/bin/node", "--inspect"] }, ["1", "5"]],
    ["nothing outside of the search path", { command: ["node"], searchPath: "/bin" }, undefined],
    ["an application by its file", { command: ["/entry.sh", "./server.js"], folder: "/srv/app/" }, ["2"]],
    ["the application of its folder", { command: ["npm", "start"], folder: "/srv/app" }, ["2"]],
    ["an interpreter and its application", { command: ["node", "server.js"], folder: "/srv/app" }, ["2", "1", "5"]],
    ["nothing if the interpreter's script is of no package", { command: ["node", "/x/server.js"] }, undefined],
    ["nothing if the interpreter's module is of no package", { command: ["python3", "-m", "flask"] }, undefined],
    ["nothing if the archive is of no package", { command: ["node", "-jar", "/x/app.jar"] }, undefined],
    ["an application by a file below it", { command: ["/srv/app/dist/server.mjs"] }, ["2"]],
    ["no application by a file that is none", { command: ["/srv/app/data.txt"] }, undefined],
    ["what is in an archive", { command: ["java", "-jar", "app.jar"], folder: "/opt" }, ["4"]],
    ["the words of a shell", { command: ["/bin/sh", "-c", "exec java -jar 'app.jar'"], folder: "/opt" }, ["4"]],
    ["a program that a package of rpm has", { command: ["httpd", "-D", "FOREGROUND"] }, ["5"]],
    ["a program by the folder that has moved", { command: ["/sbin/httpd"] }, ["5"]],
    ["a program that a package of apk has", { command: ["redis-server"] }, ["6"]],
    ["nothing if no package has it", { command: ["/app"] }, undefined],
    ["nothing if the image does not say", undefined, undefined],
  ])("knows that the image starts %s", (_, start, entries) => {
    expect(reachedIn(owned, start)?.entries).toEqual(entries);
  });

  it.each<[string, ImageStart]>([
    ["a script", { command: ["/entry.sh", "/srv/app/server.js"] }],
    ["a program of no package", { command: ["/usr/bin/own", "/srv/app/server.js"] }],
    ["an option that loads a module", { command: ["/usr/local/bin/node", "-r", "x", "/srv/app/server.js"] }],
    ["an agent of Java", { command: ["/usr/local/bin/node", "-javaagent:/a/m.jar", "/srv/app/server.js"] }],
    ["a shell with a file", { command: ["/bin/bash", "/app/run"], folder: "/srv/app" }],
    ["a file in the words of a shell", { command: ["sh", "-c", "./run && node server.js"], folder: "/srv/app" }],
    ["a program that runs another", { command: ["gosu", "app", "/app/run"], folder: "/srv/app" }],
    ["a program that starts what is configured", { command: ["/usr/bin/supervisord"], folder: "/srv/app" }],
    ["options in a file", { command: ["/usr/local/bin/node", "@args", "/srv/app/server.js"] }],
    ["a variable or a health check", { command: ["node", "/srv/app/server.js"], startsMore: true }],
    ["a file that says itself what runs it", { command: ["/srv/app/server.js"] }],
    ["a script of a package manager", { command: ["npm", "start"], folder: "/srv/app" }],
    ["one of Node", { command: ["node", "--run", "start"], folder: "/srv/app" }],
    ["a package manager in a shell", { command: ["sh", "-c", "npm start"], folder: "/srv/app" }],
    ["several commands", { command: ["sh", "-c", "node server.js; node x.js"], folder: "/srv/app" }],
    ["a command after another", { command: ["sh", "-c", "node a.js && node server.js"], folder: "/srv/app" }],
    ["a file of an installed package", { command: ["node", "node_modules/e/b.js"], folder: "/srv/app" }],
    ["a link of one", { command: ["node", "/srv/app/node_modules/.bin/e"], folder: "/srv/app" }],
    ["a file of no package", { command: ["node", "/x/server.js"], folder: "/srv/app" }],
    ["a program of an interpreter", { command: ["python3", "/usr/bin/gunicorn"], folder: "/srv/app" }],
    ["a module by its name", { command: ["python3", "-um", "gunicorn"], folder: "/srv/app" }],
    ["code", { command: ["python3", "-c", "import a"], folder: "/srv/app" }],
    ["modules of Java", { command: ["java", "-p", "lib", "--add-modules", "e"], folder: "/srv/app" }],
    ["variables in a file", { command: ["node", "--env-file=.env", "server.js"], folder: "/srv/app" }],
  ])("has evidence for every package where the image may start more: %s", (_, start) => {
    const reached = reachedIn(report, start);

    expect(reached?.entries).toContain("2");
    expect(Object.keys(places).filter((id) => !reached?.hasEvidence(id))).toEqual([]);
  });

  it.each<[string, Record<string, { packageIds: string[]; unmet?: string[]; isPartial?: true }>]>([
    ["of what is started it is not known what it needs", { 2: { packageIds: ["1", "3"], isPartial: true } }],
    ["what is started needs something that is missing", { 2: { packageIds: ["3"], unmet: ["x"] } }],
    ["of what it needs it is not known what that needs", { 3: { packageIds: [], isPartial: true } }],
  ])("has evidence for every package where %s", (_, changed) => {
    const dependencies = { ...report.dependencies, ...changed } as IndexReport["dependencies"];

    const reached = reachedIn(
      { ...report, dependencies },
      { command: ["node", "/srv/app/server.js"], searchPath: "/bin" },
    );

    expect(Object.keys(places).filter((id) => !reached?.hasEvidence(id))).toEqual([]);
  });

  it("is not known where a shell goes to another folder", () => {
    const command = ["sh", "-c", "cd /o && node server.js"];

    expect(reachedIn(report, { command, folder: "/srv/app" })).toBeUndefined();
  });

  it("has evidence for what the image starts, and for what any package needs", () => {
    const reached = reachedIn(report, { command: ["node", "/srv/app/server.js"], searchPath: "/bin" });

    const found = Object.keys(places).filter((id) => reached?.hasEvidence(id));
    expect(found).toEqual(["1", "2", "3"]);
    expect(reachedIn({ ...report, dependencies: undefined }, { command: ["node"] })).toBeUndefined();
  });
});

describe("packageUses", () => {
  const start = { command: ["node", "/app/server.js"] };
  const inApp = { environments: { 1: [{ packageDb: "app/package.json", repositoryIds: [] }] } };
  const report = { ...reportOf(5, { 1: ["2"], 2: ["3"], 3: [] }), ...inApp };
  const namesIn = (given: IndexReport, id: string) => packageUses(given, start)(id).neededBy?.map(({ name }) => name);

  it.each<[string, string, readonly string[] | undefined, string | undefined]>([
    ["what the image starts", "1", undefined, undefined],
    ["what others need", "3", ["p1", "p2"], undefined],
    ["what nothing is known to need", "4", undefined, "no evidence"],
  ])("says of %s by what it is needed, and whether there is evidence", (_, id, names, reached) => {
    expect(namesIn(report, id)).toEqual(names);
    expect(packageUses(report, start)(id).reached).toBe(reached);
    expect(packageUses(report, undefined)(id).reached).toBeUndefined();
    expect(packageUses({ ...report, dependencies: undefined }, start)(id)).toEqual({});
  });

  it("names the last 32 packages of a longer chain", () => {
    const chain = Object.fromEntries(Array.from({ length: 39 }, (_, at) => [at + 1, [String(at + 2)]]));

    const names = namesIn({ ...reportOf(40, chain), ...inApp }, "40");

    expect([names?.length, names?.at(0), names?.at(-1)]).toEqual([32, "p8", "p39"]);
  });
});
