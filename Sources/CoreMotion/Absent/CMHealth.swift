import Foundation

/// Which device an odometer belongs to.
public enum CMOdometerOriginDevice: Int, Sendable {
  /// Not known.
  case unknown = 0
  /// This one.
  case local = 1
  /// A paired one.
  case remote = 2
}

/// A piece of the way of a workout.
open class CMOdometerData: CMAbsentValue, @unchecked Sendable {
  /// The begin.
  open var startDate: Date { .unknown }
  /// The end.
  open var endDate: Date { .unknown }
  /// Metres.
  open var deltaDistance: Double { 0 }
  /// The accuracy of it, metres.
  open var deltaDistanceAccuracy: Double { 0 }
  /// Metres per second.
  open var speed: Double { 0 }
  /// The accuracy of it, metres per second.
  open var speedAccuracy: Double { 0 }
  /// The time of the receiver.
  open var gpsDate: Date { .unknown }
  /// Metres up.
  open var deltaAltitude: Double { 0 }
  /// The accuracy of it, metres.
  open var verticalAccuracy: Double { 0 }
  /// Which device it belongs to.
  open var originDevice: CMOdometerOriginDevice { .unknown }
  /// The slope, as a ratio.
  open var slope: Double? { nil }
  /// The steepest slope, as a ratio.
  open var maxAbsSlope: Double? { nil }
}

/// How certain a heart rate is.
public enum CMHighFrequencyHeartRateDataConfidence: Int, Sendable {
  /// Little.
  case low = 0
  /// More.
  case medium = 1
  /// Much.
  case high = 2
  /// Most.
  case highest = 3
}

/// A heart rate.
open class CMHighFrequencyHeartRateData: CMLogItem, @unchecked Sendable {
  /// Beats a minute.
  open var heartRate: Double { 0 }
  /// How certain it is.
  open var confidence: CMHighFrequencyHeartRateDataConfidence { .low }
  /// When it was measured.
  open var date: Date? { nil }
}

/// The share of a minute with dyskinetic symptoms.
open class CMDyskineticSymptomResult: CMAbsentValue, @unchecked Sendable {
  /// The begin.
  open var startDate: Date { .unknown }
  /// The end.
  open var endDate: Date { .unknown }
  /// Unlikely, 0 to 1.
  open var percentUnlikely: Float { 0 }
  /// Likely, 0 to 1.
  open var percentLikely: Float { 0 }
}

/// The shares of a minute with tremor.
open class CMTremorResult: CMAbsentValue, @unchecked Sendable {
  /// The begin.
  open var startDate: Date { .unknown }
  /// The end.
  open var endDate: Date { .unknown }
  /// Not known, 0 to 1.
  open var percentUnknown: Float { 0 }
  /// None, 0 to 1.
  open var percentNone: Float { 0 }
  /// Slight, 0 to 1.
  open var percentSlight: Float { 0 }
  /// Mild, 0 to 1.
  open var percentMild: Float { 0 }
  /// Moderate, 0 to 1.
  open var percentModerate: Float { 0 }
  /// Strong, 0 to 1.
  open var percentStrong: Float { 0 }
}

/// Receives dyskinetic symptoms, or an error.
public typealias CMDyskineticSymptomResultHandler =
  ([CMDyskineticSymptomResult], (any Error)?) -> Void
/// Receives tremor, or an error.
public typealias CMTremorResultHandler = ([CMTremorResult], (any Error)?) -> Void

/// Tremor and dyskinetic symptoms; never available.
open class CMMovementDisorderManager: NSObject {
  /// Makes a manager.
  public override init() { super.init() }

  /// False.
  open class func isAvailable() -> Bool { false }
  /// nil.
  open class func version() -> String? { nil }
  /// Denied: there is nothing.
  open class func authorizationStatus() -> CMAuthorizationStatus { AbsentFeature.authorization }
  /// Has no effect.
  open func monitorKinesias(forDuration duration: TimeInterval) {}
  /// Reports `CMErrorNotAvailable`.
  open func queryDyskineticSymptom(
    from fromDate: Date, to toDate: Date,
    withHandler handler: @escaping CMDyskineticSymptomResultHandler
  ) { Self.refuse(handler) }
  /// Reports `CMErrorNotAvailable`.
  open func queryTremor(
    from fromDate: Date, to toDate: Date, withHandler handler: @escaping CMTremorResultHandler
  ) { Self.refuse(handler) }
  /// nil.
  open func lastProcessedDate() -> Date? { nil }
  /// nil.
  open func monitorKinesiasExpirationDate() -> Date? { nil }

  private static func refuse<Item: Sendable>(
    _ handler: @escaping ([Item], (any Error)?) -> Void
  ) {
    Delivery<[Item]>(OperationQueue()) { handler($0 ?? [], $1) }
      .fail(AbsentFeature.movementDisorder.error)
  }
}

/// Detected falls; never available.
open class CMFallDetectionManager: NSObject {
  /// Receives falls; never called.
  open weak var delegate: (any CMFallDetectionDelegate)?

  /// Makes a manager.
  public override init() { super.init() }

  /// False.
  open class var isAvailable: Bool { false }
  /// Denied: there is nothing.
  open var authorizationStatus: CMAuthorizationStatus { AbsentFeature.authorization }
  /// Reports that it is denied.
  open func requestAuthorization(handler: @escaping (CMAuthorizationStatus) -> Void) {
    Delivery<CMAuthorizationStatus>(OperationQueue()) { status, _ in
      handler(status ?? AbsentFeature.authorization)
    }.deliver(AbsentFeature.authorization)
  }
}

/// A fall.
open class CMFallDetectionEvent: CMAbsentValue, @unchecked Sendable {
  /// What the wearer answered.
  public enum UserResolution: Int, Sendable {
    /// It was one.
    case confirmed = 0
    /// It needs no help.
    case dismissed = 1
    /// It was none.
    case rejected = 2
    /// Nothing.
    case unresponsive = 3
  }
  /// When.
  open var date: Date { .unknown }
  /// What the wearer answered.
  open var resolution: UserResolution { .confirmed }
}

/// Receives falls.
public protocol CMFallDetectionDelegate: NSObjectProtocol {
  /// There was a fall.
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping () -> Void)
  /// The access has changed.
  func fallDetectionManagerDidChangeAuthorization(_ fallDetectionManager: CMFallDetectionManager)
}

// Optional on Apple's platforms.
extension CMFallDetectionDelegate {
  /// Calls the handler.
  public func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping () -> Void
  ) { handler() }
  /// Has no effect.
  public func fallDetectionManagerDidChangeAuthorization(
    _ fallDetectionManager: CMFallDetectionManager
  ) {}
}
