import CalibrationFit
import Foundation
import Fusion
import Quantities
import RecordedTrials

extension Trial {
  /// The orientation is carried from so long before the first observation, seconds.
  private static var lead: Double { 6 }

  /// What the product's orientation and observer make of a part of the trial, with the field as it
  /// was recorded: a distortion of it is linear and may come after. Start and end are seconds since
  /// the first sample.
  func observations(
    from start: Double = 0, to end: Double = .infinity, gyroscope: GyroscopeTrouble = .none
  ) -> [FieldObservation] {
    var orientation = InertialOrientation()
    var observer = FieldObserver()
    var checks = SampleChecks()
    var trouble = GyroscopeTrouble.Process(
      gyroscope, period: 1 / hertz, seed: name.hashOfStudy)
    var result: [FieldObservation] = []
    for i in 0..<count
    where seconds[i] >= start - Self.lead && seconds[i] <= end {
      let sample = inertial(i)
      let disturbed = trouble(rate[i])
      orientation.update(
        InertialSample<SensorFrame>(
          timestamp: sample.timestamp, angularRate: AngularRate(components: disturbed),
          specificForce: SpecificForce(components: force[i])))
      if let loss = checks.add(rate: disturbed, force: force[i], at: sample.timestamp) {
        observer.interrupt(at: sample.timestamp, loss)
      }
      guard seconds[i] >= start, let m = fieldSample(i), let attitude = orientation.attitude
      else { continue }
      let observation = observer.add(
        field: m.field.components, at: m.timestamp, attitude: attitude, rate: orientation.rate)
      if let observation { result.append(observation) }
    }
    return result
  }
}

extension Trial {
  /// The observations of the trial by Lodestar's observer for a board without a gyroscope.
  func gravityObservations() -> [FieldObservation] {
    var observer = GravityFieldObserver()
    return (0..<count).compactMap { i in
      guard let m = fieldSample(i) else { return nil }
      observer.add(force: force[i], at: m.timestamp)
      return observer.add(field: m.field.components, at: m.timestamp)
    }
  }
}

extension Array where Element == FieldObservation {
  /// Those whose tilt against `down` is below so many degrees.
  func tilted(below degrees: Double, from down: SIMD3<Double>) -> [FieldObservation] {
    filter { observation in
      guard let axes = observation.axes else { return false }
      return axes.down.dot(down) > axes.down.length * cos(degrees * .pi / 180)
    }
  }

  /// Through how much of the circle the level axes went, degrees: cells of ten that were met.
  var yawCovered: Double {
    var cells = Set<Int>()
    for axes in compactMap(\.axes) {
      // The sensor's axis that lies most level.
      let d = SIMD3(abs(axes.down.x), abs(axes.down.y), abs(axes.down.z))
      let lying = d.x <= d.y && d.x <= d.z ? 0 : d.y <= d.z ? 1 : 2
      cells.insert(Int((atan2(axes.y[lying], axes.x[lying]) * 18 / .pi + 18).rounded(.down)))
    }
    return 10 * Double(cells.count)
  }
}

extension String {
  /// A trial's number, for seeds.
  var hashOfStudy: Int { utf8.reduce(0) { ($0 &* 10 &+ Int($1) &- 48) & 0xFF_FFFF_FFFF } }
}
