/// Whether the person and the daemon's user may open the devices and the daemon's socket.
enum AccessCheck {
  /// The daemon's user and group.
  static let service = "lodestar"
  /// The rules that `--fix` writes; a name of its own, because one of the package's would hide the
  /// package's file.
  static let rulesFile = "/etc/udev/rules.d/61-lodestar-devices.rules"

  /// Devices of one kind: how they are found, and the group that should own them.
  private struct Kind {
    var prefix: String
    var group: String
    var rule: String
  }

  /// - Source: the groups of Debian's 50-udev-default.rules (dialout), of its package i2c-tools
  ///   (i2c) and of Raspberry Pi OS, 99-com.rules (gpio, i2c, spi).
  private static let kinds = [
    Kind(
      prefix: "i2c-", group: "i2c",
      rule: "SUBSYSTEM==\"i2c-dev\", GROUP=\"i2c\", MODE=\"0660\""),
    Kind(
      prefix: "spidev", group: "spi", rule: "SUBSYSTEM==\"spidev\", GROUP=\"spi\", MODE=\"0660\""),
    Kind(
      prefix: "gpiochip", group: "gpio",
      rule: "SUBSYSTEM==\"gpio\", KERNEL==\"gpiochip*\", GROUP=\"gpio\", MODE=\"0660\""),
    Kind(
      prefix: "iio:device", group: "i2c",
      // Rates, ranges and buffers are set in sysfs.
      rule: "SUBSYSTEM==\"iio\", KERNEL==\"iio:device*\", GROUP=\"i2c\", MODE=\"0660\", "
        + "RUN+=\"/bin/sh -c 'chgrp -R i2c /sys%p && chmod -R g=u /sys%p'\""),
    Kind(
      prefix: "pps", group: "dialout",
      rule: "SUBSYSTEM==\"pps\", GROUP=\"dialout\", MODE=\"0660\""),
  ]

  static func findings(on machine: Machine) -> [MachineFinding] {
    let accounts = machine.accounts
    var problems = serviceUser(machine, accounts)
    let devices = devices(of: machine)
    problems += rootOnly(devices, machine, accounts)
    let served = accounts.user(service)
    if let served, hasUnit(machine) {
      problems += membership(of: served, devices, .accessService, machine, accounts)
    }
    if let person = machine.person, person.name != service {
      // Programs reach the daemon by its socket: then only its group is needed.
      let socket = machine.system.attributes(of: machine.root + "/run/lodestar/lodestar.sock")
      if let socket {
        problems += self.socket(socket, person, machine, accounts)
      } else if let group = accounts.group(service), isEnabled(machine) {
        // The daemon does not run now; its socket will have this group.
        if !accounts.groups(of: person).contains(group.gid) {
          problems.append(notInGroup(of: service, person))
        }
      } else {
        problems += membership(of: person, devices, .accessUser, machine, accounts)
      }
    }
    guard problems.isEmpty else { return problems }
    guard !devices.isEmpty else { return [] }
    return [.ok(.access, "devices can be opened: " + devices.map(\.path).joined(separator: ", "))]
  }

  // MARK: Devices

  private struct Device {
    var path: String
    var attributes: FileAttributes
    /// How the names of its kind begin; nil for a serial port.
    var prefix: String?
  }

  /// The buses, lines and pulses, and the ports that may have a receiver.
  private static func devices(of machine: Machine) -> [Device] {
    var devices: [Device] = []
    for kind in kinds {
      for name in machine.numbered(kind.prefix, in: "/dev") {
        let path = "/dev/\(name)"
        guard let attributes = machine.system.attributes(of: machine.root + path) else { continue }
        devices.append(Device(path: path, attributes: attributes, prefix: kind.prefix))
      }
    }
    for path in machine.receiverPorts {
      guard let attributes = machine.system.attributes(of: machine.root + path) else { continue }
      devices.append(Device(path: path, attributes: attributes))
    }
    return devices
  }

  /// Devices that belong to root alone: no group helps until a rule gives them one.
  private static func rootOnly(
    _ devices: [Device], _ machine: Machine, _ accounts: UserAccounts
  ) -> [MachineFinding] {
    kinds.compactMap { kind in
      let closed = devices.filter { $0.prefix == kind.prefix && isRootOnly($0) }
      guard !closed.isEmpty else { return nil }
      var steps: [RepairStep] = []
      if accounts.group(kind.group) == nil {
        steps.append(.run(["groupadd", "--system", kind.group]))
      }
      steps += [
        .line(kind.rule, file: rulesFile), .run(["udevadm", "control", "--reload"]),
        .run(["udevadm", "trigger", "--settle"]),
      ]
      return MachineFinding(
        .accessDevice, .warning,
        closed.map(\.path).joined(separator: ", ") + (closed.count == 1 ? " belongs" : " belong")
          + " to root alone",
        why: "neither the daemon's user nor yours can open "
          + (closed.count == 1 ? "it" : "them")
          + "; a rule of udev makes the group \(kind.group) their owner",
        remedy: Remedy(steps: steps, commands: steps.map(\.command)))
    }
  }

