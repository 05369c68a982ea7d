import pg from "pg";

/** Runs work with a connection to a database, and closes it. */
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

/** The location of another database on the same server. */
export function databaseBeside(location: string, name: string): string {
  const url = new URL(location);
  url.pathname = `/${name}`;
  return url.href;
}

/** The maintenance database of the same server, from which others are created and dropped. */
export function maintenanceOf(location: string): string {
  return databaseBeside(location, "postgres");
}

/** The name of the database at a location. */
export function databaseName(location: string): string {
  return new URL(location).pathname.slice(1);
}
