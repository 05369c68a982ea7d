import { noLongTests, skipNote, type TestEngine, testEngines } from "@plimsoll/testing";
import { realS3Settings } from "./s3-settings.ts";
import type { SettingTexts } from "./service-process.ts";

/** A database and a blob store that several nodes share. */
export interface Installation {
  readonly engine: TestEngine;
  /** What holds the blobs, with the reason why it cannot be tested here. */
  readonly blobs: string;
  readonly settings: SettingTexts;
  readonly skip?: string | undefined;
}

const s3 = realS3Settings();

/**
 * On one machine SQLite and a folder; PostgreSQL and an S3 store, where `PLIMSOLL_TEST_POSTGRES` and `PLIMSOLL_TEST_S3` name them. What runs on
 * several nodes is long.
 */
export const installations: readonly Installation[] = testEngines
  .filter(({ shared }) => shared)
  .map((engine) => {
    if (engine.name !== "PostgreSQL") {
      const skip = engine.skip ?? noLongTests;
      return { engine, blobs: `a folder${skipNote(noLongTests)}`, settings: {}, skip };
    }
    const missing = s3 === undefined ? "PLIMSOLL_TEST_S3 is not set" : noLongTests;
    return { engine, blobs: `S3${skipNote(missing)}`, settings: s3 ?? {}, skip: engine.skip ?? missing };
  });
