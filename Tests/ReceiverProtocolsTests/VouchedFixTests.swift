import Foundation
import Quantities
import ReceiverProtocols
import Testing

/// Velocity, covariances and correction age in the fix, and their absence for an invalid solution.
@Suite("Fix with all values of its instant", .timeLimit(.minutes(30)))
struct VouchedFixTests {
  private func fixes(_ bytes: [UInt8]) -> [Fix] {
    var reader = ReceiverReader()
    var fixes: [Fix] = []
    let now = Timestamp(nanoseconds: 0)
    func add(_ report: ReceiverReport) {
      if case .epoch(let epoch) = report { fixes.append(epoch.validFix) }
    }
    bytes.withUnsafeBytes { reader.push($0, at: now, add) }
    reader.finish(at: now, add)
    return fixes
  }

  private func sentences(_ bodies: String...) -> [UInt8] {
    bodies.flatMap { body -> [UInt8] in
      let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
      let digits = (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
      return Array("$\(body)*\(digits)\r\n".utf8)
    }
  }

  private func little<Value: FixedWidthInteger>(_ values: Value...) -> [UInt8] {
    values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
  }

  /// NAV-PVT of 2026-06-01 12:00:00: 3D and differential, 12 satellites, 4 m/s north, 3 m/s east, 1
  /// m/s down.
  private func pvt(isOK: Bool = true, age: UInt16 = 3) -> [UInt8] {
    var payload: [UInt8] = little(UInt32(129_618_000))
    payload += little(UInt16(2026)) + [6, 1, 12, 0, 0, 0x37]
    payload += little(UInt32(50)) + little(Int32(0))
    payload += [3, isOK ? 0x03 : 0x02, 0xE0, 12]
    payload += little(Int32(100_000_000), 540_000_000, 60_000, 20_000)
    payload += little(UInt32(2000), 3000)
    payload += little(Int32(4000), 3000, 1000, 5000, 3_686_990)
    payload += little(UInt32(200), 450_000)
    payload += little(UInt16(150)) + little(age << 1) + [0, 0, 0, 0]
    payload += little(Int32(0)) + little(Int16(0)) + little(UInt16(0))
    return UBXCommand(UBXMessageName(0x01, 0x07), payload: payload).bytes
  }

  private func covariance() -> [UInt8] {
    let numbers: [Float] = [4, 1, 0.5, 9, -2, 16, 0.04, 0.01, 0, 0.09, 0, 0.16]
    var payload: [UInt8] = little(UInt32(129_618_000)) + [0, 1, 1]
    payload += [UInt8](repeating: 0, count: 9)
    for number in numbers { payload += little(number.bitPattern) }
    return UBXCommand(UBXMessageName(0x01, 0x36), payload: payload).bytes
  }

  @Test("The fix contains NAV-PVT's velocity, its errors and the age of corrections")
  func motion() throws {
    let fix = try #require(fixes(pvt()).first)
    #expect(fix.kind == .differential)
    #expect(fix.velocity?.metresPerSecond == SIMD3(4, 3, 1))
    #expect(fix.speedAccuracyMetresPerSecond == 0.2)
    #expect(abs((fix.courseAccuracy?.degrees ?? 0) - 4.5) < 1e-9)
    #expect(fix.correctionAgeSeconds == 2)
    #expect(fix.positionCovarianceSquareMetres == nil)
  }

  @Test("The fix contains NAV-COV's two matrices over north, east and down")
  func covariances() throws {
    let fix = try #require(fixes(pvt() + covariance()).first)
    let place = Matrix3(rows: SIMD3(4, 1, 0.5), SIMD3(1, 9, -2), SIMD3(0.5, -2, 16))
    #expect(fix.positionCovarianceSquareMetres == place)
    let velocity = try #require(fix.velocityCovarianceSquareMetresPerSecondSquared)
    #expect(abs(velocity.r0.y - 0.01) < 1e-6 && abs(velocity.r2.z - 0.16) < 1e-6)
  }

  @Test("The fix has no position and no motion where the solution is outside the receiver's limits")
  func notOK() throws {
    let fix = try #require(fixes(pvt(isOK: false) + covariance()).first)
    #expect(fix.kind == .none && fix.position == nil && fix.velocity == nil)
    #expect(fix.positionCovarianceSquareMetres == nil && fix.correctionAgeSeconds == nil)
  }

  private static let gga = "GPGGA,120000,5400.0,N,01000.0,E,2,09,0.9,20.0,M,40.0,M,3.5,0120"

  @Test("The covariance has GST's sigmas and the correlation of its ellipse")
  func ellipse() throws {
    let stream = sentences(Self.gga, "GPGST,120000,5.0,5.0,2.0,45.0,3.8,3.8,6.0")
    let fix = try #require(fixes(stream).first)
    let m = try #require(fix.positionCovarianceSquareMetres)
    // Semi-axes 5 and 2 at 45 degrees: correlation 21/29.
    #expect(abs(m.r0.x - 14.44) < 1e-9 && abs(m.r1.y - 14.44) < 1e-9 && abs(m.r2.z - 36) < 1e-9)
    #expect(abs(m.r0.y - 14.44 * 21 / 29) < 1e-6 && m.r1.x == m.r0.y && m.r0.z == 0)
  }

  @Test(
    "There is no correlation without GST's ellipse, and no covariance without all three sigmas")
  func sigmas() throws {
    let plain = try #require(fixes(sentences(Self.gga, "GPGST,120000,,,,,3.0,4.0,6.0")).first)
    #expect(
      plain.positionCovarianceSquareMetres == Matrix3(diagonal: SIMD3(9, 16, 36)))
    let less = try #require(fixes(sentences(Self.gga, "GPGST,120000,,,,,3.0,4.0,")).first)
    #expect(less.positionCovarianceSquareMetres == nil)
  }

