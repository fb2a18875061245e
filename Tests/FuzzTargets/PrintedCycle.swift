import Quantities

/// The sentences of one instant, printed independently of the code under test.
struct PrintedCycle {
  enum Kind { case rmc, gga, gll, gns, zda, vtg }

  let talker: StaticString
  let utc: UTCTime
  let latitude: Double
  let longitude: Double

  func sentence(_ kind: Kind) -> [UInt8] {
    var line = PrintedLine()
    line.add(talker)
    switch kind {
    case .rmc:
      line.add("RMC,")
      time(&line)
      line.add(",A,")
      place(&line)
      line.add(",1.5,10.0,")
      let date = utc.date
      line.add(date.day, digits: 2)
      line.add(date.month, digits: 2)
      line.add(date.year % 100, digits: 2)
      line.add(",,,A")
    case .gga:
      line.add("GGA,")
      time(&line)
      line.add(",")
      place(&line)
      line.add(",1,08,1.1,120.5,M,40.1,M,,")
    case .gll:
      line.add("GLL,")
      place(&line)
      line.add(",")
      time(&line)
      line.add(",A,A")
    case .gns:
      line.add("GNS,")
      time(&line)
      line.add(",")
      place(&line)
      line.add(",AA,08,1.1,120.5,40.1,,")
    case .zda:
      line.add("ZDA,")
      time(&line)
      let date = utc.date
      line.add(",")
      line.add(date.day, digits: 2)
      line.add(",")
      line.add(date.month, digits: 2)
      line.add(",")
      line.add(date.year, digits: 4)
      line.add(",00,00")
    case .vtg: line.add("VTG,10.0,T,9.0,M,1.5,N,2.8,K,A")
    }
    return Frames.sentence(line.bytes)
  }

  private func time(_ line: inout PrintedLine) {
    let milliseconds = Int(utc.nanosecondsOfDay / 1_000_000)
    let seconds = milliseconds / 1000
    line.add(seconds / 3600, digits: 2)
    line.add(seconds / 60 % 60, digits: 2)
    line.add(seconds % 60, digits: 2)
    line.add(".")
    line.add(milliseconds % 1000, digits: 3)
  }

  private func place(_ line: inout PrintedLine) {
    coordinate(latitude, 2, &line)
    line.add(latitude < 0 ? ",S," : ",N,")
    coordinate(longitude, 3, &line)
    line.add(longitude < 0 ? ",W" : ",E")
  }

  private func coordinate(_ degrees: Double, _ width: Int, _ line: inout PrintedLine) {
    let units = Int(bounded: (abs(degrees) * 60 * 100_000).rounded())
    let (minutes, fraction) = (units / 100_000, units % 100_000)
    line.add(minutes / 60, digits: width)
    line.add(minutes % 60, digits: 2)
    line.add(".")
    line.add(fraction, digits: 5)
  }
}

/// Text under construction.
private struct PrintedLine {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ value: Int, digits: Int) {
    let start = bytes.count
    var rest = value
    for _ in 0..<digits {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }
}
