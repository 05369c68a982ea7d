import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { LoopbackCertificate } from "@plimsoll/testing";
import { findFreePort } from "./service-process.ts";

/** A reverse proxy of another project before a registry. */
export interface ReverseProxy {
  readonly name: string;
  readonly isMissing: boolean;
  /** Starts it with its files in a folder. */
  open(folder: string, target: string, entrance?: ProxyEntrance): Promise<OpenProxy>;
}

/** Where clients reach a proxy. */
export interface ProxyEntrance {
  /** Found if it is not given. */
  readonly port?: number;
  /** With one, it speaks TLS with its clients, HTTP/2 too, and tells the registry so. */
  readonly certificate?: LoopbackCertificate;
}

/** A running reverse proxy. Disposing stops it. */
export interface OpenProxy extends AsyncDisposable {
  readonly port: number;
}

const PATH = `${process.env.PATH}:/usr/sbin`;

/** nginx and haproxy. */
export const reverseProxies: readonly ReverseProxy[] = [
  { name: "nginx", isMissing: isMissing("nginx"), open: openNginx },
  { name: "haproxy", isMissing: isMissing("haproxy"), open: openHaproxy },
];

function isMissing(program: string): boolean {
  return spawnSync(program, ["-v"], { env: { ...process.env, PATH } }).error !== undefined;
}

function openNginx(folder: string, target: string, entrance: ProxyEntrance = {}): Promise<OpenProxy> {
  const { certFile, keyFile } = entrance.certificate ?? {};
  const tls = certFile === undefined ? "" : `ssl_certificate ${certFile}; ssl_certificate_key ${keyFile};`;
  return open(entrance, async (port) => {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (each) => `${each}_temp_path ${folder}/${each};`,
    );
    const config = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
      events {}
      http { ${temporary.join(" ")} access_log off;
        server { listen 127.0.0.1:${port}${tls && " ssl http2"}; ${tls} client_max_body_size 0;
          location / { proxy_pass http://${target}; proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme;
            proxy_buffering off; proxy_request_buffering off; } } }`;
    return ["nginx", "-p", folder, "-e", join(folder, "error.log"), "-c", write(folder, "nginx.conf", config)];
  });
}

function openHaproxy(folder: string, target: string, entrance: ProxyEntrance = {}): Promise<OpenProxy> {
  const { cert, key } = entrance.certificate ?? {};
  const tls = cert === undefined ? "" : ` ssl crt ${write(folder, "both.pem", `${cert}${key}`)} alpn h2,http/1.1`;
  return open(entrance, async (port) => {
    const config = `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend front
  bind 127.0.0.1:${port}${tls}
  http-request set-header X-Forwarded-Proto ${tls ? "https" : "http"}
  default_backend registry
backend registry
  server registry ${target}
`;
    return ["haproxy", "-db", "-f", write(folder, "haproxy.cfg", config)];
  });
}

function write(folder: string, name: string, content: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

async function open(
  entrance: ProxyEntrance,
  commandFor: (port: number) => Promise<readonly string[]>,
): Promise<OpenProxy> {
  const port = entrance.port ?? (await findFreePort());
  const [program = "", ...words] = await commandFor(port);
  const child = spawn(program, words, { stdio: "ignore", env: { ...process.env, PATH } });
  await once(child, "spawn");
  while (!(await listens(port)))
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
  return {
    port,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
