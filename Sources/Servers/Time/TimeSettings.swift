/// The programs that receive a receiver's time.
public struct TimeSettings: Sendable, Equatable {
  /// The path of chronyd's socket for the receiver's time; nil for none.
  public var chrony: String?
  /// The path of chronyd's socket for pulses; nil for none.
  public var chronyPulse: String?
  /// The unit of ntpd's shared memory for the receiver's time, the next one is for pulses; nil for
  /// none.
  public var ntpUnit: Int?
  /// Seconds of fixes before the time of a receiver is sent that does not report whether it knows
  /// the leap seconds.
  ///
  /// GPS repeats them every 12.5 minutes. Smaller values may give a time that is wrong by whole
  /// seconds after the first start of a receiver.
  public var unresolvedWait = 750.0

  /// Makes settings without an output.
  public init() {}

  /// The keys in use that steer a clock.
  package var keysInUse: [String] {
    [
      chrony.map { _ in "time-chrony" }, chronyPulse.map { _ in "time-chrony-pps" },
      ntpUnit.map { _ in "time-ntp-unit" },
    ].compactMap { $0 }
  }

  static var keys: [ServeKey] {
    let socket = "the absolute path of a socket"
    return [
      .path("time-chrony", allowed: socket, \.time.chrony),
      .path("time-chrony-pps", allowed: socket, \.time.chronyPulse),
      ServeKey(
        "time-ntp-unit", allowed: "0 to 254", \.time.ntpUnit,
        read: { Int($0).flatMap { (0...254).contains($0) ? .some($0) : nil } },
        text: { $0.map(String.init) }),
      .seconds("time-nmea-wait", 0...3600, \.time.unresolvedWait),
    ]
  }
}

extension ServeConfiguration {
  /// Why the configuration may not be used with a source that is no attached board.
  /// - Parameter source: The option of the source, such as `--simulate`.
  /// - Returns: One line; nil if it may be used.
  public func fault(with source: String) -> String? {
    guard let key = time.keysInUse.first else { return nil }
    return
      "\(key) steers this machine's clock, and \(source) has no real time; remove \(key) or \(source)"
  }
}
