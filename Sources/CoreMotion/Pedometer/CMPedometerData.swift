import Foundation
internal import Quantities

/// What someone on foot did in a period.
open class CMPedometerData: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Unchecked: never changed.
  struct Values {
    var start = Date.unknown
    var end = Date.unknown
    var steps = 0
    /// By their key in archives, each nil where it is not known.
    var distance: Double?
    var floorsAscended: Double?
    var floorsDescended: Double?
    var currentPace: Double?
    var currentCadence: Double?
    var averageActivePace: Double?
  }
  private let values: Values

  /// The begin of the period.
  open var startDate: Date { values.start }
  /// The end of the period.
  open var endDate: Date { values.end }
  /// The steps.
  open var numberOfSteps: NSNumber { NSNumber(value: values.steps) }
  /// Metres on foot.
  open var distance: NSNumber? { values.distance.map(NSNumber.init(value:)) }
  /// Floors of 3 m up; nil without a barometer.
  open var floorsAscended: NSNumber? { values.floorsAscended.map(NSNumber.init(value:)) }
  /// Floors of 3 m down; nil without a barometer.
  open var floorsDescended: NSNumber? { values.floorsDescended.map(NSNumber.init(value:)) }
  /// Seconds a metre now; nil for one who stands, and of the past.
  open var currentPace: NSNumber? { values.currentPace.map(NSNumber.init(value:)) }
  /// Steps a second now; nil for one who stands, and of the past.
  open var currentCadence: NSNumber? { values.currentCadence.map(NSNumber.init(value:)) }
  /// Seconds a metre while on foot; nil without a distance.
  open var averageActivePace: NSNumber? { values.averageActivePace.map(NSNumber.init(value:)) }

  /// True: the data support secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes data without steps.
  public override init() {
    values = Values()
    super.init()
  }

  init(_ values: Values) {
    self.values = values
    super.init()
  }

  /// Reads data from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let numbers = coder.decodeNumbers(3, forKey: "period") else { return nil }
    values = Values(
      start: Date(timeIntervalSinceReferenceDate: numbers[0]),
      end: Date(timeIntervalSinceReferenceDate: numbers[1]), steps: Int(bounded: numbers[2]),
      distance: coder.decodeNumber(forKey: "distance"),
      floorsAscended: coder.decodeNumber(forKey: "floorsAscended"),
      floorsDescended: coder.decodeNumber(forKey: "floorsDescended"),
      currentPace: coder.decodeNumber(forKey: "currentPace"),
      currentCadence: coder.decodeNumber(forKey: "currentCadence"),
      averageActivePace: coder.decodeNumber(forKey: "averageActivePace"))
    super.init()
  }

  /// Writes the data into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(
      [
        values.start.timeIntervalSinceReferenceDate, values.end.timeIntervalSinceReferenceDate,
        Double(values.steps),
      ], forKey: "period")
    for (key, number) in [
      ("distance", values.distance), ("floorsAscended", values.floorsAscended),
      ("floorsDescended", values.floorsDescended), ("currentPace", values.currentPace),
      ("currentCadence", values.currentCadence), ("averageActivePace", values.averageActivePace),
    ] {
      if let number { coder.encode(number, forKey: key) }
    }
  }

  /// Themselves: data never change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Whether someone on foot has stopped or gone on.
public enum CMPedometerEventType: Int, Sendable {
  /// Stopped.
  case pause = 0
  /// Gone on.
  case resume = 1
}

/// That someone on foot has stopped or gone on.
open class CMPedometerEvent: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Unchecked: never changed.
  private let instant: Date
  private let kind: CMPedometerEventType

  /// When.
  open var date: Date { instant }
  /// Which of the two.
  open var type: CMPedometerEventType { kind }

  /// True: events support secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes a pause, of no date.
  public override init() {
    (instant, kind) = (.unknown, .pause)
    super.init()
  }

  init(_ type: CMPedometerEventType, at date: Date) {
    (instant, kind) = (date, type)
    super.init()
  }

  /// Reads an event from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let instant = coder.decodeInstant(forKey: "date"),
      let number = coder.decodeNumber(forKey: "type"),
      let kind = CMPedometerEventType(rawValue: Int(bounded: number))
    else { return nil }
    (self.instant, self.kind) = (instant, kind)
    super.init()
  }

  /// Writes the event into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(instant, forKey: "date")
    coder.encode(Double(kind.rawValue), forKey: "type")
  }

  /// Itself: an event never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