  @Test("The age of corrections is reported only where some are in use")
  func age() throws {
    #expect(try #require(fixes(sentences(Self.gga)).first).correctionAgeSeconds == 3.5)
    let alone = Self.gga.replacing(",E,2,", with: ",E,1,")
    #expect(try #require(fixes(sentences(alone)).first).correctionAgeSeconds == nil)
    let gns = "GNGNS,120000,5400.0,N,01000.0,E,RR,09,0.9,20.0,40.0,1.5,0120,S"
    #expect(try #require(fixes(sentences(gns)).first).correctionAgeSeconds == 1.5)
  }

  @Test("The fix contains gpsd's velocity, errors and age of corrections")
  func gpsd() throws {
    let line = """
      {"class":"TPV","device":"/dev/x","mode":3,"status":2,"time":"2026-06-01T12:00:00.000Z","lat":54.0,\
      "lon":10.0,"altMSL":20.0,"altHAE":60.0,"epv":6.0,"speed":5.0,"track":36.87,"climb":-1.0,"eps":0.4,\
      "epd":4.0,"velN":4.0,"velE":3.0,"velD":1.0,"dgpsAge":3.5,"eph":5.0}\n
      """
    var decoder = GPSDDecoder()
    var fixes: [Fix] = []
    func add(_ report: ReceiverReport) {
      if case .epoch(let epoch) = report { fixes.append(epoch.validFix) }
    }
    for second in 0..<2 {
      let text = line.replacing("12:00:00", with: "12:00:0\(second)")
      Array(text.utf8).withUnsafeBytes { bytes in
        decoder.push(bytes, at: Timestamp(nanoseconds: UInt64(second) * 1_000_000_000), add)
      }
    }
    let fix = try #require(fixes.first)
    #expect(fix.velocity?.metresPerSecond == SIMD3(4, 3, 1))
    #expect(fix.speedAccuracyMetresPerSecond == 0.4 && fix.correctionAgeSeconds == 3.5)
    #expect(abs((fix.courseAccuracy?.degrees ?? 0) - 4) < 1e-9)
  }
}
