import { execFile } from "node:child_process";

/** A request by curl, whose own cost is small compared to that of the servers. */
export interface CurlRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly url: string;
  readonly authorization?: string | undefined;
  /** The file to send. */
  readonly file?: string;
  /** Whether the file is sent as a stream of undeclared length. */
  readonly streamed?: boolean;
}

/** The time of a request, from connecting to the last byte, and its location. */
export interface Curled {
  readonly seconds: number;
  /** The response's `Location`, or the requested address if there is none. */
  readonly location: string;
}

/** Sends a request and discards the response. @throws if it is not successful */
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
