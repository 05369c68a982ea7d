import { job, type MigrationSet, type Store } from "@plimsoll/store";

/** What the jobs of `job-program.ts` write. */
export interface NoteTables {
  note: { id: string };
}

/** What its jobs need. */
export interface NoteContext {
  readonly store: Store<NoteTables>;
  readonly onBegin: () => void;
}

/** Writes a note, and ends with it. */
export const noteJob = job({
  kind: "test.note",
  concurrency: 4,
  async handle({ job: { id }, finishIn }, { store, onBegin }: NoteContext) {
    onBegin();
    await store.transaction(async (transaction) => {
      await transaction.insertInto("note").values({ id }).execute();
      await finishIn<NoteTables>(transaction);
    });
  },
});

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
