import CFirmware
import Quantities
import ReceiverProtocols

/// The program's start; `main` of the host and the start-up code of a microcontroller call it.
@_cdecl("program")
func program() {
  var logs = UnsafeRawBufferPointer(start: firmware_logs(), count: firmware_logs_bytes())
  var index = 0
  while let log = first(of: &logs) {
    Decoding.run(log, index)
    index += 1
  }
  Console.print("end")
}

/// Removes the first log, behind its length of four bytes; nil at the end.
private func first(of logs: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
  guard logs.count > 4 else { return nil }
  let length = Int(UInt32(littleEndian: logs.loadUnaligned(as: UInt32.self)))
  let log = UnsafeRawBufferPointer(rebasing: logs[4..<4 + length])
  logs = UnsafeRawBufferPointer(rebasing: logs[(4 + length)...])
  return log
}

/// Decodes receivers' logs, and prints the bit patterns of fixes and headings.
enum Decoding {
  /// Bytes that arrive at once.
  private static let portion = 64

  /// Decodes a log as it would come from a line.
  static func run(_ log: UnsafeRawBufferPointer, _ index: Int) {
    var reader = ReceiverReader()
    var offset = 0
    while offset < log.count {
      let end = min(log.count, offset + portion)
      let bytes = UnsafeRawBufferPointer(rebasing: log[offset..<end])
      reader.push(bytes, at: instant(offset)) { show($0, index) }
      offset = end
    }
    reader.finish(at: instant(offset)) { show($0, index) }
    let counts = reader.counts
    Console.print("counts", index, [Double(counts.valid), Double(counts.rejected)])
  }

  /// 9600 baud.
  private static func instant(_ offset: Int) -> Timestamp {
    Timestamp(nanoseconds: UInt64(offset) * 1_041_667)
  }

  private static func show(_ report: ReceiverReport, _ index: Int) {
    switch report {
    case .epoch(let epoch): show(epoch.fix, index)
    case .heading(let report):
      let headings = [report.trueHeading?.angle, report.magneticHeading?.angle]
      let angles = headings + [report.pitch, report.roll]
      Console.print("heading", index, angles.map { $0?.radians ?? .infinity })
    case .alignment, .pulse: break
    }
  }

  private static func show(_ fix: Fix, _ index: Int) {
    let place = numbers(fix.position?.latitude.radians, fix.position?.longitude.radians)
    let heights = numbers(fix.altitudeMetres, fix.ellipsoidalAltitudeMetres)
    let errors = numbers(fix.horizontalAccuracyMetres, fix.verticalAccuracyMetres)
    let motion = numbers(fix.speedMetresPerSecond, fix.course?.radians)
    let seconds = numbers(fix.utc.map { Double($0.nanosecondsSince1970) })
    Console.print("fix", index, place + heights + errors + motion + seconds)
  }

  /// The values; infinite for those that are not known.
  private static func numbers(_ values: Double?...) -> [Double] { values.map { $0 ?? .infinity } }
}
