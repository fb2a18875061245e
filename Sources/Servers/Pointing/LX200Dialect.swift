import EarthModel
import Formats
import Quantities

/// The protocol of Meade's LX200, which most programs for telescopes have: what is read, and the
/// synchronisation on a star. The equinox is that of the date. A value that is not known has no
/// answer.
/// - Source: Meade Telescope Serial Command Protocol, revision 2010.10.
struct LX200Dialect: PointingDialect {
  private static let (begin, end) = (UInt8(ascii: ":"), UInt8(ascii: "#"))
  /// The request for the kind of mounting.
  private static let acknowledge: UInt8 = 6

  private var isShort = false
  /// The star that a program has named, in turns of its own units.
  private var rightAscension: Angle?
  private var declination: Angle?

  mutating func answer(_ input: inout [UInt8], _ board: PointedBoard) -> PointingAnswer? {
    guard let first = input.firstIndex(where: { $0 == Self.begin || $0 == Self.acknowledge })
    else {
      input = []
      return nil
    }
    if input[first] == Self.acknowledge {
      input.removeFirst(first + 1)
      return .text("A")
    }
    guard let last = input[first...].firstIndex(of: Self.end) else { return nil }
    let request = Array(input[(first + 1)..<last])
    input.removeFirst(last + 1)
    return .text(answer(request[...], board))
  }

  private mutating func answer(_ request: ArraySlice<UInt8>, _ board: PointedBoard) -> [UInt8] {
    let name = String(decoding: request.prefix(2), as: UTF8.self)
    let value = request.dropFirst(2)
    switch name {
    case "U": isShort.toggle()
    case "D": return [Self.end]
    case "MS": return Array("2A sensor has no motor#".utf8)
    case "MA": return Array("1".utf8)
    case "CM":
      let fault = synchronise(board)
      return Array((fault.map { "Not aligned: \($0)#" } ?? "Coordinates matched.#").utf8)
    case "CS": _ = synchronise(board)
    case "Sr":
      rightAscension = LX200Angle.number(value, limit: 24).map { Angle(degrees: $0 * 15) }
      return Self.accepted(rightAscension)
    case "Sd":
      declination = LX200Angle.number(value, limit: 90).map { Angle(degrees: $0) }
      return Self.accepted(declination)
    // The place and the time are the receiver's.
    case _ where name.hasPrefix("S"): return Array("0".utf8)
    case _ where name.hasPrefix("G"):
      guard let text = text(String(decoding: request, as: UTF8.self), board) else { return [] }
      return text + [Self.end]
    default: break
    }
    return []
  }

  private static func accepted(_ angle: Angle?) -> [UInt8] {
    Array((angle == nil ? "0" : "1").utf8)
  }

  private func synchronise(_ board: PointedBoard) -> String? {
    guard let rightAscension, let declination else { return "no star named" }
    return board.align(
      on: EquatorialDirection(rightAscension: rightAscension, declination: declination))
  }

  /// A value; nil for an unknown one.
  private func text(_ name: String, _ board: PointedBoard) -> [UInt8]? {
    switch name {
    case "GR": board.ofDate.map { LX200Angle.hours($0.rightAscension, isShort: isShort) }
    case "GD": board.ofDate.map { LX200Angle.signed($0.declination, isShort: isShort) }
    case "GA": board.direction.map { LX200Angle.signed($0.altitude, isShort: isShort) }
    case "GZ": board.direction.map { LX200Angle.turn($0.azimuth, isShort: isShort) }
    case "Gr": rightAscension.map { LX200Angle.hours($0, isShort: isShort) }
    case "Gd": declination.map { LX200Angle.signed($0, isShort: isShort) }
    case "GS": board.sky.map { LX200Angle.hours($0.siderealTime) }
    case "Gt": place(board).map { LX200Angle.signed($0.latitude, isShort: true) }
    // West is positive.
    case "Gg": place(board).map { LX200Angle.signed(-$0.longitude, digits: 3, isShort: true) }
    case "GL": utc(board).map { Array($0.text(decimals: 0).utf8.dropFirst(11).prefix(8)) }
    case "GC":
      utc(board).map(\.date).map { date in
        Array([date.month, date.day, date.year % 100].map(Self.two).joined(separator: "/").utf8)
      }
    case "GG": Array("+00".utf8)
    case "Gc": Array("24".utf8)
    case "GW": Array("AN\(board.isAligned ? 1 : 0)".utf8)
    case "GVP":
      Array((board.estimate?.isSimulated == true ? "Lodestar simulated" : "Lodestar").utf8)
    case "GVN": Array(Version.text.utf8)
    default: nil
    }
  }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

  private func utc(_ board: PointedBoard) -> UTCTime? { board.estimate?.utc }

  private func place(_ board: PointedBoard) -> GeodeticPosition? {
    board.estimate.flatMap { $0.positionState?.isGone == true ? nil : $0.position }
  }
}
