import { makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const app = (name: string, ...members: string[]) => `{application, ${name},\n [${members.join(",\n  ")}]}.\n`;

describe("appDetector", () => {
  it.each([
    [
      "rebar3's",
      "opt/lib/cowboy-2.10.0/ebin/cowboy.app",
      app("'cowboy'", '{description,"HTTP"}', '{vsn,"2.10.0"}'),
      "cowboy 2.10.0 (hex)",
    ],
    [
      "Mix's, with modules first",
      "app/lib/phoenix-1.7.10/ebin/phoenix.app",
      app("phoenix", `{modules,[${"'Elixir.Phoenix.A',".repeat(20_000)}b]}`, '{vsn,"1.7.10"}'),
      "phoenix 1.7.10 (hex)",
    ],
    [
      "one with comments",
      "a/ebin/a.app",
      `%% {application, x,\n  % {vsn, "9"}\n${app("a", '{description, "50% of it"}', '{ vsn , "1.0.0" }')}`,
      "a 1.0.0 (hex)",
    ],
    ["one without a version in plain text", "a/ebin/a.app", app("a", "{vsn, git}"), "a  (hex)"],
    ["OTP's", "usr/lib/erlang/lib/ssl-10.8.7/ebin/ssl.app", app("ssl", '{vsn, "10.8.7"}'), "ssl 10.8.7 (otp)"],
    ["OTP's in a release", "app/lib/stdlib-4.2/ebin/stdlib.app", app("stdlib", '{vsn,"4.2"}'), "stdlib 4.2 (otp)"],
  ])("reads a resource file: %s", async (_, path, content, expected) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([`${expected} ${path}`]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it.each([
    ["no application", "{release, a}.", "expected an Erlang application"],
    ["nothing", "", "expected an Erlang application"],
    ["more than a resource file", `%${"x".repeat(5 * 1024 ** 2)}`, "at most 4194304 bytes"],
  ])("makes a problem of %s", async (_, content, message) => {
    expect(listProblems(await indexLayers([[fileOf("a/ebin/a.app", content)]]))).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it.each(["Applications/Safari.app", "a/ebin/a.appup", "a/src/a.app.src"])("ignores %s", async (path) => {
    const report = await indexLayers([[fileOf(path, app("a", '{vsn,"1"}'))]]);

    expect([listPackages(report), report.coverage.status]).toEqual([[], "complete"]);
  });
});

describe("archiveDetector", () => {
  const inside = "cowboy-2.8.0/ebin/cowboy.app";
  const content = { [inside]: app("cowboy", '{vsn,"2.8.0"}') };
  const program = "#!/usr/bin/env escript\n%%! +sbtu +A1\n";

  it.each([
    ["an archive", "usr/lib/rabbitmq/plugins/cowboy-2.8.0.ez", makeZip(content)],
    ["an escript", "usr/local/bin/rebar3", makeZip(content, { program })],
  ])("reads %s like a folder", async (_, path, bytes) => {
    const report = await indexLayers([[fileOf(path, bytes, 0o755)]]);

    expect(listPackages(report)).toEqual([`cowboy 2.8.0 (hex) ${path}:${inside}`]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it.each([
    ["an archive without an application is evidence", "a.ez", makeZip({ "a/ebin/a.beam": "" }), ["erlang"]],
    ["another file of that name is none", "a.ez", "text", []],
    ["an escript without an archive is none", "bin/a", `${program}${"main(_) -> ok.\n".repeat(20)}`, []],
  ])("%s", async (_, path, bytes, expected) => {
    const { coverage } = await indexLayers([[fileOf(path, bytes, 0o755)]]);

    expect(coverage.unassessed.map(({ kind }) => kind)).toEqual(expected);
  });
});
