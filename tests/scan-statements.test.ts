import { afterAll, describe, expect, it } from "vitest";
import { openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll, testNow } from "./support/run-plimsoll.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, db, image } = world;

const found = await runPlimsoll(["scan", image, "--db", db, "-o", "ndjson"]);
const findings = linesOf(found.stdout).filter(({ kind }) => kind === "finding");
const [first] = findings;
if (first === undefined) throw new Error("the sample image has no finding");
const { vulnerability: id, package: name } = first;

function linesOf(text: string): readonly Record<string, unknown>[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const scan = (...words: string[]) => runPlimsoll(["scan", image, "--db", db, ...words]);
const openVex = (statement: object) =>
  JSON.stringify({ "@context": "https://openvex.dev/ns/v0.2.0", author: "A", statements: [statement] });
const notAffected = {
  vulnerability: { name: id },
  products: [`pkg:deb/debian/${name}`],
  status: "not_affected",
  justification: "component_not_present",
};

describe("plimsoll explain with statements", () => {
  const explain = (...words: string[]) =>
    runPlimsoll(["explain", image, String(id), "--package", String(name), "--db", db, ...words]);

  it("says which statement of a VEX document takes a finding out, and who made it", async () => {
    const vex = folder.write("explained.json", openVex(notAffected));

    const text = await explain("--vex", vex);
    const json = JSON.parse((await explain("--vex", vex, "-o", "json")).stdout);

    expect(text.stdout).toContain(`${id} in ${name}: suppressed`);
    expect(text.stdout).toContain(`${vex}: statements[0]: not_affected, component_not_present`);
    expect(text.stdout).toContain("by A");
    expect(json).toMatchObject({
      answer: "suppressed",
      packages: [{ statements: [{ status: "not_affected", author: "A", is_expired: false }] }],
    });
  });

  it.each([
    ["takes a finding out", {}, "suppressed"],
    ["is over", { expires: dayOf(testNow - 86_400_000) }, "affected"],
  ])("says that a rule of the settings %s, and why", async (_, more, answer) => {
    const rule = { id, package: `pkg:deb/debian/${name}`, reason: "known", author: "B", ...more };
    const config = folder.write("explained-settings.json", JSON.stringify({ ignore: [rule] }));

    const { stdout } = await explain("--config", config);

    expect(stdout).toContain(`${id} in ${name}: ${answer}`);
    expect(stdout).toContain("ignore[0]: not_affected");
    expect(stdout).toContain("known");
    expect(stdout.includes("(expired, so it has no effect)")).toBe(answer === "affected");
  });
});

describe("plimsoll scan with statements", () => {
  it("takes findings of a VEX document out, lists them with the reason, and lets the gate pass", async () => {
    const vex = folder.write("app.openvex.json", openVex(notAffected));
    const others = findings.filter((each) => each.vulnerability !== id || each.package !== name);

    const { stdout } = await scan("--vex", vex, "-o", "ndjson");
    const lines = linesOf(stdout);
    const table = await scan("--vex", vex);
    const json = JSON.parse((await scan("--vex", vex, "-o", "json")).stdout);

    expect(lines.filter(({ kind }) => kind === "finding")).toEqual(others);
    expect(lines.filter(({ kind }) => kind === "suppressed")).toEqual([
      {
        kind: "suppressed",
        package: name,
        vulnerability: id,
        status: "not_affected",
        justification: "component_not_present",
        author: "A",
        place: `${vex}: statements[0]`,
      },
    ]);
    expect(table.stdout).toContain("; 1 suppressed");
    expect(json.enrichments["application/vnd.plimsoll.coverage+json"][0].suppressed).toHaveLength(1);
  });

  it("judges a gate without what is taken out", async () => {
    const products = findings.map((each) => `pkg:deb/debian/${each.package}`);
    const all = findings.map((each) => ({ ...notAffected, vulnerability: each.vulnerability, products }));
    const vex = folder.write(
      "all.json",
      JSON.stringify({ "@context": "https://openvex.dev/ns/v0.2.0", statements: all }),
    );

    const [before, after] = [await scan("--fail-on", "unknown+"), await scan("--fail-on", "unknown+", "--vex", vex)];

    expect([before.code, after.code]).toEqual([1, 0]);
  });

  it.each([
    ["rules of the settings that count to the end of a day", { expires: dayOf(testNow) }, 1, ""],
    ["rules that are over", { expires: dayOf(testNow - 86_400_000) }, 0, "(ignore[0]) has expired and was not applied"],
    ["rules of another image", { image: "other" }, 0, "(ignore[0]) matches no finding"],
    ["rules about nothing", { package: "pkg:npm/none" }, 0, "(ignore[0]) matches no finding"],
  ])("goes by %s", async (_, more, suppressed, note) => {
    const rule = { id, package: `pkg:deb/debian/${name}`, reason: "known", ...more };
    const config = folder.write("plimsoll.json", JSON.stringify({ ignore: [rule] }));

    const { stdout, stderr } = await scan("--config", config, "-o", "ndjson");

    expect(linesOf(stdout).filter(({ kind }) => kind === "suppressed")).toHaveLength(suppressed);
    expect(stderr).toContain(note);
  });

  it("reads the rules of a YAML file, with dates as they are", async () => {
    const rule = `ignore:\n  - id: ${id}\n    reason: known\n    expires: ${dayOf(testNow)}\n`;
    const config = folder.write("plimsoll.yaml", rule);

    const { stdout, code } = await scan("--config", config, "-o", "ndjson");

    expect(code).toBe(0);
    expect(linesOf(stdout).filter(({ kind }) => kind === "suppressed")).toMatchObject([{ detail: "known" }]);
  });

  it.each([
    ["no VEX document", "{}", "expected a document of OpenVEX", 3],
    ["a statement that cannot be read", openVex({ ...notAffected, status: "fine" }), "statements[0].status", 3],
  ])("refuses %s before it scans", async (_, content, message, code) => {
    const vex = folder.write("bad.json", content);

    const refused = await scan("--vex", vex);

    expect([refused.code, refused.stdout]).toEqual([code, ""]);
    expect(refused.stderr).toContain(message);
  });

  it.each([
    [{ id: "CVE-1" }],
    [{ id: "CVE-1", reason: "x", package: "libc" }],
    [{ id: "CVE-1", reason: "x", expires: "soon" }],
    [{ id: "CVE-1", reason: "x", until: "2027-01-01" }],
  ])("refuses the rule %j", async (rule) => {
    const config = folder.write("plimsoll.json", JSON.stringify({ ignore: [rule] }));

    const refused = await scan("--config", config);

    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain("ignore: expected a list of rules");
  });

  it("names a file that is not there", async () => {
    const refused = await scan("--vex", `${folder.path}/none.json`);

    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--vex: ")]);
  });
});

function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
