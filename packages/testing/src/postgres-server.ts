import pg from "pg";

/** Runs work on a connection to a database, and ends it. */
export async function onPostgres<Result>(
  location: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(location);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Another database of the server that a database is on. */
export function databaseBeside(location: string, name: string): string {
  const url = new URL(location);
  url.pathname = `/${name}`;
  return url.href;
}

/** The database from which others are made, dropped and looked at. */
export function maintenanceOf(location: string): string {
  return databaseBeside(location, "postgres");
}

/** The name of the database at a location. */
export function databaseName(location: string): string {
  return new URL(location).pathname.slice(1);
}
