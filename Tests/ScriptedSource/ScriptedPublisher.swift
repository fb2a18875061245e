import CoreLocation
import Engine
import Formats
import Quantities

/// A source that publishes the samples and estimates of a test, on the test's thread.
package final class ScriptedPublisher: EstimatePublisher, @unchecked Sendable {
  package let hasMagnetometer: Bool
  package let hasReceiver: Bool
  package let isSimulated: Bool
  package let calibrator: (any FieldCalibrator)?
  package let positionSource: PositionSource?

  private let lock = NSLock()
  private var newest: Estimate?
  private var observers: [Int: @Sendable (Estimate) -> Void] = [:]
  private var rowObservers: [Int: @Sendable (SensorSamples) -> Void] = [:]
  private var registered = 0

  package init(
    hasMagnetometer: Bool = true, hasReceiver: Bool = true, isSimulated: Bool = false,
    calibrator: (any FieldCalibrator)? = nil, positionSource: PositionSource? = nil
  ) {
    self.positionSource = positionSource
    self.calibrator = calibrator
    self.hasMagnetometer = hasMagnetometer
    self.hasReceiver = hasReceiver
    self.isSimulated = isSimulated
  }

  package var latest: Estimate? { lock.withLock { newest } }
  package var observerCount: Int { lock.withLock { observers.count } }

  package func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    let number = lock.withLock {
      registered += 1
      observers[registered] = body
      return registered
    }
    return Observation { [weak self] in
      guard let self else { return }
      lock.withLock { _ = observers.removeValue(forKey: number) }
    }
  }

  package var rowObserverCount: Int { lock.withLock { rowObservers.count } }

  package func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    let number = lock.withLock {
      registered += 1
      rowObservers[registered] = body
      return registered
    }
    return Observation { [weak self] in
      guard let self else { return }
      lock.withLock { _ = rowObservers.removeValue(forKey: number) }
    }
  }

  /// Publishes the samples of an instant; returns once every observer has received them.
  package func send(_ row: SensorSamples) {
    for body in lock.withLock({ Array(rowObservers.values) }) { body(row) }
  }

  /// Publishes an estimate; returns once every observer has received it.
  package func send(_ estimate: Estimate) {
    let bodies = lock.withLock {
      newest = estimate
      return Array(observers.values)
    }
    for body in bodies { body(estimate) }
  }
}

extension Estimate {
  /// An estimate of a heading only.
  package static func heading(
    _ degrees: Double, true trueDegrees: Double? = nil, accuracy: Double? = 3,
    at seconds: Double = 1
  ) -> Estimate {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: UInt64(seconds * 1e9)))
    estimate.magneticHeading = MagneticHeading(Angle(degrees: degrees))
    estimate.trueHeading = trueDegrees.map { TrueHeading(Angle(degrees: $0)) }
    estimate.headingAccuracy = accuracy.map(Angle.init(degrees:))
    estimate.calibration = .good
    estimate.disturbance = .clean
    return estimate
  }

  /// An estimate that carries a fix taken at `seconds` of its own clock.
  package static func fix(
    latitude: Double, longitude: Double, accuracy: Double? = 5, at seconds: Double = 1
  ) -> Estimate {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: UInt64(seconds * 1e9)))
    estimate.position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
    estimate.horizontalAccuracyMetres = accuracy
    estimate.fixKind = .threeDimensional
    estimate.fixTimestamp = estimate.timestamp
    return estimate
  }
}
