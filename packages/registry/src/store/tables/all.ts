import type { Store } from "@plimsoll/store";
import type { Insertable, Kysely, Selectable, Updateable } from "kysely";
import type { AccountTables } from "./accounts.ts";
import type { AdministrationTables } from "./administration.ts";
import type { BuildTables } from "./builds.ts";
import type { ContentTables } from "./content.ts";
import type { RepositoryTables } from "./repositories.ts";
import type { UpstreamTables } from "./upstreams.ts";

/** The registry's tables. */
export interface RegistryTables
  extends AccountTables,
    ContentTables,
    RepositoryTables,
    UpstreamTables,
    BuildTables,
    AdministrationTables {}

/** The registry's database. */
export type RegistryStore = Store<RegistryTables>;

/** The database or a transaction of it, on which queries run. */
export type RegistryDb = Kysely<RegistryTables>;

/** A row of a table, as it is read. */
export type Row<Table extends keyof RegistryTables> = Selectable<RegistryTables[Table]>;

/** A row of a table, as it is written. */
export type NewRow<Table extends keyof RegistryTables> = Insertable<RegistryTables[Table]>;

/** Columns of a row that change. */
export type RowChanges<Table extends keyof RegistryTables> = Updateable<RegistryTables[Table]>;
