/** What docs/how-to/run-a-registry.md shows first works as it stands, one line after the other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { runCli } from "@plimsoll/server";
import { expect, it } from "vitest";
import { pushImage } from "./support/push-image.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianImage } from "./support/sample-image.ts";
import { tempFolder } from "./support/temp-folder.ts";

const page = readFileSync(new URL("../docs/how-to/run-a-registry.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = "", text = ""]) => ({ kind, text }));
const firstOf = (kind: string, words: string) =>
  blocks.find((block) => block.kind === kind && block.text.includes(words))?.text ?? "";

it("starts a registry, makes its first account, pushes and reads a report by the names that the page types", async () => {
  using folder = tempFolder();
  folder.write("registry.json", firstOf("json", ""));
  const places: Readonly<Record<string, string>> = {
    "./data": join(folder.path, "data"),
    "5000": "0",
    "registry.json": join(folder.path, "registry.json"),
  };
  const [, ...words] = firstOf("sh", "plimsoll serve").trim().split(/\s+/).slice(1);
  const stop = new AbortController();
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  const stderr = {
    write(line: string) {
      if (line.includes('"event":"listening"')) resolve(JSON.parse(line).address);
      return true;
    },
  };
  const ended = runCli(
    words.map((word) => places[word] ?? word),
    {
      stdin: Readable.from([]),
      stdout: stderr,
      stderr,
      env: { PLIMSOLL_OFFLINE: "1" },
      now: Date.now,
      signal: stop.signal,
    },
  );
  const host = `localhost:${new URL(await listening).port}`;
  const { url = "", body = "" } =
    /curl -X POST localhost:5000(?<url>\S+).*?-d '(?<body>.*?)'/s.exec(page)?.groups ?? {};
  const { username, password } = JSON.parse(body);

  const headers = { "content-type": "application/json" };
  const account = await fetch(`http://${host}${url}`, { method: "POST", headers, body });
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  const image = await debianImage(["zlib 1"]);
  const reference = /plimsoll report localhost:5000(\S+)/.exec(page)?.[1] ?? "";
  const [name, tag = ""] = reference.split(":");
  await pushImage(`http://${host}/v2${name}`, `Basic ${basic}`, { image, reference: tag });
  const signIn = ["--username", username, "--password-stdin"];
  const report = await runPlimsoll(["report", host + reference, ...signIn], { stdin: Buffer.from(password) });
  const root = await fetch(`http://${host}/api/v1/superuser/users/`, {
    headers: { authorization: `Bearer ${((await account.json()) as { access_token: string }).access_token}` },
  });
  stop.abort();

  expect(report.stderr).toBe("");
  expect([account.status, report.code, root.status, await ended]).toEqual([200, 0, 200, 0]);
  expect(report.stdout).toContain(image.digest);
});
