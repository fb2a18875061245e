internal import CoreLocation
internal import EarthModel
import Foundation
internal import HostProtocol
internal import LinuxIO

/// A change of altitude with the pressure that it was computed from.
open class CMAltitudeData: CMLogItem, @unchecked Sendable {
  /// Metres above the place of the first update.
  public let relativeAltitude: NSNumber
  /// Kilopascal.
  public let pressure: NSNumber

  init(relativeAltitude: Double, hectopascal: Double, timestamp: TimeInterval) {
    self.relativeAltitude = NSNumber(value: relativeAltitude)
    pressure = NSNumber(value: hectopascal / 10)
    super.init(timestamp: timestamp)
  }
}

/// An altitude above mean sea level.
open class CMAbsoluteAltitudeData: CMLogItem, @unchecked Sendable {
  /// Metres above mean sea level.
  public let altitude: Double
  /// One sigma of the altitude, metres.
  public let accuracy: Double
  /// The smallest difference that is known, metres.
  public let precision: Double

  init(altitude: Double, accuracy: Double, timestamp: TimeInterval) {
    (self.altitude, self.accuracy) = (altitude, accuracy)
    precision = 0.1
    super.init(timestamp: timestamp)
  }
}

/// Receives changes of altitude, or an error.
public typealias CMAltitudeHandler = (CMAltitudeData?, (any Error)?) -> Void
/// Receives altitudes, or an error.
public typealias CMAbsoluteAltitudeHandler = (CMAbsoluteAltitudeData?, (any Error)?) -> Void

/// Reports altitudes about once a second: relative ones by the barometer, absolute ones by the
/// fusion of receiver and barometer.
open class CMAltimeter: NSObject {
  private static let interval: TimeInterval = 1

  private let relative = Locked<SampleFeed?>(nil)
  private let absolute = Locked<EstimateFeed?>(nil)

  /// Makes an altimeter without updates.
  public override init() { super.init() }

  /// Whether there is a barometer.
  open class func isRelativeAltitudeAvailable() -> Bool {
    LocationServices.current.measures(.pressure)
  }

  /// Whether there is a receiver.
  open class func isAbsoluteAltitudeAvailable() -> Bool {
    LocationServices.current.has(\.hasReceiver)
  }

  /// Whether the program may use motion data, by the policy for locations.
  open class func authorizationStatus() -> CMAuthorizationStatus {
    LocationServices.current.motionStatus
  }

  /// Starts reporting changes of altitude, from 0 on.
  open func startRelativeAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAltitudeHandler
  ) {
    let delivery = Delivery<CMAltitudeData>(queue, handler)
    let start = Locked<Double?>(nil)
    let feed = SampleFeed([.barometer], every: Self.interval) { sample in
      guard let sample else { return delivery.fail() }
      let altitude = StandardAtmosphere.pressureAltitudeMetres(hectopascal: sample.value)
      let first = start.withLock { start in
        start = start ?? altitude
        return start ?? altitude
      }
      delivery.deliver(
        CMAltitudeData(
          relativeAltitude: altitude - first, hectopascal: sample.value, timestamp: sample.seconds))
    }
    relative.withLock { $0 = feed }
  }

  /// Ends the reports of changes.
  open func stopRelativeAltitudeUpdates() { relative.withLock { $0 = nil } }

  /// Starts reporting altitudes above mean sea level.
  open func startAbsoluteAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAbsoluteAltitudeHandler
  ) {
    let delivery = Delivery<CMAbsoluteAltitudeData>(queue, handler)
    let demand = EstimateDemand(fixes: true)
    let feed = EstimateFeed(demand, every: Self.interval) { estimate in
      guard let estimate else { return delivery.fail() }
      guard let altitude = estimate.altitudeMetres, let sigma = estimate.verticalAccuracyMetres
      else { return }
      delivery.deliver(
        CMAbsoluteAltitudeData(
          altitude: altitude, accuracy: sigma, timestamp: estimate.timestamp.seconds))
    }
    absolute.withLock { $0 = feed }
  }

  /// Ends the reports of altitudes.
  open func stopAbsoluteAltitudeUpdates() { absolute.withLock { $0 = nil } }
}
