import { describe, expect, it } from "vitest";
import { parsePomXml } from "./pom-xml.ts";

const ofPath = { group: "g.path", artifact: "a-path", version: "" };
const ids = "<groupId>g</groupId><artifactId>a</artifactId>";
const parent = "<parent><groupId>p</groupId><artifactId>q</artifactId><version>7</version></parent>";

function parse(text: string) {
  return parsePomXml(new TextEncoder().encode(text), ofPath, "a.jar: pom.xml");
}

describe("parsePomXml", () => {
  it.each([
    ["plain values", `${ids}<version> 1.0 </version>`, "g:a:1.0"],
    ["the parent's group and version", `<artifactId>a</artifactId>${parent}`, "p:a:7"],
    ["its own values before the parent's", `${parent}${ids}<version>1</version>`, "g:a:1"],
    ["a property", `${ids}<version>\${v}</version><properties><v>2.1</v></properties>`, "g:a:2.1"],
    [
      "properties of properties",
      `${ids}<version>\${a}-\${b}</version><properties><a>\${b}.0</a><b>3</b></properties>`,
      "g:a:3.0-3",
    ],
    ["the parent's version by its path", `${ids}<version>\${project.parent.version}</version>${parent}`, "g:a:7"],
    ["an inherited value by its path", `<artifactId>\${project.groupId}.x</artifactId>${parent}`, "p:p.x:7"],
    ["older names of the project", `${ids}<version>1.\${pom.artifactId}.\${groupId}</version>`, "g:a:1.a.g"],
    ["a value in pieces", `${ids}<version>1<!-- c -->.<![CDATA[2]]></version>`, "g:a:1.2"],
    ["entities of HTML in other elements", `${ids}<name>S&oslash;ren &amp; &copy;</name><version>1</version>`, "g:a:1"],
    ["another prefix", "<m:groupId xmlns:m='x'>g</m:groupId><artifactId>a</artifactId><version>1</version>", "g:a:1"],
    ["nothing of dependencies", `${ids}<dependencies><version>9</version></dependencies>`, "g:a:"],
    [
      "nothing of profiles",
      `${ids}<version>\${v}</version><profiles><properties><v>9</v></properties></profiles>`,
      "g:a:",
    ],
    ["no property of another file", `${ids}<version>\${revision}</version>${parent}`, "g:a:"],
    ["no partly resolved version", `${ids}<version>1.\${build}</version>`, "g:a:"],
    ["no version that refers to itself", `${ids}<version>\${project.version}</version>`, "g:a:"],
    ["no range", `${ids}<version>[1.0,2.0)</version>`, "g:a:"],
    ["no version with an entity of HTML in it", `${ids}<version>1&middot;0</version>`, "g:a:"],
    ["no names of inherited JavaScript properties", `${ids}<version>\${constructor}</version>`, "g:a:"],
    ["unresolved ids by its path", "<groupId>${g}</groupId><artifactId>a</artifactId>", "g.path:a-path:"],
    ["both ids by its path if it is empty", "", "g.path:a-path:"],
  ])("reads %s", (_, model, expected) => {
    const { group, artifact, version } = parse(
      `<?xml version="1.0" encoding="ISO-8859-1"?><project>${model}</project>`,
    );

    expect(`${group}:${artifact}:${version}`).toBe(expected);
  });

  it("names the fault and its place", () => {
    expect(() => parse("<project><version></project>")).toThrow(
      /^a\.jar: pom\.xml: expected the XML of a Maven project, found 1:\d+: unexpected close tag/,
    );
  });
});
