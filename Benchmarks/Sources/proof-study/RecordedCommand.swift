import ArgumentParser
import Foundation
import InputProof
import Quantities
import RecordedTrials
import Study

/// Recordings by others: as they are, and with wrong axes.
struct RecordedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recorded",
    abstract: "False alarms on recordings, and wrong axes that are found in them within 90 s.")

  @Argument(help: "The reference data.")
  var shared: String = "../shared"

  @Option(help: "Every how many-th of the 47 wrong axes.")
  var every = 3

  func run() throws {
    let sets = try load()
    print(
      "as they are: recordings; contradicted; proven and trusted after, median s, of those where it happened"
    )
    for (name, list) in sets {
      for hasGyroscope in [true, false] {
        let answers = parallel(list.count) { Answer(list[$0], hasGyroscope: hasGyroscope) }
        func median(_ values: [Double]) -> String {
          values.isEmpty ? "-" : "\(values.sorted()[values.count / 2].rounded()) (\(values.count))"
        }
        print(
          "\(name)\(hasGyroscope ? "" : ", gyroscope left out"): \(list.count); "
            + "\(answers.count { $0.found != nil }); \(median(answers.compactMap(\.proven))); "
            + median(answers.compactMap(\.trusted)))
      }
    }
    stamps(sets)
    let every = max(1, every)
    print("wrong axes, the first 90 s")
    for (name, list) in sets {
      for sensor in Tally.sensors {
        let tally = Tally.ofAxes(
          sensor.quantity, in: list, hasGyroscope: sensor.hasGyroscope, every: every, within: 90)
        print("\(name), \(sensor.name): \(tally.text)")
      }
    }
  }

  /// Stamps of the magnetometer and the accelerometer as they are, and later or earlier by 0.3 s,
  /// and the forward axis of cars.
  private func stamps(_ sets: [(String, [Samples])]) {
    print(
      "stamps: recordings; proven right as they are; of stamps 0.3 s late, early: named, with another answer"
    )
    for (name, list) in sets {
      func count(_ quantity: SampleQuantity, _ seconds: Double) -> String {
        let answers = parallel(list.count) { Answer(list[$0].late(quantity, by: seconds)) }
        let named = answers.count {
          if case .delay(quantity, let s)? = $0.verdicts.fault {
            abs(s - seconds) < 0.1
          } else {
            false
          }
        }
        return "\(named), \(answers.count { $0.verdicts.fault != nil } - named)"
      }
      let proven = parallel(list.count) { Answer(list[$0]) }.count { $0.verdicts.time == .proven }
      let sensors = [SampleQuantity.field, .force, .rate].map {
        "\($0.sensor) \(count($0, 0.3)), \(count($0, -0.3))"
      }
      print("\(name): \(list.count); \(proven); \(sensors.joined(separator: "; "))")
    }
    guard let mount = AxisMount(x: .forward, y: .right, z: .down) else { return }
    for samples in sets.first(where: { $0.0 == "cars" })?.1 ?? [] {
      let verdicts = Answer(samples, mounting: mount.rotation).verdicts
      print(
        "\(samples.name), forward axis: \(verdicts.forward.rawValue)"
          + (verdicts.fault.map { "; \($0)" } ?? ""))
    }
  }

  private func load() throws -> [(String, [Samples])] {
    var sets = [("BROAD", try loadTrials(shared: shared).map { Samples($0) })]
    let folder = URL(fileURLWithPath: shared).appendingPathComponent("data")
    func files(_ name: String, _ end: String) throws -> [URL] {
      try FileManager.default.contentsOfDirectory(
        at: folder.appendingPathComponent(name), includingPropertiesForKeys: nil
      ).filter { $0.lastPathComponent.hasSuffix(end) }.sorted { $0.path < $1.path }
    }
    sets.append(
      (
        "T-stick",
        try files("tstick", ".bin").map {
          Samples(try Trial(path: $0.path, name: $0.lastPathComponent))
        }
      ))
    let phones = try files("phones", ".csv.gz").map {
      Samples(try Trial(packedTable: $0.path, name: $0.lastPathComponent))
    }
    sets.append(("phones, clean", phones.filter { $0.name.contains("NoDist") }))
    sets.append(("phones, past magnets", phones.filter { $0.name.contains("_Dist") }))
    let vehicles = try files("vehicles", ".csv").map { try Samples(csv: $0) }
    sets.append(
      ("cars", vehicles.filter { $0.name.contains("car") || $0.name.contains("highway") }))
    sets.append(
      ("flights", vehicles.filter { !$0.name.contains("car") && !$0.name.contains("highway") }))
    return sets
  }
}

extension Samples {
  /// Reads a sensor CSV: the sensors, and of a receiver height, speed and course.
  init(csv url: URL) throws {
    let text = try String(contentsOf: url, encoding: .utf8)
    var lines = text.split(separator: "\n").makeIterator()
    let header = (lines.next() ?? "").split(separator: ",").map(String.init)
    self.init(Trial(name: url.lastPathComponent, hertz: 1))
    while let line = lines.next() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      func number(_ name: String) -> Double? {
        header.firstIndex(of: name).flatMap { $0 < cells.count ? Double(cells[$0]) : nil }
      }
      func vector(_ letter: String) -> SIMD3<Double>? {
        guard let x = number(letter + "x"), let y = number(letter + "y"),
          let z = number(letter + "z")
        else { return nil }
        return SIMD3(x, y, z)
      }
      guard let t = number("t").flatMap({ Timestamp(seconds: $0) }) else { continue }
      var row = SensorSamples(timestamp: t)
      let (rate, force) = (vector("g"), vector("a"))
      if rate != nil || force != nil {
        row.inertial = InertialSample(
          timestamp: t, angularRate: rate.map { AngularRate(components: $0) },
          specificForce: force.map { SpecificForce(components: $0) })
      }
      if let field = vector("m") {
        row.field = FieldSample(timestamp: t, field: MagneticField(components: field))
      }
      if number("lat") != nil {
        var fix = Fix(timestamp: t, kind: .threeDimensional)
        fix.altitudeMetres = number("alt")
        fix.speedMetresPerSecond = number("speed")
        fix.course = number("course").map { Angle(degrees: $0) }
        row.fix = fix
      }
      row.pressure = number("pressure").map { PressureSample(timestamp: t, hectopascal: $0) }
      rows.append(row)
    }
  }
}
