import Chips
import Quantities

/// What the sensors delivered while they were observed: rates, gaps, limits, faults of buses.
package enum LiveCheck {
  /// Least samples a second, below which estimates become worse. Every driver's default is well
  /// above.
  private static let leastRates: [LiveHealth.Kind: Double] = [
    .inertialUnit: 40, .magnetometer: 10, .barometer: 1,
  ]
  /// Longest gap that is not reported, seconds: for an inertial unit, turns are lost in a longer
  /// one; for the others it is several usual intervals.
  private static let longestGaps: [LiveHealth.Kind: Double] = [
    .inertialUnit: 0.2, .magnetometer: 0.5, .barometer: 3,
  ]
  /// So many equal samples do not come from a working sensor, whose noise exceeds its resolution.
  private static let fewestEqual = 20
  /// The Earth's field is between 22 and 67 microtesla (WMM2025, Technical Report, figure of the
  /// total intensity); with a board's own iron added, far from both bounds.
  private static let weakestField = 5.0
  package static let strongestField = 300.0
  /// A wake-up so late is as long as several samples of an inertial unit.
  private static let latest = 0.05
  /// More than a clock discipline's slewing changes in the time of an observation.
  private static let clockStep = 0.05
  /// The share of rejected sentences beyond which the line is bad.
  package static let rejectedShare = 0.05

  static func findings(on machine: Machine) -> [MachineFinding] {
    guard let health = machine.health else { return [] }
    if let fault = health.fault {
      return [
        MachineFinding(
          .liveNoSource, .fault, "there are no measurements: \(fault)",
          why: "there is neither heading nor location",
          remedy: .manual("lodestar probe    # which chips answer, and whether they may be read"))
      ]
    }
    var problems = health.lostChips.map(lost) + health.unsteady.map(unsteady)
    for kind in LiveHealth.Kind.allCases {
      guard let stream = health.streams[kind] else { continue }
      problems += findings(of: stream, kind, health, machine)
    }
    if let fault = health.contradiction {
      problems.append(
        MachineFinding(
          .liveContradicted, .fault, "\(fault)", why: "no heading can be trusted",
          remedy: .manual("lodestar check    # \(fault.remedy)")))
    }
    if let fault = health.antennaFault {
      problems.append(
        MachineFinding(
          .liveAntennas, .fault, "\(fault)",
          why: "the receiver's headings are not used: heading is that of the other sensors, if any",
          remedy: .manual("# \(fault.remedy)")))
    }
    problems += receiver(health) + corrections(health) + timing(health)
    guard problems.isEmpty else { return problems }
    return [.ok(.live, description(of: health))]
  }

  private static func description(of health: LiveHealth) -> String {
    var parts = LiveHealth.Kind.allCases.compactMap { kind in
      health.streams[kind].map {
        "\(kind.rawValue) \(number(Double($0.count) / health.seconds, 0))/s"
      }
    }
    if let receiver = health.receiver {
      let reason = receiver.fixLoss.map { ": \($0)" } ?? ""
      let kind = health.fixKind.map { ", \($0 == .none ? "no fix\(reason)" : $0.rawValue)" }
      parts.append("receiver at \(receiver.place)\(kind ?? "")")
    }
    if let messages = health.corrections?.messages {
      parts.append("\(messages) messages of corrections")
    }
    if health.isSimulated { parts.append("simulated") }
    return parts.isEmpty ? "nothing was delivered" : parts.joined(separator: ", ")
  }

  private static func lost(_ chip: LiveHealth.LostChip) -> MachineFinding {
    // A device that is no chip has a line or a network, and no pull-up resistors.
    let remedy =
      chip.kind == nil
      ? "check its power and its cable; of a device in the network: ping HOST, and what sends to the port"
      : "lodestar probe    # and check its wires, its supply and the pull-up resistors"
    return MachineFinding(
      .liveChipLost, .fault, "\(chip.name) is lost: \(chip.fault)",
      why: "its measurements are missing in heading, attitude, altitude or location",
      remedy: .manual(remedy))
  }

  private static func unsteady(_ figures: String) -> MachineFinding {
    MachineFinding(
      .liveUnsteady, .warning, figures,
      why:
        "each loss is a gap in heading, altitude or location: a loose plug, missing pull-up resistors, long wires or "
        + "a fast bus, a weak supply",
      remedy: .manual(
        "journalctl -u lodestar --since -1h    # the reasons; then check wires, bus and supply"))
  }

  // MARK: Samples

  private static func findings(
    of stream: LiveHealth.Stream, _ kind: LiveHealth.Kind, _ health: LiveHealth, _ machine: Machine
  ) -> [MachineFinding] {
    let name = kind.rawValue
    guard stream.count > 0 else {
      // The lost chip's own finding has the reason.
      if health.lostChips.contains(where: { $0.kind == kind }) { return [] }
      return [
        MachineFinding(
          .liveChipSilent, .fault, "no sample of the \(name) in \(number(health.seconds, 0)) s",
          why: "the chip answers, or did, but measures nothing",
          remedy: .manual("sudo systemctl restart lodestar    # the chips are started again"))
      ]
    }
    var problems: [MachineFinding] = []
    let rate = Double(stream.count) / health.seconds
    let least = leastRate(of: kind, machine)
    if rate < least {
      problems.append(
        MachineFinding(
          .liveSlow, .warning, "the \(name) delivers \(number(rate, 1)) samples a second",
          why:
            "at least \(number(least, 0)) are expected; another program may take a part, or the bus is too slow",
          remedy: .manual("sudo fuser -v /dev/i2c-*    # which programs have the buses open")))
    } else if let longest = longestGaps[kind], stream.longestGap > longest {
      problems.append(
        MachineFinding(
          .liveGaps, .warning,
          "the \(name) delivered nothing for \(number(stream.longestGap, 2)) s",
          why: "motion in a gap is lost: heading and attitude jump or drift",
          remedy: .manual("uptime    # a load above the number of processors delays the bus")))
    }
    if kind != .barometer, !stream.varies, stream.count >= fewestEqual {
      problems.append(
        MachineFinding(
          .liveConstant, .fault, "all \(stream.count) samples of the \(name) are equal",
          why:
            "a working sensor has noise: the chip hangs, or is a clone with another register map",
          remedy: .manual("lodestar probe    # then switch the supply of the chip off and on")))
    }
    if kind == .magnetometer { problems += field(stream) }
    if stream.saturated > 0 {
      problems.append(
        MachineFinding(
          .liveSaturated, .warning,
          "\(stream.saturated) samples of the \(name) are at the limit of its range",
          why: "a value at the limit is a bound, not a measurement: attitude drifts",
          remedy: .manual(
            "# a larger range in the board file (Documentation/BoardFiles.md), or less vibration")))
    }
    return problems
  }

  private static func field(_ stream: LiveHealth.Stream) -> [MachineFinding] {
    if stream.largestField < weakestField {
      return [
        MachineFinding(
          .liveNoField, .fault,
          "the magnetometer measures no field (at most \(number(stream.largestField, 1)) µT)",
          why:
            "the Earth's field is 22 to 67 µT everywhere: the chip or its driver is at fault, or it is shielded",
          remedy: .manual("lodestar probe    # a clone is named there"))
      ]
    }
    guard stream.largestField > strongestField else { return [] }
    return [
      MachineFinding(
        .liveSaturated, .warning, "the magnetometer measures \(number(stream.largestField, 0)) µT",
        why:
          "the Earth's field is 22 to 67 µT: a magnet or a current is so near that no calibration helps",
        remedy: .manual(
          "lodestar heading    # while the board is moved away from motors, speakers and screws"))
    ]
  }

  /// Half of the rate that the board file sets for a chip of the kind, else the usual one.
  private static func leastRate(of kind: LiveHealth.Kind, _ machine: Machine) -> Double {
    let quantity: ChipModel.Quantity =
      switch kind {
      case .inertialUnit: .inertia
      case .magnetometer: .field
      case .barometer: .pressure
      }
    let set = machine.board?.board.sensors.first { $0.measures(quantity) }?.settings
      .rateHertz
    return set.map { $0 / 2 } ?? leastRates[kind] ?? 0
  }

  // MARK: Receiver and time

  private static func receiver(_ health: LiveHealth) -> [MachineFinding] {
    guard let receiver = health.receiver else { return [] }
    var findings: [MachineFinding] = []
    if let signals = receiver.signals {
      findings.append(
        MachineFinding(
          .liveSignals, .warning, "the receiver reports: \(signals)",
          why: "positions may be missing, wrong or false",
          remedy: .manual(
            "# antenna: check plug and cable; interference: move it away from this computer, USB 3 and "
              + "transmitters; spoofing: do not rely on positions here")))
    }
    if let setUp = receiver.setUp {
      findings.append(
        MachineFinding(
          .liveSetUp, .warning, "the receiver is not set up as the board file requests: \(setUp)",
          why: "its positions are used, but with other rates, sentences or systems",
          remedy: .manual("lodestar receiver show    # what it is and can; stop the daemon first")))
    }
    if let untrusted = receiver.untrusted {
      findings.append(
        MachineFinding(
          .liveSourceUntrusted, .warning, "positions are not to be trusted: \(untrusted)",
          why: "another source is used where there is one; without one these positions are used",
          remedy: .manual(
            "# switch that device off and on; two devices with the same talker need lines of their own"
          )))
    }
    if !receiver.others.isEmpty {
      findings.append(
        MachineFinding(
          .liveSources, .note,
          "several devices send positions: " + receiver.others.joined(separator: ", "),
          why: "one is used, the most accurate; the others only while it has no fix",
          remedy: .manual(
            "# another choice is `talkers: [GP, AI]` or `priority: 1` at the receiver in the board file"
          )))
    }
    if receiver.fault != nil || receiver.epochs == 0 {
      return [
        MachineFinding(
          .liveReceiver, .fault,
          receiver.fault.map { "the receiver at \(receiver.place) is lost: \($0)" }
            ?? "the receiver at \(receiver.place) sent nothing in \(number(health.seconds, 0)) s",
          why: "without it there is no location, and no true heading for this place",
          remedy: .manual(
            "# check supply, TX and RX (they cross) and the baud rate; then: lodestar location --status"
          ))
      ] + findings
    }
    guard Double(receiver.rejected) > rejectedShare * Double(receiver.epochs) else {
      return findings
    }
    return findings + [
      MachineFinding(
        .liveSentences, .warning, "\(receiver.rejected) sentences of the receiver were rejected",
        why: "bytes are lost or disturbed: two programs at one port, a mini UART, or a long wire",
        remedy: .manual("sudo fuser -v \(receiver.place)"))
    ]
  }

  private static func corrections(_ health: LiveHealth) -> [MachineFinding] {
    guard let corrections = health.corrections,
      corrections.fault != nil || corrections.messages == 0
    else { return [] }
    return [
      MachineFinding(
        .liveCorrections, corrections.fault == nil ? .note : .warning,
        corrections.fault.map { "no corrections come: \($0)" }
          ?? "no message of corrections came in \(number(health.seconds, 0)) s",
        why: "the receiver has no RTK fix: positions are metres off instead of centimetres",
        remedy: .manual("lodestar corrections --check    # connects and counts the messages"))
    ]
  }

  /// What is wrong with the times of samples.
  package static func timing(_ health: LiveHealth) -> [MachineFinding] {
    var problems: [MachineFinding] = []
    if let lateness = health.worstLateness, lateness > latest {
      problems.append(
        MachineFinding(
          .liveLate, .warning, "a bus was read \(number(lateness * 1e3, 0)) ms late",
          why: "samples are older than their stamps say: heading lags in turns",
          remedy: .manual("uptime    # a load above the number of processors delays the bus")))
    }
    if abs(health.clockStep) > clockStep {
      problems.append(
        MachineFinding(
          .liveClock, .warning,
          "the system's clock changed by \(number(health.clockStep, 2)) s meanwhile",
          why:
            "times of estimates jump; a service that steps the clock repeatedly is misconfigured",
          remedy: .manual("timedatectl timesync-status || chronyc tracking")))
    }
    return problems
  }

  private static func number(_ value: Double, _ decimals: Int) -> String {
    var text: [UInt8] = []
    text.append(value, decimals: decimals)
    return String(decoding: text, as: UTF8.self)
  }
}
