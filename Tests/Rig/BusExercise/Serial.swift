import Chips
import LinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

private func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { fail("\(path) cannot be read") }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 65_536)
  return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
}

@MainActor
func serial() throws {
  let wanted = contents(of: word(4))
  let port = try LinuxSerialPort(path: word(2), baud: number(3))
  print("LISTENING")
  let end = deadline(5)
  var read: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 256)
  var reads = 0
  while read.count < wanted.count {
    let count = try buffer.withUnsafeMutableBytes { bytes in
      try withoutAllocating { try port.read(into: bytes, until: end) }
    }
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
