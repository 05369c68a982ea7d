/** Migrates the database whose location is the argument, and ends. */
import { openStore } from "@plimsoll/store";
import { allMigrations } from "./all-migrations.ts";

const [location = ""] = process.argv.slice(2);
await using _ = await openStore(location, { migrations: allMigrations });
