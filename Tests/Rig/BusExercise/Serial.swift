import Bus
import Foundation
import LinuxBus
import Quantities

@MainActor
func serial() throws {
  let wanted = [UInt8](try Data(contentsOf: URL(fileURLWithPath: word(4))))
  let port = try LinuxSerialPort(path: word(2), baud: number(3))
  print("LISTENING")
  let end = deadline(5)
  var read: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 256)
  var reads = 0
  while read.count < wanted.count {
    let count = try buffer.withUnsafeMutableBytes { try port.read(into: $0, until: end) }
    if count == 0 { break }
    read += buffer[..<count]
    reads += 1
  }
  guard read == wanted else {
    let same = zip(read, wanted).prefix { $0 == $1 }.count
    fail("\(read.count) of \(wanted.count) bytes, the first \(same) right")
  }
  try wanted.withUnsafeBytes { try port.write($0) }
  print("PASS \(read.count) bytes of \(port.name) in \(reads) reads, and written back")
}

@MainActor
func refused() throws {
  do throws(BusError) {
    switch word(2) {
    case "i2c": _ = try LinuxI2CBus(path: word(3))
    case "line": _ = try LinuxGPIOLine(name: word(3), direction: .input)
    case "serial": _ = try LinuxSerialPort(path: word(3), baud: 9600)
    default: fail("unknown action\n\(usage)")
    }
    fail("\(word(3)) was opened")
  } catch {
    print("PASS refused: \(error)")
  }
}
