import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readlinkSync, renameSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"

/**
 * `EXT4_IOC_SHUTDOWN` without flushing the log: from then on nothing more of what the kernel holds in memory reaches the disk. What
 * had not been written back is lost as with the machine's power. Node has no ioctl.
 */
const shutDown = `open(my $d, '<', $ARGV[0]) or die $!; my $f = pack('L', 2); ioctl($d, 0x8004587D, $f) or die $!`

const run = (program: string, ...args: ReadonlyArray<string>) =>
  execFileSync(program, args, { stdio: ["ignore", "pipe", "pipe"] }).toString()

/** Why there can be no such disk here; undefined where there can. */
export const noDisk = (): string | undefined => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    return "a file system is mounted, which takes root on Linux"
  }
  try {
    run("sh", "-c", "command -v mkfs.ext4 && command -v losetup && command -v perl && losetup -f")
    return undefined
  } catch {
    return "mkfs.ext4, losetup, perl or a free loop device is missing"
  }
}

const leadsTo = (folder: string, link: string): boolean => {
  try {
    return `${readlinkSync(link)}/`.startsWith(`${folder}/`)
  } catch {
    return false
  }
}

/** Processes that have a file or their place on the disk: all of them are of the service that lives there. */
const usersOf = (folder: string): ReadonlyArray<number> =>
  readdirSync("/proc").filter((name) => /^\d+$/u.test(name)).filter((pid) => {
    try {
      return leadsTo(folder, `/proc/${pid}/cwd`)
        || readdirSync(`/proc/${pid}/fd`).some((fd) => leadsTo(folder, `/proc/${pid}/fd/${fd}`))
    } catch {
      return false
    }
  }).map(Number)

const kill = (pid: number) => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}

/** An ext4 in a file, mounted below `folder`, whose power can be cut. */
export const openDisk = (folder: string) => {
  const image = join(folder, "disk.img")
  const mounted = join(folder, "disk")
  mkdirSync(mounted)
  run("truncate", "-s", "8G", image)
  run("mkfs.ext4", "-q", "-F", image)
  const mount = () => run("mount", "-o", "loop", image, mounted)
  mount()
  const copy = `${image}.cut`

  const leave = async (process_group: number) => {
    kill(-process_group)
    for (let tries = 0;; tries++) {
      for (const pid of usersOf(mounted)) if (pid !== process.pid) kill(pid)
      try {
        return void run("umount", mounted)
      } catch (error) {
        if (tries === 100) throw error
        await delay(100)
      }
    }
  }
  return {
    path: mounted,
    /** Cuts the power, ends whoever is left, and mounts what the disk holds; the file system replays its log. */
    cut: async (process_group: number) => {
      run("perl", "-e", shutDown, mounted)
      // Of what the disk holds by now: somebody's mount namespace may keep the file system that was shut down, and a mount of the
      // same file would be that one again.
      run("cp", "--sparse=always", image, copy)
      await leave(process_group)
      renameSync(copy, image)
      mount()
    },
    close: leave
  }
}
