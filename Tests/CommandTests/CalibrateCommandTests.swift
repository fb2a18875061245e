import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar calibrate", .timeLimit(.minutes(30)))
final class CalibrateCommandTests {
  private let gy91 = ["--board", "gy-91"]
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch {
      FileHandle.standardError.write(Data("left behind: \(folder.path): \(error)\n".utf8))
    }
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func write(_ text: String) throws -> String {
    let file = folder.appendingPathComponent("\(UUID()).csv")
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// Calibrations are stored in the test's own folder, boards come from the repository.
  private func calibrate(_ arguments: [String]) throws -> BuiltProgram.Outcome {
    let boards = SharedData.repository.appendingPathComponent("Boards").path
    return try lodestar.run(
      ["calibrate"] + arguments,
      environment: ["LODESTAR_STATE": path("state"), "LODESTAR_BOARDS": boards])
  }

  /// A recorded rotation with added hard and soft iron.
  private func distortedTrial() throws -> String {
    let trial = try #require(SharedData.path("data/broad/02_undisturbed_slow_rotation_B.bin"))
    let csv = path("distorted.csv")
    try Python.run(try #require(SharedData.path("tools/distort.py")), [trial, csv, "3"])
    return csv
  }

  @Test(
    "a fit of a distorted trial is good, finds the hard iron, accepts negative places and can be stored",
    .enabled(if: SharedData.path("data/broad") != nil, "the reference data is absent"))
  func fit() throws {
    let csv = try distortedTrial()
    let run = try calibrate(["fit", csv, "--json", "-"])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let found = try object(run.output)
    #expect(found["quality"] as? String == "good")
    #expect((found["softIron"] as? [[Double]])?.map(\.count) == [3, 3, 3])
    #expect((0.1..<5).contains(try #require(found["predictedHeadingError_deg"] as? Double)))
    let iron = try #require(found["hardIron"] as? [Double])
    let truth = try object(Data(contentsOf: URL(fileURLWithPath: csv + ".truth.json")))
    let added = try #require(truth["o"] as? [Double])
    #expect(iron.count == 3 && zip(iron, added).allSatisfy { abs($0 - $1) < 1.5 }, "\(iron)")
    #expect(try calibrate(["fit", csv, "--location", "-33.9,151.2,10"]).status == 0)
    #expect(try calibrate(["fit", csv, "--location", "-91,0"]).status == 64)
    #expect(try calibrate(["import", write(run.text)] + gy91).status == 0)
    let status = try calibrate(["status", "--format", "json"] + gy91)
    #expect(try object(status.output)["hardIron"] as? [Double] == iron)
  }

  @Test(
    "a recording that cannot be fitted is reported in one line with the reason, status 1",
    arguments: [
      (Motion.noField, "mx my mz"), (.frozen, "magnetometer is frozen"),
      (.clipped, "limit of the sensor's range"),
    ])
  func unfit(motion: Motion, reason: String) throws {
    let (file, json) = (try write(motion.csv), path("none.json"))
    let run = try calibrate(["fit", file, "--json", json])
    #expect(run.exited && run.status == 1 && run.output.isEmpty && run.errorLines.count == 1)
    #expect(run.errors.contains(file) && run.errors.contains(reason), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: json))
  }

  @Test(
    "recordings of a board that was turned level only are for level use, with both errors",
    .enabled(if: SharedData.path("data/cases/07-planar") != nil, "the reference data is absent"))
  func levelUse() throws {
    for name in ["robot-full", "no-gyro-full"] {
      let csv = try #require(SharedData.path("data/cases/07-planar/\(name).csv"))
      let run = try calibrate(["fit", csv])
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      #expect(run.text.hasPrefix("fair: 95 of 100 level headings are within about 5 degrees\n"))
      #expect(
        run.text.contains("  level use: 3.") && run.text.contains("tilted by 45"), "\(run.text)")
      let found = try object(calibrate(["fit", csv, "--format", "json"]).output)
      #expect(found["use"] as? String == "level" && found["quality"] as? String == "fair")
      let iron = try #require(found["hardIron"] as? [Double])
      #expect(abs(iron[0] - 30) < 0.5 && abs(iron[1] + 20) < 0.5, "\(iron)")
      let level = try #require(found["predictedLevelError_deg"] as? Double)
      #expect((3..<4).contains(level))
      #expect(try #require(found["predictedHeadingError_deg"] as? Double) > 10)
    }
    // What the store and the commands make of it.
    let csv = try #require(SharedData.path("data/cases/07-planar/robot-full.csv"))
    let stored = try calibrate(["fit", csv, "--json", path("level.json")])
    #expect(stored.status == 0)
    #expect(try calibrate(["import", path("level.json")] + gy91).status == 0)
    let status = try calibrate(["status"] + gy91).text
    #expect(
      status.contains("generation 1, fair") && status.contains("level use: 3.3 degrees while level")
    )
    #expect(try calibrate(["history"] + gy91).text.contains("3.3 level"))
  }

