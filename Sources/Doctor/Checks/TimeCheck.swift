import EarthModel
import Quantities

/// Whether the system's clock is set, synchronised by one service, and not stepped.
enum TimeCheck {
  /// The services that set the clock, with the unit of each.
  private static let services = ["chrony", "ntpsec", "ntp", "systemd-timesyncd", "openntpd"]
  /// So many steps since the start of the machine are not those of the first synchronisation.
  private static let usualSteps = 2

  static func findings(on machine: Machine) -> [MachineFinding] {
    guard machine.system.runsPrograms else { return [] }
    let clock = machine.system.clock
    let year = clock.utc.decimalYear
    guard year >= MagneticModel.wmm2025.epoch else {
      return [
        MachineFinding(
          .timeNotSet, .fault, "the clock shows the year \(Int(bounded: year))",
          why:
            "true north is computed for the wrong date, and certificates and logs are wrong; a Raspberry Pi before "
            + "the 5 has no clock with a battery",
          remedy: synchronisation(machine))
      ]
    }
    var active = services.filter { machine.isActive("\($0).service") }
    // Debian's ntpsec has the alias ntp.
    if active.contains("ntpsec") { active.removeAll { $0 == "ntp" } }
    let problems =
      notSynchronised(machine, clock.errorSeconds, active) + twoServices(active) + steps(machine)
    guard problems.isEmpty else { return problems }
    let name = active.first.map { " by \($0)" } ?? ""
    return [.ok(.time, "the clock is synchronised\(name)")]
  }

  /// - Source: systemd-timedated(8): `set-ntp` starts an installed service, and is refused without
  ///   one.
  private static func synchronisation(_ machine: Machine) -> Remedy {
    if machine.isContainer {
      return .manual("# on the host of this container, whose clock it is: timedatectl set-ntp true")
    }
    let isInstalled = services.contains { name in
      ["/usr/lib", "/lib"].contains { machine.exists("\($0)/systemd/system/\(name).service") }
    }
    guard !isInstalled else { return .fix(.run(["timedatectl", "set-ntp", "true"])) }
    return machine.isRunBySystemd
      ? .manual("sudo apt install systemd-timesyncd    # or chrony")
      : .manual(
        "sudo apt install chrony    # and start chronyd; the clock of a chroot is that of its host")
  }

  private static func notSynchronised(
    _ machine: Machine, _ error: Double?, _ active: [String]
  ) -> [MachineFinding] {
    guard error == nil else { return [] }
    let why =
      "times of estimates and of stored fixes are those of a free clock, off by seconds a day"
    if let name = active.first {
      return [
        MachineFinding(
          .timeNotSynchronised, .warning, "\(name) runs, but the clock is not synchronised yet",
          why: why,
          remedy: .manual(
            name == "systemd-timesyncd" ? "timedatectl timesync-status" : "chronyc sources",
            "# without a network: the receiver's time by 'time-chrony' in /etc/lodestar/serve.yaml")
        )
      ]
    }
    return [
      MachineFinding(
        .timeNotSynchronised, .warning, "no service synchronises the clock", why: why,
        remedy: synchronisation(machine))
    ]
  }

  private static func twoServices(_ active: [String]) -> [MachineFinding] {
    guard active.count > 1 else { return [] }
    return [
      MachineFinding(
        .timeTwoServices, .warning, "\(active.joined(separator: " and ")) both set the clock",
        why: "they pull the clock in turns, so that it steps or drifts",
        remedy: .manual("sudo systemctl disable --now \(active[1]).service"))
    ]
  }

  /// - Source: chronyd's message "System clock was stepped by"; systemd-journald's "Time jumped
  ///   backwards".
  private static func steps(_ machine: Machine) -> [MachineFinding] {
    // Without the units the search reads the whole journal.
    let command = [
      "journalctl", "--boot", "--quiet", "--no-pager", "--output=cat", "--unit=chrony.service",
      "--unit=chronyd.service", "--unit=systemd-journald.service",
      "--grep=clock was stepped by|Time jumped backwards",
    ]
    guard let outcome = machine.system.run(command), outcome.status == 0 else { return [] }
    let count = outcome.output.split(separator: "\n").count
    guard count > usualSteps else { return [] }
    return [
      MachineFinding(
        .timeSteps, .warning, "the clock was stepped \(count) times since the start",
        why:
          "heading and attitude do not need it, but times in logs and recordings go back and forth",
        remedy: .manual("journalctl --boot --grep='clock was stepped by|Time jumped'"))
    ]
  }
}

/// Whether the magnetic model is valid today.
enum MagneticModelCheck {
  /// NOAA publishes the next model about a month before the old one ends.
  private static let noticeYears = 0.25

  static func findings(on machine: Machine) -> [MachineFinding] {
    let model = MagneticModel.wmm2025
    let year = machine.system.clock.utc.decimalYear
    let end = model.validYears.upperBound
    let validity = "\(model.name) is valid until \(Int(bounded: end))-01-01"
    // A clock that is not set has a finding of its own.
    guard year >= model.validYears.lowerBound else { return [] }
    guard year > end - noticeYears else { return [.ok(.model, validity)] }
    let isOver = year > end
    return [
      MachineFinding(
        isOver ? .modelExpired : .modelExpiring, isOver ? .fault : .note, validity,
        why: "after that the error of true north grows, by up to half a degree a year",
        remedy: .manual(
          "sudo apt update && sudo apt install lodestar    # or git pull, Scripts/install"))
    ]
  }
}
