import Quantities
import RealModule
import Simulation
import Testing

@Suite(.timeLimit(.minutes(30))) struct SensorCSVTests {
  private func table(_ bytes: [UInt8]) -> [[Substring]] {
    Substring(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
  }

  @Test("Numbers are written with fixed decimals, rounded, without a minus before zero")
  func decimals() {
    func written(_ x: Double, _ decimals: Int) -> String {
      var bytes: [UInt8] = []
      bytes.append(x, decimals: decimals)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(written(3.14159, 2) == "3.14")
    #expect(written(-0.5, 3) == "-0.500")
    #expect(written(-0.0001, 2) == "0.00")
    #expect(written(999.996, 2) == "1000.00")
    #expect(written(-12, 0) == "-12")
    #expect(written(0.007, 3) == "0.007")
    #expect(written(.nan, 3) == "" && written(.infinity, 3) == "" && written(1e300, 1) == "")
  }

  @Test("Every row has the header's columns, and samples of one instant share a row")
  func shape() throws {
    let files = try SensorCSV.files(of: Worlds.make(.sailingBoat), until: Worlds.instant(10))
    let sensors = table(files.sensors)
    let truth = table(files.truth)
    #expect(sensors[0].joined(separator: ",") == SensorCSV.sensorHeader.description.dropLast())
    #expect(sensors[0].count == 19 && truth[0].count == 16)
    #expect(sensors.allSatisfy { $0.count == 19 } && truth.allSatisfy { $0.count == 16 })
    #expect(sensors.count == truth.count)
    let times = try sensors.dropFirst().map { try #require(Double($0[0])) }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(try truth.dropFirst().map { try #require(Double($0[0])) } == times)
    // 100 Hz, 50 Hz and 25 Hz share instants; so do fixes, which come 0.12 s late.
    #expect(sensors.count == 1 + 1001)
    #expect(sensors.dropFirst().filter { !$0[1].isEmpty }.count == 1001)
    #expect(sensors.dropFirst().filter { !$0[7].isEmpty }.count == 501)
    #expect(sensors.dropFirst().filter { !$0[10].isEmpty }.count == 251)
    #expect(sensors.dropFirst().filter { !$0[12].isEmpty }.count == 9)
  }

  @Test("The file contains the measured samples, in the columns' units")
  func values() throws {
    let scenario = Scenario.carDrive
    let rows = try table(
      SensorCSV.files(of: Worlds.make(scenario), until: Worlds.instant(5)).sensors)
    let samples = try Worlds.samples(scenario, seconds: 5)
    let inertialRows = rows.dropFirst().filter { !$0[1].isEmpty }
    for (row, sample) in zip(inertialRows, samples.inertial) {
      let x = try row[1...6].map { try #require(Double($0)) }
      let rate = try #require(sample.angularRate).radiansPerSecond
      let force = try #require(sample.specificForce).metresPerSecondSquared
      #expect((SIMD3(x[0], x[1], x[2]) - rate).length < 1e-7)
      #expect((SIMD3(x[3], x[4], x[5]) - force).length < 1e-6)
    }
    let fixRows = rows.dropFirst().filter { !$0[12].isEmpty }
    for (row, fix) in zip(fixRows, samples.fixes.filter { $0.kind != .none }) {
      let latitude = try #require(fix.position).latitude.degrees
      #expect(try abs(#require(Double(row[12])) - latitude) < 1e-9)
      #expect(try abs(#require(Double(row[14])) - #require(fix.altitudeMetres)) < 1e-3)
      #expect(try abs(#require(Double(row[18])) - #require(fix.course).degrees) < 1e-3)
    }
  }

  @Test("The truth's quaternion takes the sensor's vectors into east, north and up")
  func quaternion() throws {
    var scenario = Scenario.sailingBoat.withoutSensorErrors
    scenario.includesEarthRotation = false
    let world = try Worlds.make(scenario)
    let files = try SensorCSV.files(of: world, until: Worlds.instant(120))
    let (sensors, truth) = (table(files.sensors), table(files.truth))
    for i in 1..<truth.count where i % 50 == 1 {
      let q = try truth[i][1...4].map { try #require(Double($0)) }
      let rotation = try #require(
        Rotation<SensorFrame, EarthFrame>(w: q[0], x: q[1], y: q[2], z: q[3]))
      // Sensor x points forward: its direction in east-north-up is the heading.
      let forward = rotation.rotate(SIMD3(1, 0, 0))
      let heading = Angle(radians: .atan2(y: forward.x, x: forward.y)).wrappedToTurn
      let written = Angle(degrees: try #require(Double(truth[i][5])))
      #expect(abs((heading - written).wrappedToHalfTurn.degrees) < 1e-5)
      // The field points to magnetic north and, in the north, down.
      let cells = sensors[i][7...9]
      guard cells.allSatisfy({ !$0.isEmpty }) else { continue }
      let m = try cells.map { try #require(Double($0)) }
      let field = rotation.rotate(SIMD3(m[0], m[1], m[2]))
      #expect(abs(field.x) < 1e-3 && field.y > 10 && field.z < -40)
    }
  }
}