  @Test(
    "a level turn that is too short says what is missing",
    .enabled(if: SharedData.path("data/cases/07-planar") != nil, "the reference data is absent"))
  func shortLevelTurn() throws {
    let csv = try #require(SharedData.path("data/cases/07-planar/robot-90.csv"))
    let run = try calibrate(["fit", csv, "--level"])
    #expect(run.status == 1 && run.errors.contains("full circle"), "\(run.errors)")
  }

  @Test("calibrations are stored, listed, rolled back, exported and imported again")
  func kept() throws {
    func expect(_ command: [String], iron: Double, numbers: [Int], status: Int32 = 0) throws {
      let run = try calibrate(command + gy91)
      #expect(run.status == status && run.errorLines.count == 1, "\(command): \(run.errors)")
      let used = try calibrate(["status", "--format", "json"] + gy91)
      #expect(used.status == 0 && used.errors.isEmpty, "\(used.errors)")
      #expect(try object(used.output)["hardIron"] as? [Double] == [iron, -20, 5], "\(command)")
      let history = try objects(calibrate(["history", "--format", "json"] + gy91))
      #expect(history.map { $0["generation"] as? Int } == numbers, "\(command)")
    }
    #expect(try calibrate(["status"] + gy91).status == 69)
    try expect(["import", write(plain(10))], iron: 10, numbers: [1])
    try expect(["import", write(plain(30))], iron: 30, numbers: [2, 1])
    try expect(["rollback"], iron: 10, numbers: [3, 2, 1])
    let text = try calibrate(["history"] + gy91).text
    #expect(text.contains("copy of 1") && text.contains("20.0 uT"), "\(text)")
    try expect(["rollback", "99"], iron: 10, numbers: [3, 2, 1], status: 1)
    try expect(["export", path("out.json"), "--number", "2"], iron: 10, numbers: [3, 2, 1])
    try expect(["import", path("out.json")], iron: 30, numbers: [4, 3, 2, 1])
  }

