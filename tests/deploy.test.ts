/** What `deploy/` promises: settings and metrics that it names exist, the image is built and works, the chart and the unit are read. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { skipNote } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { allSettings } from "../packages/server/src/config/all-settings.ts";
import { environmentName } from "../packages/server/src/config/settings.ts";
import { tempFolder } from "./support/temp-folder.ts";

const root = join(import.meta.dirname, "..");
const deploy = join(root, "deploy");
const readText = (path: string) => readFileSync(join(deploy, path), "utf8");

const variables = new Set(Object.keys(allSettings).map(environmentName));

function missing(program: string): string | undefined {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0 ? undefined : `${program} is not installed`;
}

describe("what deploy/ names", () => {
  it.each(["Dockerfile", "compose/compose.yaml", "compose/cluster.yaml", "helm/plimsoll/templates/workload.yaml"])(
    "are variables of settings: %s",
    (path) => {
      const named = readText(path).match(/\bPLIMSOLL_[A-Z0-9_]+\b/g) ?? [];

      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((name) => !variables.has(name))).toEqual([]);
    },
  );

  it("are settings in the values of the chart", () => {
    const { settings } = parse(readText("helm/plimsoll/values.yaml")) as { readonly settings: object };

    expect(Object.keys(settings).filter((name) => !(name in allSettings))).toEqual([]);
  });

  it.each(["prometheus/alerts.yaml", "grafana/plimsoll.json"])("are metrics that are served: %s", (path) => {
    const served = readFileSync(join(root, "docs/reference/metrics.md"), "utf8");
    const named = (readText(path).match(/\bplimsoll_[a-z_]+/g) ?? []).map((name) =>
      name.replace(/_(?:bucket|count|sum)$/, ""),
    );

    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !served.includes(`\`${name}\``))).toEqual([]);
  });

  it("are services with an image or a way to build one", () => {
    for (const path of ["compose/compose.yaml", "compose/cluster.yaml"]) {
      const { services } = parse(readText(path), { merge: true }) as { readonly services: Record<string, object> };
      for (const [name, service] of Object.entries(services)) expect(service, name).toHaveProperty("image");
      expect(JSON.stringify(services)).toContain("deploy/Dockerfile");
    }
  });
});

const noSystemd = missing("systemd-analyze");

it.skipIf(noSystemd !== undefined)(`the unit is one that systemd reads${skipNote(noSystemd)}`, () => {
  const { stderr, status } = spawnSync("systemd-analyze", ["verify", join(deploy, "systemd/plimsoll.service")], {
    encoding: "utf8",
  });

  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
});

const noHelm = missing("helm");

describe(`the chart${skipNote(noHelm)}`, () => {
  const chart = join(deploy, "helm/plimsoll");
  const helm = (...words: readonly string[]) => spawnSync("helm", words, { encoding: "utf8" });
  const cluster = "database=postgres://db/plimsoll,secretSettings.secretKey=a2V5,secretSettings.s3SecretAccessKey=s";

  it.skipIf(noHelm !== undefined)("has no fault that helm lint finds", () => {
    expect(helm("lint", "--strict", chart)).toMatchObject({ status: 0 });
  });

  it.skipIf(noHelm !== undefined)("keeps one replica on a volume, and several on a database and a bucket", () => {
    const one = helm("template", "registry", chart);
    const three = [
      "template",
      "registry",
      chart,
      "--set",
      `replicas=3,settings.storage=s3://b,secretSettings.${cluster}`,
    ];
    const several = helm(...three, "--set", "persistence.enabled=false,ingress.enabled=true,ingress.tlsSecret=tls");

    expect(one).toMatchObject({ status: 0, stdout: expect.stringContaining("volumeClaimTemplates") });
    expect(several).toMatchObject({ status: 0, stdout: expect.stringContaining("PLIMSOLL_S3_SECRET_ACCESS_KEY:") });
    const secrets = several.stdout.match(/PLIMSOLL_[A-Z0-9_]+(?=: ")/g) ?? [];
    expect(secrets.filter((name) => !variables.has(name))).toEqual([]);
  });

  it.skipIf(noHelm !== undefined)("refuses several replicas without what they share", () => {
    expect(helm("template", "registry", chart, "--set", "replicas=2")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("need the setting database"),
    });
  });
});

const built = join(root, "packages/server/dist/plimsoll.js");
const noImage =
  missing("buildah") ?? (process.env.PLIMSOLL_TEST_COMMAND ? undefined : "PLIMSOLL_TEST_COMMAND is not set");

describe(`the image${skipNote(noImage)}`, { timeout: 300_000 }, () => {
  let folder: ReturnType<typeof tempFolder> | undefined;
  let storage: readonly string[] = [];
  const buildah = (...words: readonly string[]) =>
    execFileSync("buildah", [...storage, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

  beforeAll(() => {
    if (noImage !== undefined) return;
    folder = tempFolder();
    const place = folder.path;
    storage = ["--storage-driver", "vfs", "--root", join(place, "root"), "--runroot", join(place, "run")];
    fillBase(join(place, "base"));
    const base = buildah("from", "scratch");
    buildah("add", base, join(place, "base"), "/");
    buildah("config", "--env", "PATH=/usr/bin:/bin", base);
    buildah("commit", base, "localhost/base");
    const words = ["--isolation", "chroot", "--build-arg", "BASE=localhost/base", "--pull-never"];
    buildah("bud", ...words, "-f", join(deploy, "Dockerfile"), "-t", "plimsoll", root);
  }); // it copies the whole tree
  afterAll(() => folder?.[Symbol.dispose]());

  it.skipIf(noImage !== undefined)("has the command, which runs without rights and writes to /data alone", () => {
    expect(existsSync(built)).toBe(true);
    const image = JSON.parse(buildah("inspect", "--type", "image", "plimsoll")) as {
      readonly OCIv1: { readonly config: Readonly<Record<string, unknown>> };
    };
    expect(image.OCIv1.config).toMatchObject({
      User: "65532:65532",
      Entrypoint: ["node", "/opt/plimsoll/plimsoll.js"],
      Cmd: ["serve"],
      Volumes: { "/data": {} },
    });

    const container = buildah("from", "--pull-never", "plimsoll");
    const run = (script: string) => buildah("run", "--isolation", "chroot", container, "--", "sh", "-c", script);
    expect(run("node /opt/plimsoll/plimsoll.js version")).toMatch(/^plimsoll \d+\.\d+\.\d+|^\d+\.\d+\.\d+/);
    expect(run("node /opt/plimsoll/plimsoll.js admin create-user ada >/data/out && id -u && ls /data")).toMatch(
      /^65532\nout\nplimsoll\.db/,
    );
    expect(run("ls /opt/plimsoll/console")).toContain("index.html");
    expect(() => run("touch /opt/plimsoll/x")).toThrow();
  });
});

/** A root with Node, a shell and the few programs that the Dockerfile runs, taken from this machine. */
function fillBase(base: string): void {
  const node = process.execPath;
  const programs = [node, ...["sh", "mkdir", "chown", "id", "ls", "touch"].map((name) => which(name))];
  for (const program of programs) {
    place(base, program, join("/usr/bin", program === node ? "node" : (program.split("/").at(-1) ?? "")));
    for (const library of librariesOf(program)) place(base, library, library);
  }
  mkdirSync(join(base, "tmp"), { mode: 0o1777 });
  mkdirSync(join(base, "bin"), { recursive: true });
  place(base, which("sh"), "/bin/sh");
}

function place(base: string, from: string, to: string): void {
  mkdirSync(join(base, dirname(to)), { recursive: true });
  copyFileSync(realpathSync(from), join(base, to));
}

function which(program: string): string {
  return execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
}

function librariesOf(program: string): readonly string[] {
  const listed = spawnSync("ldd", [program], { encoding: "utf8" }).stdout;
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, library = ""]) => library);
}
