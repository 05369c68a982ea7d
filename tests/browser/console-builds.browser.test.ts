/** Builds in the console, in the Chromium of this machine: started, watched as they print, cancelled, and made again. */

import { createHmac } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** Says what a step does, and goes on once a file is there. */
const buildah = (gate: string) => `#!/bin/sh
case " $* " in
*" --version "*) echo "buildah version 1" ;;
*" bud "*)
  echo "STEP 1/2: FROM scratch"
  echo "STEP 2/2: COPY <b>odd</b> /"
  while [ ! -e '${gate}' ]; do sleep 0.05; done
  echo "there is no such file" >&2
  exit 1 ;;
esac
`;

const folder = tempFolder();
const gate = join(folder.path, "go-on");
let used: ConsoleBrowser;
const archives = createServer((_, answer) => {
  const archive = pack();
  archive.entry({ name: "Dockerfile" }, "FROM scratch\nCOPY odd /\n");
  archive.finalize();
  buffer(archive).then((bytes) => answer.end(gzipSync(bytes)));
});

beforeAll(async () => {
  const program = join(folder.path, "buildah");
  writeFileSync(program, buildah(gate));
  chmodSync(program, 0o755);
  await new Promise<void>((resolve) => archives.listen(0, "127.0.0.1", resolve));
  used = await openConsoleBrowser({ builderFolder: folder.path });
  for (const repository of ["app", "empty"]) {
    await api("POST", "/repository", { repository, namespace: "alice", visibility: "private", description: "" });
  }
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
  archives.close();
  folder[Symbol.dispose]();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

describe("builds of a repository", () => {
  it("print while they run, are cancelled, and are made again; a failed one says why", async () => {
    const { page, problems } = await used.open("/alice/app?view=builds");

    await page.getByText("Nothing was built here yet.").waitFor();
    await page
      .getByLabel("Address of the archive")
      .fill(`http://127.0.0.1:${(archives.address() as AddressInfo).port}/app.tar.gz`);
    await page.getByLabel("Tags (optional)").fill("v1, v2");
    await page.getByRole("button", { name: "Start build" }).click();
    await page.getByRole("log").getByText("COPY <b>odd</b> /").waitFor();
    await page.getByRole("cell", { name: "Building", exact: true }).waitFor();
    expect(await page.getByRole("cell", { name: "v1, v2" }).count()).toBe(1);
    await page.reload();
    await page.getByRole("log").getByText("STEP 1/2: FROM scratch").waitFor();
    await page.getByRole("button", { name: "Cancel build" }).click();
    await page.getByRole("cell", { name: "Cancelled" }).waitFor();
    writeFileSync(gate, "");
    await page.getByRole("button", { name: "Build again" }).click();
    await page.getByRole("cell", { name: "Failed" }).waitFor();

    await page.getByRole("log").getByText("there is no such file").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("are not started from an address that is none; what was typed stays", async () => {
    const { page } = await used.open("/alice/empty?view=builds");

    await page.getByLabel("Address of the archive").fill("ftp://example.com/app.tar.gz");
    await page.getByRole("button", { name: "Start build" }).click();

    await page.getByRole("alert").getByText("Must be http or https").waitFor();
    expect(await page.getByLabel("Address of the archive").inputValue()).toBe("ftp://example.com/app.tar.gz");
  });
});

describe("webhooks of a repository", () => {
  it("are made, tell their secret once, are turned off, and are deleted", async () => {
    const { page, problems } = await used.open("/alice/empty?view=builds&part=triggers");
    const region = page.getByRole("region", { name: "Webhooks" });

    await region.getByText("No webhook starts builds here.").waitFor();
    await region.getByLabel("Name of the webhook").fill("<b>shop</b>");
    await region.getByLabel("Address of the git repository").fill("https://forge.example/shop.git");
    await region.getByLabel("Branches and tags").fill("refs/heads/main, refs/tags/v*");
    await region.getByRole("button", { name: "Create webhook" }).click();
    const address = (await region.getByRole("status").locator(".command code").first().textContent()) ?? "";
    const secret = (await region.getByRole("status").locator(".command code").last().textContent()) ?? "";
    const row = region.getByRole("row", { name: "<b>shop</b>" });
    await row.getByRole("cell", { name: "refs/heads/main, refs/tags/v*" }).waitFor();
    const signature = `sha256=${createHmac("sha256", secret).update("{}").digest("hex")}`;
    const send = async (signed: object) =>
      (await fetch(address, { method: "POST", body: "{}", headers: { "x-github-event": "ping", ...signed } })).status;
    expect([await send({}), await send({ "x-hub-signature-256": signature })]).toEqual([401, 200]);
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await row.waitFor();
    expect(await page.content()).not.toContain(secret);
    await row.getByRole("button", { name: "Turn webhook off" }).click();
    await row.getByRole("cell", { name: "Off", exact: true }).waitFor();
    await row.getByRole("button", { name: "Delete webhook" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete webhook" }).click();
    await region.getByText("No webhook starts builds here.").waitFor();

    expect(await send({ "x-hub-signature-256": signature })).toBe(403);
    expect(problems).toEqual([]);
  });
});