  @Test("a damaged or foreign calibration is refused with the reason, and the previous one is used")
  func refused() throws {
    for x in [10.0, 30] { _ = try calibrate(["import", write(plain(x))] + gy91) }
    let file = path("out.json")
    #expect(try calibrate(["export", file] + gy91).status == 0)
    let sound = try String(contentsOfFile: file, encoding: .utf8)
    let damaged = sound.replacingOccurrences(of: "[30", with: "[31")
    let cases = [(file, "gy-87", "belongs to AK8963"), (try write(damaged), "gy-91", "damaged")]
    for (file, board, reason) in cases {
      let run = try calibrate(["import", file, "--board", board])
      #expect(run.status == 1 && run.errorLines.count == 1 && run.errors.contains(file))
      #expect(run.errors.contains(reason), "\(run.errors)")
    }
    #expect(try calibrate(["status", "--board", "gy-87"]).status == 69)
    let names = try FileManager.default.subpathsOfDirectory(atPath: path("state"))
    let newest = try #require(names.first { $0.hasSuffix("00000002.json") })
    for (text, reason) in [(damaged, "damaged"), (String(sound.prefix(200)), "not valid JSON")] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path("state/\(newest)")))
      let run = try calibrate(["status", "--format", "json"] + gy91)
      #expect(run.status == 0 && run.errorLines.count == 1)
      #expect(run.errors.contains(reason) && run.errors.contains(newest), "\(run.errors)")
      #expect(try object(run.output)["generation"] as? Int == 1)
    }
  }

  @Test("a swing gives 24 rows, reports a wrong entry, and refuses too few entries or none")
  func swing() throws {
    func deviation(_ compass: Double) -> Double { 1 + 5 * sin(compass * .pi / 180) }
    func headings(_ count: Int, wrong: Double? = nil) throws -> String {
      try write(
        stride(from: 0.0, to: 45 * Double(count), by: 45).reduce(into: "") { text, compass in
          let error = compass == wrong ? 25.0 : 0
          text += "\(compass + deviation(compass) + error) \(compass)\n"
        })
    }
    for wrong in [nil, 135.0] {
      let run = try calibrate(["swing", headings(8, wrong: wrong), "--format", "json"])
      let rows = try objects(run)
      #expect(run.status == 0 && rows.count == 24)
      for row in rows {
        let compass = try #require(row["compass"] as? Double)
        #expect(abs(try #require(row["deviation"] as? Double) - deviation(compass)) < 0.3)
      }
      #expect(run.errors.isEmpty == (wrong == nil))
      #expect(run.errors.contains("entry 4") == (wrong != nil), "\(run.errors)")
    }
    let few = try calibrate(["swing", headings(4)])
    #expect(few.status == 1 && few.output.isEmpty && few.errors.contains("too few headings: 4"))
    let none = try calibrate(["swing", write("0 1\nnorth 2\n")])
    #expect(none.status == 1 && none.errorLines.count == 1 && none.errors.contains(":2: 'north"))
  }

  @Test("the effect of a switched load is found within 5 %; no other column replaces a missing one")
  func load() throws {
    let gain = SIMD3(0.8, -0.5, 0.3)
    var noise = SeededGenerator(seed: 7)
    var text = "t,mx,my,mz,amps\n"
    for n in 0..<3000 {
      let amps = n / 250 % 2 == 0 ? 0.0 : 6
      var field = SIMD3<Double>(18, 2, -45) + amps * gain
      field += .random(in: -0.3...0.3, using: &noise) as SIMD3<Double>
      text += "\(Double(n) / 50),\(field.x),\(field.y),\(field.z),\(amps)\n"
    }
    let run = try calibrate(["load", write(text), "--load", "amps", "--format", "json"])
    let found = try #require(try object(run.output)["field_uT_per_unit"] as? [Double])
    for (i, a) in found.enumerated() {
      let (difference, tolerance) = (abs(a - gain[i]), 0.05 * abs(gain[i]))
      #expect(difference < tolerance, "\(found)")
    }
    for present in ["load", "volts"] {
      let csv = text.replacingOccurrences(of: "amps", with: present)
      let run = try calibrate(["load", write(csv), "--load", "amps"])
      #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("column amps"))
    }
  }

  @Test(
    "a unit that repeats its values to the last bit is refused, one at rest with noise is not",
    arguments: ["accelerometer", "level"])
  func frozenUnit(_ kind: String) throws {
    func run(noise: Double, _ options: String...) throws -> BuiltProgram.Outcome {
      var text = "t,gx,gy,gz,ax,ay,az\n"
      for side in 0..<4 {
        // Upright for the level, else on four sides.
        let sides = [(9.81, 0.0), (-9.81, 0.0), (0.0, 9.81), (0.0, -9.81)]
        let up = kind == "level" ? (0.0, 0.0) : sides[side]
        for n in 0..<600 {
          let (t, e) = (Double(side * 600 + n) * 0.01, n % 2 == 0 ? noise : -noise)
          text += "\(t),0,0,\(e),\(up.0),\(up.1),\(e + (kind == "level" ? 9.81 : 0))\n"
        }
      }
      let file = try TemporaryFile(Data(text.utf8), suffix: ".csv")
      return try lodestar.run(["calibrate", kind, file.path] + options)
    }
    let frozen = try run(noise: 0)
    #expect(frozen.status == 1 && frozen.errors.contains("frozen"), "\(frozen.errors)")
    #expect(frozen.text.isEmpty, "\(frozen.text)")
    let noisy = try run(noise: 0.001)
    #expect(noisy.status == 0, "\(noisy.errors)")
    let json = try object(try run(noise: 0.001, "--format", "json").output)
    #expect(json["time"] is String, "\(json)")
    if kind == "level" {
      #expect(abs(try #require(json["roll_deg"] as? Double)) < 0.01, "\(json)")
    } else {
      #expect((json["gyroscopeBias_deg_per_s"] as? [Double])?.count == 3, "\(json)")
    }
  }

  @Test(
    "the mount of a gyroscope with a reversed axis is found in a recording and written",
    .enabled(if: SharedData.path("data/broad") != nil, "the reference data is absent"))
  func mirroredGyroscope() throws {
    let lines = try String(contentsOfFile: distortedTrial(), encoding: .utf8).split(separator: "\n")
    let column = try #require(lines[0].split(separator: ",").firstIndex(of: "gx"))
    let csv = lines.enumerated().map { index, line in
      var cells = line.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
      if index > 0, !cells[column].isEmpty { cells[column] = "\(-(Double(cells[column]) ?? 0))" }
      return cells.joined(separator: ",")
    }.joined(separator: "\n")
    let board = path("board.yaml")
    try "board: B\nsensors:\n  - chip: MPU-9250\n".write(
      toFile: board, atomically: true, encoding: .utf8)
    let run = try calibrate(["mount", write(csv), "--board", board, "--yes"])
    #expect(run.status == 0 && run.text.contains("gyroscope's x, y, z point"), "\(run.errors)")
    let written = try String(contentsOfFile: board, encoding: .utf8)
    #expect(written.contains("axes: proven"), "\(written)")
    #expect(written.contains("rotation-mount: {x: backward, y: left, z: up}"), "\(written)")
  }

  @Test("insufficient motion, or no file, gives no deviation table and no mount")
  func insufficientMotion() throws {
    let file = try write(Motion.level.csv)
    for flag in ["--keep", "--dry-run"] {
      let run = try calibrate(["deviation", flag])
      #expect(run.status == 64 && run.errors.contains("\(flag) needs a recording"), "\(run.errors)")
    }
    let deviation = try calibrate(["deviation", file])
    #expect(deviation.status == 1 && deviation.output.isEmpty && deviation.errorLines.count == 1)
    #expect(deviation.errors.contains(file) && deviation.errors.contains("180 are needed"))
    let mount = try calibrate(["mount", file])
    #expect(
      mount.status == 1 && mount.text.contains("the motion does not determine"), "\(mount.errors)")
    for command in ["fit", "load", "deviation", "mount"] {
      let run = try calibrate([command, "/nowhere.csv"])
      #expect(run.status == 1 && run.output.isEmpty, "\(command)")
      #expect(run.errors == "lodestar: /nowhere.csv: cannot be read: No such file or directory\n")
    }
  }

  @Test(
    "a simulated session reports its progress and ends when it is good", .timeLimit(.minutes(30)))
  func guide() throws {
    let run = try calibrate(["guide", "--simulate", "--format", "json"])
    let lines = try objects(run)
    let samples = lines.compactMap { $0["samples"] as? Int }
    #expect(run.status == 0 && samples.count == lines.count && samples.count > 5, "\(run.errors)")
    #expect(samples == samples.sorted() && samples.first == 0 && (samples.last ?? 0) > 30)
    #expect(lines.allSatisfy { $0["simulated"] as? Bool == true })
    #expect(lines.last?["quality"] as? String == "good" && run.errors.contains("not saved"))
  }

  @Test(
    "calibration during a replay is deterministic, and the last estimate has an accuracy",
    .enabled(if: SharedData.path("data/broad") != nil, "the reference data is absent"))
  func online() throws {
    let csv = try distortedTrial()
    let runs = try (0..<2).map { _ in
      try lodestar.run(["replay", csv, "--online-calibration", "on", "--estimates", "-"])
    }
    #expect(runs[0].status == 0 && runs[0].output == runs[1].output)
    let last = try #require(runs[0].output.split(separator: UInt8(ascii: "\n")).last)
    #expect((0.1..<30).contains(try #require(try object(last)["headingAccuracy"] as? Double)))
  }

  private func object(_ json: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  private func objects(_ run: BuiltProgram.Outcome) throws -> [[String: Any]] {
    try run.text.split(separator: "\n").map { try object(Data($0.utf8)) }
  }

  private func plain(_ x: Double) -> String {
    "{\"softIron\":[[1,0,0],[0,1,0],[0,0,1]],\"hardIron\":[\(x),-20,5],\"quality\":\"good\"}"
  }

  /// Half a minute of turning, with possible faults.
  enum Motion {
    case level, frozen, clipped, noField

    var csv: String {
      var generator = SeededGenerator(seed: 3)
      func noise(_ size: Double) -> SIMD3<Double> { .random(in: -size...size, using: &generator) }
      var text = "t,gx,gy,gz,ax,ay,az,\(self == .noField ? "a,b,c" : "mx,my,mz")\n"
      for n in 0..<3000 {
        let angle = Double(n) / 90
        var field = SIMD3<Double>(18 * sin(angle), 18 * cos(angle), -45)
        field += noise(0.2)
        if self == .frozen { field = SIMD3(12, 3, -40) }
        if self == .clipped { field.replace(with: 15, where: field .> 15) }
        let (rate, force) = (SIMD3<Double>(0, 0, 1.11), SIMD3<Double>(0, 0, 9.81))
        let readings = [rate + noise(0.01), force + noise(0.05), field]
        text += readings.reduce("\(angle * 0.9)") { "\($0),\($1.x),\($1.y),\($1.z)" } + "\n"
      }
      return text
    }
  }
}
