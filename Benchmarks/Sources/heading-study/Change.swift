import RecordedTrials
import Study

/// A change of the samples that tests the robustness of the filter.
struct Change: Sendable {
  let name: String
  let apply: @Sendable (Trial) -> Trial

  init(_ name: String, _ apply: @escaping @Sendable (Trial) -> Trial) {
    self.name = name
    self.apply = apply
  }

  /// The time after a start in motion that is not evaluated, seconds.
  static let grace = 10.0

  static let all: [Change] =
    [
      Change("half rate, averaged") { $0.averaged(2) },
      Change("quarter rate, averaged") { $0.averaged(4) },
      Change("every second sample") { $0.every(2) },
      Change("magnetometer quarter rate") { $0.fieldEvery(4) },
      Change("30 s without magnetometer") { $0.withoutField(seconds: 30) },
      Change("1 m/s2 acceleration noise") { $0.shaken(1) },
      Change("sensor rotated") { $0.rotatedSensor() },
    ] + starts + magnets

  static let starts: [Change] = [0.15, 0.3, 0.4, 0.5].map { fraction in
    Change("start in motion, \(percent(fraction, 0)) %") {
      $0.starting(at: fraction, grace: grace)
    }
  }

  static let magnets: [Change] = [
    Change("magnet on (18 uT)") { $0.magnet(18, from: 0.45, to: 1) },
    Change("magnet on and off (40 uT)") { $0.magnet(40, from: 0.4, to: 0.6) },
    Change("magnet from the start (6 uT)") { $0.magnet(6, from: 0, to: 1) },
  ]
}
