internal import CoreLocation
internal import EarthModel
import Foundation
internal import HostProtocol
internal import LinuxIO

/// Receives changes of altitude, or an error.
public typealias CMAltitudeHandler = (CMAltitudeData?, (any Error)?) -> Void
/// Receives altitudes, or an error.
public typealias CMAbsoluteAltitudeHandler = (CMAbsoluteAltitudeData?, (any Error)?) -> Void

/// Reports altitudes about once a second: relative ones by the barometer, absolute ones by the
/// fusion of receiver and barometer.
open class CMAltimeter: NSObject {
  private let relative = Updates<CMAltitudeData>(every: 1)
  private let absolute = Updates<CMAbsoluteAltitudeData>(every: 1)

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
    let start = Locked<Double?>(nil)
    relative.start(queue, handler) { interval, delivery in
      SampleFeed(.barometer, every: interval, to: delivery) { sample in
        let altitude = StandardAtmosphere.pressureAltitudeMetres(hectopascal: sample.value)
        let first = start.withLock { start in
          start = start ?? altitude
          return start ?? altitude
        }
        return CMAltitudeData(
          relativeAltitude: altitude - first, hectopascal: sample.value, timestamp: sample.seconds)
      }
    }
  }

  /// Ends the reports of changes.
  open func stopRelativeAltitudeUpdates() { relative.stop() }

  /// Starts reporting altitudes above mean sea level.
  open func startAbsoluteAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAbsoluteAltitudeHandler
  ) {
    absolute.start(queue, handler) { interval, delivery in
      EstimateFeed(EstimateDemand(fixes: true), every: interval) { estimate in
        guard let estimate else { return delivery.fail() }
        guard let altitude = estimate.altitudeMetres, let sigma = estimate.verticalAccuracyMetres
        else { return }
        delivery.deliver(
          CMAbsoluteAltitudeData(
            altitude: altitude, accuracy: sigma, timestamp: estimate.timestamp.seconds))
      }
    }
  }

  /// Ends the reports of altitudes.
  open func stopAbsoluteAltitudeUpdates() { absolute.stop() }
}
