import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A separate file system that can be filled. Disposing unmounts it. */
export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Fills it completely. */
  fill(): void;
  makeRoom(): void;
  /** Mounts it read-only. None of its files may be open for writing. */
  seal(): void;
  unseal(): void;
}

/** Why no disk can be mounted on this machine; undefined where one can. */
export const noSmallDisk: string | undefined = findObstacle();

function findObstacle(): string | undefined {
  if (process.platform !== "linux") return "this system has no tmpfs";
  const disk = mountSmallDisk(1);
  disk?.[Symbol.dispose]();
  return disk === undefined ? "this user may not mount a tmpfs" : undefined;
}

/** Mounts a file system in memory; undefined where this user may not. @param mebibytes its size */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-full-"));
  const filler = join(folder, "filler");
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", folder]).status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    fill: () => void spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4k"]),
    makeRoom: () => rmSync(filler),
    seal: () => remount(folder, "ro"),
    unseal: () => remount(folder, "rw"),
    [Symbol.dispose]: () => {
      spawnSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function remount(folder: string, how: "ro" | "rw"): void {
  const { status, stderr } = spawnSync("mount", ["-o", `remount,${how}`, folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}
