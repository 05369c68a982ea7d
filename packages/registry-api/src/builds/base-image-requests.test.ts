/** Requests that Dockerfiles cause by the base images that they name: none of them reaches an internal host. */
import type { LookupFunction } from "node:net";
import { gzipSync } from "node:zlib";
import { packTree, skipNote, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noBuildah, openBuildWorld } from "./fixtures/build-world.ts";
import {
  type Answers,
  answersOf,
  type CountingServer,
  registryAnswering,
  startCountingServer,
} from "./fixtures/outside-registry.ts";

const archive_url = "https://archives.example/app.tar.gz";
const engine = testEngines.find(({ name }) => name === "SQLite file");
if (engine === undefined) throw new Error("there is no engine");

/** Dockerfiles may name the registry at 127.0.0.1, which an attacker has. All other addresses are internal, such as the one of the inner server. */
const allowedInternalHosts = ["127.0.0.1"];

interface Places {
  /** The registry of the attacker. */
  readonly outside: string;
  /** An internal server. */
  readonly inner: string;
  /** The port of both. */
  readonly port: string;
  readonly digests: Readonly<Record<string, string>>;
}

interface RequestRow {
  readonly name: string;
  readonly dockerfile: (places: Places) => string;
  readonly log: RegExp;
}

const rebinding = "a name that leads elsewhere the second time";
const refused = /its address is not on the public internet/;

const rows: readonly RequestRow[] = [
  { name: "an internal address", dockerfile: ({ inner }) => `FROM ${inner}/x\n`, log: refused },
  {
    name: "a mapped address",
    dockerfile: ({ port }) => `FROM [::ffff:127.0.0.2]:${port}/x\n`,
    log: /not an image reference|its address/,
  },
  { name: "a name of this machine", dockerfile: ({ port }) => `FROM localhost:${port}/x\n`, log: refused },
  { name: "a name that leads to one", dockerfile: ({ port }) => `FROM inner.example:${port}/x\n`, log: refused },
  { name: "the address of a cloud's metadata", dockerfile: () => "FROM 169.254.169.254/latest\n", log: refused },
  { name: "a stage's copy", dockerfile: ({ inner }) => `FROM scratch\nCOPY --from=${inner}/x / /\n`, log: refused },
  {
    name: "a mount",
    dockerfile: ({ inner }) => `FROM scratch\nRUN --mount=from=${inner}/x,target=/m x\n`,
    log: refused,
  },
  { name: "an argument", dockerfile: ({ inner }) => `ARG A=${inner}\nFROM \${A}/x\n`, log: refused },
  {
    name: "words that our reader does not understand",
    dockerfile: ({ inner }) => `ARG A=${inner}\nFROM \${N:-$A}/x\n`,
    log: /image not known/,
  },
  {
    name: "an instruction of a base image",
    dockerfile: ({ outside }) => `FROM ${outside}/onbuild\n`,
    log: /image not known|no stage or image found/,
  },
  {
    name: "an address that a base image adds",
    dockerfile: ({ outside }) => `FROM ${outside}/onbuild-add\n`,
    log: /STEP 2\/2: ADD http[\s\S]*network is unreachable/,
  },
  {
    name: "a network that a base image asks for",
    dockerfile: ({ outside }) => `FROM ${outside}/onbuild-network\n`,
    log: /RUN only supports the --mount flag|network/,
  },
  {
    name: "a mount of a base image",
    dockerfile: ({ outside }) => `FROM ${outside}/onbuild-mount\n`,
    log: /image not known|no stage or image found|not found/,
  },
  { name: "a manifest elsewhere", dockerfile: ({ outside }) => `FROM ${outside}/led\n`, log: refused },
  { name: "a blob elsewhere", dockerfile: ({ outside }) => `FROM ${outside}/blob\n`, log: refused },
  { name: "a token service", dockerfile: ({ outside }) => `FROM ${outside}/locked/x\n`, log: refused },
  {
    name: rebinding,
    dockerfile: ({ port }) => `FROM localhost:${port}/first\n`,
    log: refused,
  },
  {
    name: "a layer with an address of its own",
    dockerfile: ({ outside }) => `FROM ${outside}/foreign\n`,
    log: /\/layer": dial tcp \S+: connect: network is unreachable/,
  },
  {
    name: "an added address",
    dockerfile: ({ inner }) => `FROM scratch\nADD http://${inner}/x /x\n`,
    log: /dial tcp|connection refused|unreachable/,
  },
  {
    name: "an added git repository",
    dockerfile: ({ inner }) => `FROM scratch\nADD http://${inner}/x.git /x\n`,
    log: /dial tcp|unreachable|unable to/,
  },
];

