import Quantities

/// Observes a receiver's epochs: why it has no fix, when it has restarted, and how long its first
/// fix took. A value without a clock.
///
/// The reason is derived from what the receiver reports itself: its antenna and interference first,
/// then a restart, then the satellites with a signal. Only UBX NAV-STATUS reports a restart.
public struct FixWatch: Sendable {
  /// Satellites that a fix with altitude needs.
  static let fewest = 4
  /// Time after which reported satellites are no longer valid, s: as for the servers' sky.
  private static let skyLifetime = 10.0
  /// Time after a restart in which it explains a missing fix, s: a cold start takes half a minute.
  private static let restartTime = 60.0
  /// A smaller step back of the receiver's run time is no restart, s.
  private static let restartStep = 1.0

  private var signals = SignalState()
  private var sky: (tracked: Int, at: Timestamp)?
  private var begin: (kind: FirstFix.Begin, at: Timestamp)?
  private var uptimeSeconds: Double?
  private var restartedAt: Timestamp?
  private var isAssisted = false
  /// True where the first epoch had a fix: the receiver was running before it was opened.
  private var wasRunning = false
  private var newest: (hasFix: Bool, at: Timestamp)?
  /// The first fix since the receiver's start; nil before it, and where the receiver had a fix
  /// already when it was opened and does not report how long it took.
  public private(set) var firstFix: FirstFix?
  /// True after a fix.
  public private(set) var hadFix = false
  /// When the fix was lost; nil while there is one, and before the first.
  public private(set) var lostAt: Timestamp?

  /// Makes a watch of a receiver of which nothing has been received.
  public init() {}

  /// Makes the watch of a receiver that was disconnected: it may have been without power.
  public init(after earlier: FixWatch) { hadFix = earlier.hadFix }

  /// True after an epoch, with or without a fix.
  public var hasEpoch: Bool { newest != nil }

  /// Records that bytes were received.
  public mutating func receivedBytes(at now: Timestamp) {
    if begin == nil { begin = (.firstByte, now) }
  }

  /// Records that position, time or orbits were given to the receiver.
  public mutating func assisted() { if !hasFix { isAssisted = true } }

  private var hasFix: Bool { newest?.hasFix == true }

  /// Adds an epoch at its arrival.
  public mutating func add(_ epoch: ReceiverEpoch, at now: Timestamp) {
    signals = epoch.signals
    if let satellites = epoch.sky?.satellites {
      sky = (satellites.filter { ($0.signalDecibelHertz ?? 0) > 0 }.count, now)
    }
    if let uptime = epoch.uptimeSeconds { add(uptimeSeconds: uptime, at: now) }
    let fix = epoch.validFix
    let isFix = fix.position != nil && (fix.kind.isOfSatellites || fix.kind == .simulated)
    defer { newest = (isFix, now) }
    guard isFix else {
      if hasFix { lostAt = now }
      return
    }
    lostAt = nil
    if newest == nil { wasRunning = true }
    if firstFix == nil { firstFix = firstFix(epoch, now) }
    (hadFix, restartedAt) = (true, nil)
  }

  private mutating func add(uptimeSeconds uptime: Double, at now: Timestamp) {
    defer { uptimeSeconds = uptime }
    guard let before = uptimeSeconds, uptime < before - Self.restartStep else { return }
    let passed = UInt64(clamping: Int(bounded: uptime * 1e9))
    let start = Timestamp(nanoseconds: now.nanoseconds - min(passed, now.nanoseconds))
    (restartedAt, begin, firstFix) = (start, (.start, start), nil)
    (isAssisted, wasRunning) = (false, false)
  }

  private func firstFix(_ epoch: ReceiverEpoch, _ now: Timestamp) -> FirstFix? {
    // Zero is reported before the first fix.
    if let seconds = epoch.ownFirstFixSeconds, seconds > 0 {
      return FirstFix(seconds: seconds, begin: .start, isAssisted: isAssisted)
    }
    guard let begin, !wasRunning else { return nil }
    return FirstFix(
      seconds: now.seconds(since: begin.at), begin: begin.kind, isAssisted: isAssisted)
  }

  /// Why there is no fix; nil while there is one, and before the first epoch.
  public func loss(at now: Timestamp) -> FixLoss? {
    guard let newest, !newest.hasFix else { return nil }
    let isSkyValid = sky.map { now.seconds(since: $0.at) < Self.skyLifetime } ?? false
    let satellites = isSkyValid ? sky?.tracked : nil
    return FixLoss(cause(satellites, now), satellites: satellites, hadFix: hadFix)
  }

  private func cause(_ satellites: Int?, _ now: Timestamp) -> FixLoss.Cause {
    switch signals.antenna {
    case .open: return .antennaOpen
    case .short: return .antennaShort
    case .good, nil: break
    }
    if signals.interference == .critical { return .interference }
    if let restartedAt, now.seconds(since: restartedAt) < Self.restartTime { return .restarted }
    switch satellites {
    case nil: return .unknown
    case 0?: return .noSignal
    case let satellites?: return satellites < Self.fewest ? .fewSatellites : .searching
    }
  }
}
