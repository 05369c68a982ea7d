export { matcherMigrations } from "./store/migrations/all.ts";
