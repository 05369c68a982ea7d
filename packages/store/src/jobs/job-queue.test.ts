import {
  engineTitle,
  jobCancelContract,
  jobEndContract,
  jobEnqueueContract,
  jobOrderContract,
  jobQueueContract,
  jobScheduleContract,
  sharedJobQueueContract,
  sharedJobRulesContract,
  storeTestEngines,
} from "@plimsoll/testing";
import { describe, it } from "vitest";
import { openStore } from "../open.ts";

const contract = [
  ...jobQueueContract,
  ...jobOrderContract,
  ...jobEndContract,
  ...jobCancelContract,
  ...jobEnqueueContract,
  ...jobScheduleContract,
];
const open = (location: string) => openStore<unknown>(location, { migrations: [] });

describe.each(storeTestEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "the job queue on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each(contract)("$name", async ({ run }) => {
      await using database = await engine.create();
      await using store = await open(database.location);

      await run(store);
    });

    if (engine.shared) {
      it.skipIf(engine.skip !== undefined).each([...sharedJobQueueContract, ...sharedJobRulesContract])(
        "$name",
        async ({ run }) => {
          await using database = await engine.create();
          await using first = await open(database.location);
          await using second = await open(database.location);

          await run([first, second]);
        },
      );
    }
  },
);
