import Quantities

/// The health of a board and of its computer, for the monitoring of a fleet.
package struct BoardHealth: Equatable, Sendable {
  /// Kinds of sources.
  package enum Source: String, CaseIterable, Sendable {
    case sensors, recording, simulation
    /// None is open.
    case none
  }

  /// The space of a file system.
  package struct Disk: Equatable, Sendable {
    /// The folder's use: `state`, `recording`.
    package var use: String
    package var freeBytes: Double
    package var sizeBytes: Double

    package init(use: String, freeBytes: Double, sizeBytes: Double) {
      (self.use, self.freeBytes, self.sizeBytes) = (use, freeBytes, sizeBytes)
    }
  }

  /// A bus that a thread reads.
  package struct Bus: Equatable, Sendable {
    package var name: String
    /// How late its thread woke, seconds: the median and the largest of its last wake-ups.
    package var medianDelaySeconds: Double?
    package var worstDelaySeconds: Double?
    /// True where its data-ready lines are lost, and its chips are polled.
    package var hasLostDataReady = false

    package init(name: String) { self.name = name }
  }

  /// A trouble of a device, or of its corrections, set-up or pulse.
  package struct Trouble: Equatable, Sendable {
    package var device: String
    /// The text, which begins with the device.
    package var text: String

    package init(device: String, text: String) { (self.device, self.text) = (device, text) }
  }

  /// The version of the program.
  package var version: String
  /// Seconds since the daemon's start.
  package var uptimeSeconds: Double
  package var source = Source.none
  /// Why no source is open; nil where one is.
  package var sourceFault: String?
  /// True where the clock is synchronised, or agrees with a battery clock.
  package var isClockBelieved = false
  /// The kernel's bound of the clock's error, seconds; nil where it is not synchronised.
  package var clockErrorSeconds: Double?
  /// The age of the magnetometer's stored calibration, seconds; nil without one, and while the clock
  /// is not set.
  package var calibrationAgeSeconds: Double?
  /// Why the state, or a part of it, is not stored; nil where it is.
  package var storageFault: String?
  /// The disks whose space is known.
  package var disks: [Disk] = []
  package var buses: [Bus] = []
  package var devices: [DeviceHealth] = []
  package var troubles: [Trouble] = []

  /// Makes the health of a board without a source.
  package init(version: String, uptimeSeconds: Double) {
    (self.version, self.uptimeSeconds) = (version, uptimeSeconds)
  }

  /// What is wrong, in one line; nil for nothing.
  package var trouble: String? {
    let all =
      [sourceFault].compactMap { $0 } + troubles.map(\.text)
      + [storageFault.map { "not stored: \($0)" }].compactMap { $0 }
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// The smallest share of a disk that is free, percent; nil where none is known.
  package var freePercent: Double? {
    disks.filter { $0.sizeBytes > 0 }.map { 100 * $0.freeBytes / $0.sizeBytes }.min()
  }

  /// The same health without what changes while nothing happens: ages, counts, space, and the
  /// seconds in the texts of faults.
  package var standing: BoardHealth {
    var standing = withTexts("")
    (standing.uptimeSeconds, standing.clockErrorSeconds) = (0, nil)
    standing.calibrationAgeSeconds = nil
    (standing.disks, standing.buses) = ([], [])
    for index in standing.devices.indices {
      standing.devices[index].ageSeconds = nil
      standing.devices[index].samples = 0
      standing.devices[index].errors = 0
    }
    return standing
  }

  /// The same health for clients of reduced accuracy: a fault's text may name what reveals the
  /// place, such as a caster with its mount point.
  package var reduced: BoardHealth { withTexts("not given at reduced accuracy") }

  /// The same health with one text in place of each fault's text.
  private func withTexts(_ text: String) -> BoardHealth {
    var health = self
    health.sourceFault = sourceFault.map { _ in text }
    health.storageFault = storageFault.map { _ in text }
    for index in devices.indices {
      health.devices[index].fault = devices[index].fault.map { _ in text }
    }
    for index in troubles.indices {
      health.troubles[index].text = text.isEmpty ? "" : "\(troubles[index].device): \(text)"
    }
    return health
  }
}
