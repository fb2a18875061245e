internal import CoreLocation
import Foundation

/// Depth and temperature of water; never available.
open class CMWaterSubmersionManager: NSObject {
  /// Receives `CMErrorNotAvailable` when it is set.
  open weak var delegate: (any CMWaterSubmersionManagerDelegate)? {
    didSet {
      guard let delegate else { return }
      let call = ProgramValue(value: (self, delegate))
      DispatchQueue.main.async {
        let (manager, delegate) = call.value
        delegate.manager(manager, errorOccurred: AbsentFeature.submersion.error)
      }
    }
  }

  /// Makes a manager.
  public override init() { super.init() }

  /// False.
  open class var waterSubmersionAvailable: Bool { false }
  /// Denied: there is nothing.
  open class var authorizationStatus: CMAuthorizationStatus { AbsentFeature.authorization }
  /// nil.
  open var maximumDepth: Measurement<UnitLength>? { nil }
}

/// Receives what a depth sensor measures.
public protocol CMWaterSubmersionManagerDelegate: NSObjectProtocol {
  /// The device has entered or left the water.
  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent)
  /// The depth has changed.
  func manager(
    _ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement)
  /// The temperature has changed.
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature)
  /// There is an error.
  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error)
}

/// That the device has entered or left the water.
open class CMWaterSubmersionEvent: CMAbsentValue, @unchecked Sendable {
  /// Whether it is in the water.
  public enum State: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// It is not.
    case notSubmerged = 1
    /// It is.
    case submerged = 2
  }
  /// When.
  open var date: Date { .unknown }
  /// Whether it is in the water now.
  open var state: State { .unknown }
}

/// A depth.
open class CMWaterSubmersionMeasurement: CMAbsentValue, @unchecked Sendable {
  /// The range that a depth is in.
  public enum DepthState: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Out of the water.
    case notSubmerged = 100
    /// To 1 m.
    case submergedShallow = 200
    /// Deeper than 1 m.
    case submergedDeep = 300
    /// Near the largest depth.
    case approachingMaxDepth = 400
    /// Deeper.
    case pastMaxDepth = 500
    /// Deeper than the sensor measures.
    case sensorDepthError = 600
  }
  /// When.
  open var date: Date { .unknown }
  /// The depth.
  open var depth: Measurement<UnitLength>? { nil }
  /// The pressure of the water.
  open var pressure: Measurement<UnitPressure>? { nil }
  /// The pressure of the air.
  open var surfacePressure: Measurement<UnitPressure> { Measurement(value: 0, unit: .kilopascals) }
  /// The range of the depth.
  open var submersionState: DepthState { .unknown }
}

/// A temperature of water.
open class CMWaterTemperature: CMAbsentValue, @unchecked Sendable {
  /// When.
  open var date: Date { .unknown }
  /// The temperature.
  open var temperature: Measurement<UnitTemperature> { Measurement(value: 0, unit: .celsius) }
  /// Its uncertainty.
  open var temperatureUncertainty: Measurement<UnitTemperature> {
    Measurement(value: 0, unit: .celsius)
  }
}
