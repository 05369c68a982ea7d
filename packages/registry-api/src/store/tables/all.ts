import type { Store } from "@plimsoll/store";
import type { Kysely } from "kysely";
import type { AccountTables } from "./accounts.ts";
import type { AdministrationTables } from "./administration.ts";
import type { ContentTables } from "./content.ts";
import type { RepositoryTables } from "./repositories.ts";

/** The registry's tables. */
export interface RegistryTables extends AccountTables, ContentTables, RepositoryTables, AdministrationTables {}

/** The registry's database. */
export type RegistryStore = Store<RegistryTables>;

/** The database, or a transaction of it: what queries take. */
export type RegistryDb = Kysely<RegistryTables>;
