import Quantities

/// Whether calibration and last fix can be stored, and survive a restart.
enum StorageCheck {
  private static let leastBytes: UInt64 = 10 << 20
  private static let fewBytes: UInt64 = 100 << 20

  static func findings(on machine: Machine) -> [MachineFinding] {
    let problems = fileSystem(machine) + owner(machine) + space(machine)
    guard problems.isEmpty else { return problems }
    return [.ok(.storage, "\(machine.stateFolder) can be written")]
  }

  /// One line of `/proc/mounts`.
  /// - Source: fstab(5): device, folder, type, options.
  private struct Mount {
    var folder: String
    var type: String
    var options: [Substring]
  }

  /// The mount that a folder is on: that of the longest folder, the last one mounted there.
  private static func mount(of folder: String, _ machine: Machine) -> Mount? {
    let mounts = (machine.text("/proc/mounts") ?? "").split(separator: "\n").compactMap {
      line -> Mount? in
      let fields = line.split(separator: " ")
      guard fields.count > 3 else { return nil }
      return Mount(
        folder: String(fields[1]), type: String(fields[2]), options: fields[3].split(separator: ",")
      )
    }
    return mounts.filter {
      folder == $0.folder || folder.hasPrefix($0.folder == "/" ? "/" : $0.folder + "/")
    }
    .max { $0.folder.count < $1.folder.count || $0.folder.count == $1.folder.count }
  }

  private static func fileSystem(_ machine: Machine) -> [MachineFinding] {
    let folder = machine.stateFolder
    guard let mount = mount(of: folder, machine) else { return [] }
    if mount.options.contains("ro") {
      return [
        MachineFinding(
          .stateReadOnly, .warning, "\(folder) is on a read-only file system (\(mount.folder))",
          why:
            "the daemon serves, but stores neither calibration nor last fix: each start begins without them. A "
            + "failing card becomes read-only by itself: see dmesg",
          remedy: .manual(
            "sudo mount -o remount,rw \(mount.folder)",
            "# or mount a writable file system at \(folder)"))
      ]
    }
    // raspi-config's "Overlay File System" keeps all writes in memory.
    guard ["tmpfs", "ramfs", "overlay"].contains(mount.type) else { return [] }
    let place = "\(mount.type) at \(mount.folder)"
    let isOverlay = mount.type == "overlay"
    if machine.isContainer {
      return [
        MachineFinding(
          .stateVolatile, .warning, "\(folder) belongs to the container (\(place))",
          why: "a calibration is lost with the container",
          remedy: .manual("# mount a volume of the container's host at \(folder)"))
      ]
    }
    return [
      MachineFinding(
        .stateVolatile, .warning,
        "\(folder) is " + (isOverlay ? "on an overlay file system" : "in memory") + " (\(place))",
        why: isOverlay
          ? "the changes of an overlay are usually in memory: a calibration is lost with the next start"
          : "a calibration is lost with the next start",
        remedy: machine.isRaspberryPi
          ? .manual(
            "sudo raspi-config nonint do_overlayfs 1    # or mount a file system at \(folder)",
            then: .restart)
          : .manual("# mount a file system of a disk at \(folder), by a line of /etc/fstab"))
    ]
  }

  /// A file of root in the state is ignored or cannot be replaced by the daemon.
  private static func owner(_ machine: Machine) -> [MachineFinding] {
    guard let user = machine.accounts.user(AccessCheck.service), AccessCheck.hasUnit(machine) else {
      return []
    }
    let folder = machine.stateFolder
    let paths = [folder] + machine.names(in: folder).map { "\(folder)/\($0)" }
    let foreign = paths.filter { path in
      machine.system.attributes(of: machine.root + path).map { $0.uid != user.uid } ?? false
    }
    guard let first = foreign.first else { return [] }
    return [
      MachineFinding(
        .stateOwner, .fault,
        "\(first) does not belong to the user \(user.name)"
          + (foreign.count > 1 ? ", nor do \(foreign.count - 1) more" : ""),
        why: "the daemon cannot read or replace it: a calibration in it is not used",
        remedy: .fix(
          .run(["chown", "--recursive", "\(user.name):\(user.name)", folder]),
          .run(["systemctl", "try-restart", "lodestar.service"])))
    ]
  }

  private static func space(_ machine: Machine) -> [MachineFinding] {
    let folder = machine.exists(machine.stateFolder) ? machine.stateFolder : "/"
    guard let free = machine.system.freeBytes(of: machine.root + folder), free < fewBytes else {
      return []
    }
    return [
      MachineFinding(
        .diskFull, free < leastBytes ? .fault : .warning,
        "\(free >> 20) MB are free on the file system of \(folder)",
        why: "a calibration that cannot be stored whole is not stored at all",
        remedy: .manual("sudo journalctl --vacuum-size=50M", "sudo apt clean"))
    ]
  }
}
