import { execFile } from "node:child_process";

/** One request by curl, whose own work is small beside that of the servers. */
export interface CurlRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly url: string;
  readonly authorization?: string | undefined;
  /** The file that is sent. */
  readonly file?: string;
  /** Whether the file is sent as a stream, whose length is not told. */
  readonly streamed?: boolean;
}

/** What a request took, from connecting to the last byte. */
export interface Curled {
  readonly seconds: number;
  /** Where the answer leads to, if it does. */
  readonly location: string;
}

/** Asks, and throws away what comes. @throws when the answer is no success */
export async function curl({ method, url, authorization, file, streamed }: CurlRequest): Promise<Curled> {
  const headers = [
    "expect:",
    ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
    ...(streamed ? ["transfer-encoding: chunked"] : []),
    ...(file === undefined ? [] : ["content-type: application/octet-stream"]),
  ];
  const body = file === undefined ? ["--data-binary", ""] : ["--upload-file", file];
  const stdout = await run([
    ...["--silent", "--show-error", "--fail-with-body", "--output", "/dev/null", "--request", method],
    ...["--dump-header", "-", "--write-out", "seconds %{time_total}"],
    ...headers.flatMap((header) => ["--header", header]),
    ...(method === "GET" ? [] : body),
    url,
  ]);
  const [, seconds] = /seconds ([\d.]+)$/.exec(stdout) ?? [];
  const [, location = url] = /^location: *(\S+)/im.exec(stdout) ?? [];
  return { seconds: Number(seconds), location: new URL(location, url).href };
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("curl", args, { encoding: "utf8" }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${args.at(-1)}: ${stderr} ${stdout}`, { cause: error })),
    );
  });
}
