import type { MigrationSet } from "@plimsoll/store";

/** What the jobs of `job-program.ts` write. */
export interface NoteTables {
  note: { id: string };
}

/** The kind of its jobs. */
export const noteJob = "test.note";

export const noteMigrations: MigrationSet = {
  service: "notes",
  migrations: [
    {
      name: "0001-note",
      async up(db) {
        await db.schema
          .createTable("note")
          .addColumn("id", "text", (column) => column.primaryKey().notNull())
          .execute();
      },
    },
  ],
};
