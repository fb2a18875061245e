import Board
import CoreLocation
import Formats
import Observers
import Pipeline
import Quantities
import Synchronization

/// A source that publishes the samples and estimates of a test, on the test's thread.
package final class ScriptedPublisher: EstimatePublisher {
  package let hasMagnetometer: Bool
  package let hasCompass: Bool
  package let hasReceiver: Bool
  package let isSimulated: Bool
  package let calibrator: (any FieldCalibrator)?
  package let positionOrigin: PositionOrigin?

  private let newest = Mutex<Estimate?>(nil)
  private let estimates = ObserverList<Estimate>()
  private let rows = ObserverList<SensorSamples>()
  private let outputs = ObserverList<ReceiverOutput>()

  package init(
    hasMagnetometer: Bool = true, hasCompass: Bool = false, hasReceiver: Bool = true,
    isSimulated: Bool = false,
    calibrator: (any FieldCalibrator)? = nil, positionOrigin: PositionOrigin? = nil
  ) {
    self.positionOrigin = positionOrigin
    self.calibrator = calibrator
    self.hasMagnetometer = hasMagnetometer
    self.hasCompass = hasCompass
    self.hasReceiver = hasReceiver
    self.isSimulated = isSimulated
  }

  package var latest: Estimate? { newest.withLock { $0 } }
  package var observerCount: Int { estimates.count }

  package func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    estimates.add(body)
  }

  package var rowObserverCount: Int { rows.count }

  package func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    rows.add(body)
  }

  /// Publishes the samples of an instant; returns once every observer has received them.
  package func send(_ row: SensorSamples) {
    rows.notify(row)
  }

  package var receiverObserverCount: Int { outputs.count }

  package func observeReceiver(
    _ body: @escaping @Sendable (ReceiverOutput) -> Void
  ) -> Observation { outputs.add(body) }

  /// Publishes a receiver's output; returns once every observer has received it.
  package func send(_ output: ReceiverOutput) { outputs.notify(output) }

  /// Publishes an estimate; returns once every observer has received it.
  package func send(_ estimate: Estimate) {
    newest.withLock { $0 = estimate }
    estimates.notify(estimate)
  }
}

extension Estimate {
  /// An estimate of a heading only.
  package static func heading(
    _ degrees: Double, true trueDegrees: Double? = nil, accuracy: Double? = 3,
    at seconds: Double = 1
  ) -> Estimate {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)))
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
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)))
    estimate.position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
    estimate.horizontalAccuracyMetres = accuracy
    estimate.fixKind = .threeDimensional
    estimate.fixTimestamp = estimate.timestamp
    return estimate
  }
}
