import pg from "pg";

/** Lets a PostgreSQL database take no changes, as a standby does, or takes that back. Connections that there are end. */
export async function setReadOnly(location: string, value: "on" | "off"): Promise<void> {
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  try {
    await client.query("set default_transaction_read_only = off");
    await client.query(`do $$ begin execute format(
      'alter database %I set default_transaction_read_only = ${value}', current_database()); end $$`);
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
  } finally {
    await client.end();
  }
}
