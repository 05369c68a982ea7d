import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import type { BuildLimits, BuildNetwork } from "./build-folder.ts";
import { confined } from "./run-program.ts";

/** The log line of a build whose number of processes the kernel cannot limit. */
export const unlimitedProcesses =
  "This machine (Linux before 6.14, or without the right to) cannot limit the processes of a build: they are counted, and the build is stopped if there are too many";

/** The files of the machine that programs see, besides programs (`PATH`) and libraries: certificates without keys, names of hosts and users. */
const folders = ["etc/ssl/certs", "etc/pki/tls/certs", "etc/pki/ca-trust", "etc/ca-certificates", "sys"];
const files = [
  ...["resolv.conf", "hosts", "nsswitch.conf", "passwd", "group", "localtime", "ld.so.cache", "ssl/openssl.cnf"].map(
    (name) => `etc/${name}`,
  ),
  ...["null", "zero", "full", "random", "urandom", "tty"].map((name) => `dev/${name}`),
];

/**
 * The folders of a build that a program sees, by their names in the folder of the build. Not at their paths on the machine, whose letters
 * and spaces programs may read as something else: to buildah, a path with a capital letter is a malformed name of an image.
 *
 * Commands of a Dockerfile can change all of `work`, for example by a mount of a link in a stage. So the server neither reads nor
 * writes there once commands have run, and buildah's settings and results are elsewhere.
 */
export const sandboxFolders = {
  /** The archive, the images, temporary files. */
  work: "/build",
  /** Settings for buildah, and the Dockerfile. The programs cannot change them. */
  settings: "/settings",
  /** What the push needs, and its result. It is created when all commands have ended. */
  push: "/push",
} as const;

/**
 * Creates a separate root file system for a program, with the folders of its build and little else, and starts the program there. A mount
 * in a Dockerfile whose link or path leads elsewhere then finds no file of the machine that it can change, and no disk of the machine
 * is in `/dev`. The settings of the kernel in `/proc` and `/sys` cannot be changed: they are those of the whole machine. Devices in the working folder cannot be opened: a layer or an added archive may have a device file of a disk.
 * @see https://man7.org/linux/man-pages/man2/pivot_root.2.html
 */
const script = `set -e
umask 022
processes=$1 pages=$2
shift 2
folder=$(pwd -P)
root=$folder/root
mkdir -p "$root"
mount -t tmpfs -o nodev,mode=755,size=64m,nr_inodes=65536 builds "$root"
show() {
  mkdir -p "$root$1"
  mount --bind "$1" "$root$1"
  mount -o remount,bind,ro "$root$1"
}
for name in usr bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$name" ]; then cp -P "/$name" "$root/$name"
  elif [ -d "/$name" ]; then show "/$name"
  fi
done
for name in ${folders.join(" ")}; do
  [ ! -d "/$name" ] || show "/$name"
done
for name in ${files.join(" ")}; do
  [ -e "/$name" ] || continue
  mkdir -p "$root/\${name%/*}"
  : >"$root/$name"
  mount --bind "/$name" "$root/$name"
  mount -o remount,bind,ro "$root/$name"
done
IFS=:
for each in $PATH; do
  case $each in /usr/* | /bin | /sbin | /) continue ;; /*) ;; *) continue ;; esac
  [ ! -d "$each" ] || show "$each"
done
unset IFS
for file in /etc/docker/certs.d/*/*.crt /etc/containers/certs.d/*/*.crt; do
  [ -f "$file" ] || continue
  mkdir -p "$root\${file%/*}"
  cp "$file" "$root$file"
done
for name in proc run tmp var/tmp var/lib dev/shm dev/pts machine; do mkdir -p "$root/$name"; done
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs -o nodev,mode=1777,size=64m,nr_inodes=65536 shm "$root/dev/shm"
mount -t proc proc "$root/proc"
[ -z "$processes" ] || { echo "$processes" >"$root/proc/sys/kernel/pid_max"; } 2>/dev/null ||
  echo "${unlimitedProcesses}"
{ echo "$pages" >"$root/proc/sys/kernel/shmall"; } 2>/dev/null ||
  echo "This machine cannot limit the shared memory of a build that no process has attached"
cd "$root/proc"
for name in $(find . -mindepth 1 -maxdepth 1 ! -name '[0-9]*' ! -type l \\( -type d -o -perm /222 \\)); do
  mount -o bind,ro "$name" "$name"
done
place() {
  [ -d "$folder/$1" ] || return 0
  mkdir "$root$2"
  mount --bind "$folder/$1" "$root$2"
  mount -o "remount,bind,nodev$3" "$root$2"
}
mkdir -p "$folder/work"
place work ${sandboxFolders.work}
place settings ${sandboxFolders.settings} ,ro
place push ${sandboxFolders.push}
cd "$root"
PATH=$PATH:/usr/sbin:/sbin pivot_root . machine
umount -l /machine
cd ${sandboxFolders.work}
exec "$@"`;

