/** Two servers of one registry on one SQLite file, and on one PostgreSQL: what one has acknowledged the other shows at once. */
import { randomBytes } from "node:crypto";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { startRegistry } from "./support/registry-process.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const rounds = 60;
/** Requests that the second server answers meanwhile, so that several fall into one turn of its event loop. */
const readers = 8;

describe.each(testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })))(
  "two servers on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "show what the other has acknowledged",
      async () => {
        using folder = tempFolder();
        await using database = await engine.create();
        const settings = { database: database.location, secretKey: randomBytes(32).toString("base64") };
        await using first = await startRegistry(folder.path, settings);
        await using second = await ServiceProcess.start({ data: `${folder.path}/data`, offline: "1", ...settings });
        await second.listening();
        const headers = { authorization: `Bearer ${first.token}` };
        const readAtSecond = async (path: string) => {
          const response = await fetch(`${second.url}/api/v1${path}`, { headers });
          return { status: response.status, body: (await response.json()) as { readonly description?: string } };
        };
        const create = { repository: "app", visibility: "private", description: "0", repo_kind: "image" };
        await first.call("POST", "/repository", create);
        let isOver = false;
        const read = async () => {
          while (!isOver) await readAtSecond("/repository/alice/app?includeTags=false");
        };
        const reading = Promise.all(Array.from({ length: readers }, read));

        const shown: unknown[] = [];
        for (let round = 1; round <= rounds; round++) {
          await first.call("PUT", "/repository/alice/app", { description: `${round}` });
          shown.push((await readAtSecond("/repository/alice/app?includeTags=false")).body.description);
        }
        isOver = true;
        await reading;

        expect(shown).toEqual(Array.from({ length: rounds }, (_, index) => `${index + 1}`));
        await first.call("DELETE", "/repository/alice/app");
        expect((await readAtSecond("/repository/alice/app")).status).toBe(404);
      },
      120_000,
    );
  },
);
