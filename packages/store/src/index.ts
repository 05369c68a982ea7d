export { StoreError, type StoreErrorCode, storeErrorCodes } from "./errors.ts";
export { parseStoreLocation, type StoreLocation } from "./location.ts";
export type { ClusterLock, LockOptions } from "./locks.ts";
export type { Migration, MigrationSet } from "./migrate.ts";
export { type OpenStoreOptions, openStore } from "./open.ts";
export type { PreparedRead, SqlParameter, SqlRow, SqlValue, Store, StoreKind } from "./store.ts";
export { oneAtATime } from "./transaction.ts";