/** The limits and the network of a program. */
export interface Sandbox {
  readonly limits: BuildLimits;
  readonly network: BuildNetwork;
}

/**
 * The command before a program, as {@link confined}, that sees no file of the machine except its working folder and programs. When
 * memory is short, the kernel kills it before other processes. `watchBuild` enforces the limits and reports which one was exceeded;
 * the kernel's limits are higher and hold between two of its measurements. A process has twice the memory; a file has twice the disk,
 * or 4 GiB more than the disk if that is larger.
 * @see https://man7.org/linux/man-pages/man2/getrlimit.2.html
 */
export function sandboxed({ limits, network }: Sandbox): readonly string[] {
  const { memoryBytes, processes, diskBytes } = limits;
  const spaces = ["--ipc", ...(network === "none" ? ["--net"] : [])];
  const resources = [
    `--data=${2 * memoryBytes}`,
    `--fsize=${diskBytes + Math.max(diskBytes, leastFileExcess)}`,
    "--core=0",
  ];
  const excess = Math.max(processes, leastPidExcess);
  const pids = limitsPids(release()) ? String(Math.min(mostPids, firstPids + processes + excess)) : "";
  const pages = String(Math.ceil(memoryBytes / pageBytes));
  const before = [...confined, ...spaces, "prlimit", ...resources, "choom", "-n", "1000", "--"];
  return [...before, "sh", "-c", script, "sh", pids, pages];
}

/** The number that the kernel continues with after the largest process id. */
const firstPids = 300;

/** More processes than can be started between two measurements: at the kernel's limit, a command fails before it is known why. */
const leastPidExcess = 2000;

/** The largest value that the kernel accepts. */
const mostPids = 2 ** 22;

const pageBytes = 4096;

/** More bytes than can be written between two measurements. */
const leastFileExcess = 4 * 1024 ** 3;

/**
 * Whether a PID namespace has its own limit, as since Linux 6.14. Before, the limit was the machine's.
 * @param kernel the release of the kernel
 * @see https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git/commit/?id=7863dcc72d0f4b13a641065670426435448b3d80
 */
export function limitsPids(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map((part) => Number.parseInt(part, 10));
  return major > 6 || (major === 6 && minor >= 14);
}

/** A program for a trial run. */
export interface TrialProgram {
  /** Its name and its arguments. */
  readonly words: readonly string[];
  readonly sandbox: Sandbox;
  readonly environment: Readonly<Record<string, string>>;
}

/** Whether a program runs in the sandbox and exits with 0. @param parent the folder of its working folder */
export function canRunSandboxed(parent: string, { words, sandbox, environment }: TrialProgram): boolean {
  const folder = tryMakeFolder(parent);
  if (folder === undefined) return false;
  const [command = "", ...before] = sandboxed(sandbox);
  const options = { cwd: folder, env: environment, timeout: 10_000 };
  const { status } = spawnSync(command, [...before, ...words], options);
  rmSync(folder, { recursive: true, force: true });
  return status === 0;
}

/** Creates a folder; undefined if that fails. Then nothing can be built either. */
function tryMakeFolder(parent: string): string | undefined {
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    return mkdtempSync(join(parent, "try-"));
  } catch {
    return undefined;
  }
}