/** Images that are as they should be: builds use them. */
const goodRows: readonly RequestRow[] = [
  {
    name: "an image of OCI",
    dockerfile: ({ outside }) => `FROM ${outside}/good\nCOPY --from=${outside}/docker /file /copy\n`,
    log: /complete/,
  },
  { name: "an index of Docker", dockerfile: ({ outside }) => `FROM ${outside}/list:latest\n`, log: /complete/ },
  {
    name: "an index of OCI by its digest",
    dockerfile: ({ outside, digests }) => `FROM ${outside}/index@${digests.index}\n`,
    log: /complete/,
  },
  {
    name: "an image by its tag and its digest",
    dockerfile: ({ outside, digests }) => `FROM ${outside}/docker:latest@${digests.docker}\n`,
    log: /complete/,
  },
];

async function startOutside(inner: CountingServer, digests: Record<string, string>): Promise<CountingServer> {
  const tree = { file: "content" };
  const answers: Record<string, Answers[string]> = {};
  const images = [
    { repository: "good", tree },
    { repository: "docker", tree, isDocker: true },
    { repository: "list", tree, isDocker: true, isIndex: true },
    { repository: "index", tree, isIndex: true },
    { repository: "foreign", tree, layer: { urls: [`http://${inner.host}/layer`] } },
    { repository: "onbuild", tree, config: { OnBuild: [`COPY --from=${inner.host}/x / /`] } },
    { repository: "onbuild-add", tree, config: { OnBuild: [`ADD http://${inner.host}/x /x`] } },
    { repository: "onbuild-network", tree, config: { OnBuild: ["RUN --network=host /file"] } },
    { repository: "onbuild-mount", tree, config: { OnBuild: [`RUN --mount=from=${inner.host}/x,target=/m /file`] } },
    { repository: "blob", tree },
    { repository: "first", tree },
  ];
  for (const image of images) {
    const made = await answersOf(image);
    Object.assign(answers, made.answers);
    digests[image.repository] = made.digest;
  }
  const isBlob = (path: string) => path.startsWith("/v2/blob/blobs/");
  for (const path of Object.keys(answers).filter(isBlob)) answers[path] = { location: `http://${inner.host}${path}` };
  answers["/v2/led/manifests/latest"] = { location: `http://${inner.host}/` };
  const port = Number(inner.host.split(":")[1]);
  return startCountingServer({ address: "127.0.0.1", port }, registryAnswering(answers, `http://${inner.host}/token`));
}

/** Every name leads to the inner server; `localhost` leads to the outer one until that has sent a manifest of `first`. */
function changingLookup({ asked }: CountingServer, rowName: () => string): LookupFunction {
  return (name, options, callback) => {
    const isFirst = rowName() === rebinding && !asked.some((line) => line.includes("/first/manifests/"));
    const address = name === "localhost" && isFirst ? "127.0.0.1" : "127.0.0.2";
    return options.all === true ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4);
  };
}

describe("base images", () => {
  it.skipIf(noBuildah !== undefined)(
    `cause no request to an internal host${skipNote(noBuildah)}`,
    { timeout: 240_000 },
    async () => {
      await using inner = await startCountingServer({ address: "127.0.0.2" }, (_, response) => response.end("{}"));
      const digests: Record<string, string> = {};
      await using outside = await startOutside(inner, digests);
      const [, port = ""] = inner.host.split(":");
      const places = { outside: outside.host, inner: inner.host, port, digests };
      const all = [...rows, ...goodRows];
      const files = all.map(({ dockerfile }, index) => [`Dockerfile.${index}`, dockerfile(places)]);
      const archives = { [archive_url]: gzipSync(await packTree(Object.fromEntries(files))) };
      let current = "";
      const lookup = changingLookup(outside, () => current);
      await using registry = await openBuildWorld({ engine, archives, allowedInternalHosts, lookup });

      for (const [index, { name, log }] of all.entries()) {
        current = name;
        const { id } = await registry.request({ archive_url, dockerfile_path: `Dockerfile.${index}`, context: "/" });
        await registry.runOne();

        const text = (await registry.log(id)).logs.map(({ message }) => message).join("\n");
        expect([name, text, inner.asked]).toEqual([name, expect.stringMatching(log), []]);
      }
      expect(await registry.remains()).toEqual([]);
    },
  );
});
