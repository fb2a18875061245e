import Foundation
import Quantities

extension Trial {
  /// Reads a recording of `data/phones`, packed by gzip. One without truth has no judged sample.
  public init(packedTable path: String, name: String) throws {
    let unpack = Process()
    let pipe = Pipe()
    unpack.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    unpack.arguments = ["gzip", "-dc", path]
    unpack.standardOutput = pipe
    try unpack.run()
    let content = pipe.fileHandleForReading.readDataToEndOfFile()
    unpack.waitUntilExit()
    guard unpack.terminationStatus == 0 else { throw TrialError("\(path): cannot be unpacked") }
    let lines = content.split(separator: UInt8(ascii: "\n")).dropFirst()
    guard lines.count > 1 else { throw TrialError("\(path): holds no samples") }
    self.init(name: name, hertz: 1)
    let mount = AxisMount.standard.rotation
    var newest = Rotation<BodyFrame, MagneticEarthFrame>.identity
    for line in lines {
      let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        .map { Double(String(decoding: $0, as: UTF8.self)) ?? .nan }
      guard cells.count >= 10 else { throw TrialError("\(path): a row of \(cells.count) cells") }
      func vector(_ first: Int) -> SIMD3<Double> {
        mount.rotate(SIMD3(cells[first], cells[first + 1], cells[first + 2]))
      }
      seconds.append(cells[0])
      rate.append(vector(1))
      force.append(vector(4))
      let measured = vector(7)
      field.append(measured.isFinite ? measured : nil)
      let seen =
        cells.count >= 15
        ? Rotation<SensorFrame, EastNorthUpFrame>(
          w: cells[10], x: cells[11], y: cells[12], z: cells[13]) : nil
      newest = seen.map { northEastDown * $0 * mount.inverse } ?? newest
      truth.append(newest)
      isJudged.append(seen != nil && cells[14] > 0)
    }
    hertz = Double(count - 1) / max(duration, 1e-3)
  }
}