  private static func isRootOnly(_ device: Device) -> Bool {
    let attributes = device.attributes
    return attributes.uid == 0 && attributes.mode & 0o6 != 0o6
      && (attributes.gid == 0 || attributes.mode & 0o60 != 0o60)
  }

  // MARK: Users

  /// The groups that a user lacks for the devices, one finding for all of them.
  private static func membership(
    of user: UserAccounts.User, _ devices: [Device], _ problem: Problem, _ machine: Machine,
    _ accounts: UserAccounts
  ) -> [MachineFinding] {
    let own = accounts.groups(of: user)
    let isService = problem == .accessService
    // Without these bits no group helps: root's alone, or a terminal that someone has logged in at.
    let devices = devices.filter { !isRootOnly($0) && $0.attributes.mode & 0o60 == 0o60 }
    let closed = devices.filter { !$0.attributes.admits(uid: user.uid, groups: own) }
    let groups = Set(closed.map(\.attributes.gid)).compactMap { gid in
      accounts.groups.first { $0.gid == gid }?.name
    }.sorted()
    if !groups.isEmpty {
      let names = groups.joined(separator: ",")
      let step = RepairStep.run(["usermod", "-aG", names, user.name])
      let paths = closed.map(\.path).joined(separator: ", ")
      return [
        MachineFinding(
          problem, .fault,
          "the user \(user.name) is not in the group\(groups.count == 1 ? "" : "s") \(names)",
          why: "\(isService ? "the daemon" : "a program of this user") cannot open \(paths)",
          remedy: isService
            ? .fix(step, .run(["systemctl", "try-restart", "lodestar.service"]))
            : .fix(step, then: .login))
      ]
    }
    // The groups of a session are those of its login.
    let caller = machine.system.caller
    guard !isService, caller.uid == user.uid,
      let device = devices.first(where: {
        !$0.attributes.admits(uid: caller.uid, groups: caller.groups)
      })
    else { return [] }
    return [loginNeeded(user, device.path)]
  }

  private static func loginNeeded(_ user: UserAccounts.User, _ path: String) -> MachineFinding {
    MachineFinding(
      .accessLogin, .warning,
      "this session of \(user.name) began before the user joined its groups",
      why: "it cannot open \(path); a new session can",
      remedy: .manual("exit    # and log in again", then: .login))
  }

  private static func notInGroup(of group: String, _ person: UserAccounts.User) -> MachineFinding {
    MachineFinding(
      .accessSocket, .fault, "the user \(person.name) is not in the group \(group)",
      why: "programs of this user cannot reach the daemon at /run/lodestar/lodestar.sock",
      remedy: .fix(.run(["usermod", "-aG", group, person.name]), then: .login))
  }

  private static func socket(
    _ attributes: FileAttributes, _ person: UserAccounts.User, _ machine: Machine,
    _ accounts: UserAccounts
  ) -> [MachineFinding] {
    let own = accounts.groups(of: person)
    if !attributes.admits(uid: person.uid, groups: own) {
      let group = accounts.groups.first { $0.gid == attributes.gid }?.name ?? service
      return [notInGroup(of: group, person)]
    }
    let caller = machine.system.caller
    guard caller.uid == person.uid, !attributes.admits(uid: caller.uid, groups: caller.groups)
    else { return [] }
    return [loginNeeded(person, "/run/lodestar/lodestar.sock")]
  }

  // MARK: The daemon's user

  /// Whether the daemon is installed as a service.
  static func hasUnit(_ machine: Machine) -> Bool {
    ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]
      .contains { machine.exists("\($0)/lodestar.service") }
  }

  /// Whether the service starts with the machine.
  static func isEnabled(_ machine: Machine) -> Bool {
    hasUnit(machine) && machine.isRunBySystemd
      && machine.system.run(["systemctl", "is-enabled", "--quiet", "lodestar.service"])?.status == 0
  }

  /// - Source: systemd.exec(5), exit status 217/USER.
  private static func serviceUser(_ machine: Machine, _ accounts: UserAccounts) -> [MachineFinding]
  {
    guard hasUnit(machine), accounts.user(service) == nil else { return [] }
    return [
      MachineFinding(
        .serviceUser, .fault, "the user \(service) does not exist",
        why: "the unit lodestar.service runs as this user, and ends with the status 217/USER",
        remedy: .fix(
          .run([
            "useradd", "--system", "--user-group", "--no-create-home", "--shell",
            "/usr/sbin/nologin", service,
          ])))
    ]
  }
}
