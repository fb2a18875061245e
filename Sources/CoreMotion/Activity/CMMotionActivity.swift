import Foundation
internal import HostProtocol
internal import LinuxIO
internal import Quantities

/// How certain an activity is.
public enum CMMotionActivityConfidence: Int, Sendable {
  /// A probability below 0.7.
  case low = 0
  /// From 0.7 on.
  case medium = 1
  /// From 0.9 on.
  case high = 2
}

/// What moves the device. Several properties may be true, as in a car that stands, or none.
open class CMMotionActivity: CMLogItem, @unchecked Sendable {
  private static let key = "activity"

  private struct Kinds: OptionSet {
    let rawValue: Int
    static let unknown = Kinds(rawValue: 1)
    static let stationary = Kinds(rawValue: 2)
    static let walking = Kinds(rawValue: 4)
    static let running = Kinds(rawValue: 8)
    static let automotive = Kinds(rawValue: 16)
    static let cycling = Kinds(rawValue: 32)
  }
  private let kinds: Kinds
  private let certainty: CMMotionActivityConfidence
  private let start: Date

  /// How certain it is.
  open var confidence: CMMotionActivityConfidence { certainty }
  /// When it began.
  open var startDate: Date { start }
  /// The motion is not known, or of another kind, as on the water.
  open var unknown: Bool { kinds.contains(.unknown) }
  /// The device stays where it is.
  open var stationary: Bool { kinds.contains(.stationary) }
  /// On foot.
  open var walking: Bool { kinds.contains(.walking) }
  /// On foot, running.
  open var running: Bool { kinds.contains(.running) }
  /// In a vehicle on land.
  open var automotive: Bool { kinds.contains(.automotive) }
  /// On a bicycle.
  open var cycling: Bool { kinds.contains(.cycling) }

  /// Makes an activity of no kind.
  public override init() {
    (kinds, certainty, start) = ([], .low, .unknown)
    super.init()
  }

  init(_ estimate: Estimate, receivedAt now: Date) {
    let probability = estimate.motionProbability ?? 0
    certainty = probability >= 0.9 ? .high : probability >= 0.7 ? .medium : .low
    let instant = estimate.utc.map { Date(timeIntervalSince1970: $0.secondsSince1970) } ?? now
    let since = estimate.motionSince ?? estimate.timestamp
    start = instant.addingTimeInterval(-estimate.timestamp.seconds(since: since))
    kinds = Self.kinds(of: estimate)
    super.init(timestamp: estimate.timestamp.seconds)
  }

  private static func kinds(of estimate: Estimate) -> Kinds {
    switch estimate.motionState {
    case .stationary: .stationary
    case .walking: .walking
    case .running: .running
    case .cycling: .cycling
    case .driving:
      // A receiver at rest reports its noise.
      estimate.speedMetresPerSecond.map { $0 < 0.3 } ?? false
        ? [.automotive, .stationary] : .automotive
    case .onWater, nil: .unknown
    }
  }

  /// Reads an activity from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let numbers = coder.decodeNumbers(3, forKey: Self.key),
      let certainty = CMMotionActivityConfidence(rawValue: Int(bounded: numbers[1]))
    else { return nil }
    (kinds, self.certainty) = (Kinds(rawValue: Int(bounded: numbers[0])), certainty)
    start = Date(timeIntervalSinceReferenceDate: numbers[2])
    super.init(coder: coder)
  }

  /// Writes the activity into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(
      [
        Double(kinds.rawValue), Double(certainty.rawValue), start.timeIntervalSinceReferenceDate,
      ], forKey: Self.key)
  }

  /// Whether another activity differs in more than its time.
  func differs(from other: CMMotionActivity) -> Bool {
    kinds != other.kinds || certainty != other.certainty
  }
}
