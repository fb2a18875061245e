import Formats
import Quantities

/// Hamlib's protocol of rotators, as `rotctld` serves it: a sensor that cannot be moved.
/// - Source: rotctld(1) of Hamlib 4.5.4, and the answers of that program; rig.h for the codes.
struct RotctlDialect: PointingDialect {
  private static let done = 0
  private static let notImplemented = -4
  private static let noData = -6
  private static let refused = -9
  private static let notAvailable = -11

  private struct Command {
    let letter: Character?
    let name: String
    var arguments = 0
  }

  private static let commands = [
    Command(letter: "p", name: "get_pos"), Command(letter: "P", name: "set_pos", arguments: 2),
    Command(letter: "M", name: "move", arguments: 2), Command(letter: "S", name: "stop"),
    Command(letter: "K", name: "park"), Command(letter: "R", name: "reset", arguments: 1),
    Command(letter: "_", name: "get_info"), Command(letter: "s", name: "get_status"),
    Command(letter: nil, name: "dump_state"), Command(letter: "q", name: "quit"),
    Command(letter: "Q", name: "quit"),
  ]

  /// A value of an answer, alone and with its label.
  private struct Field {
    let plain: String
    let labelled: String

    init(_ label: String, _ value: String, plain: String? = nil) {
      (self.plain, labelled) = (plain ?? value, "\(label): \(value)")
    }
    init(_ text: String) { (plain, labelled) = (text, text) }
  }

  mutating func answer(_ input: inout [UInt8], _ board: PointedBoard) -> PointingAnswer? {
    guard let end = input.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = String(decoding: input[..<end], as: UTF8.self)
    input.removeFirst(end + 1)
    var (rest, text) = (Substring(line), "")
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard let first = rest.first, first != "#" else { return .text(text) }
      // With the prefix the answer has labels and a code, separated by it.
      var separator: Character?
      if first.isASCII, first.isPunctuation || first.isSymbol, first != "\\", first != "_" {
        separator = first == "+" ? "\n" : first
        rest = rest.dropFirst()
      }
      guard let command = Self.command(&rest) else {
        return .text(text + "RPRT \(Self.notImplemented)\n")
      }
      if command.name == "quit" { return text.isEmpty ? .end : .text(text) }
      var arguments: [Substring] = []
      for _ in 0..<command.arguments { arguments.append(Self.word(&rest)) }
      let (code, fields) = perform(command.name, board)
      if let separator {
        let words = [command.name + ":"] + arguments.map { String($0) }
        let head = words.joined(separator: " ")
        let lines = [head] + fields.map(\.labelled) + ["RPRT \(code)\n"]
        text += lines.joined(separator: String(separator))
      } else {
        text += fields.map { $0.plain + "\n" }.joined()
        if fields.isEmpty { text += "RPRT \(code)\n" }
      }
    }
  }

  private static func command(_ rest: inout Substring) -> Command? {
    if rest.first == "\\" {
      rest = rest.dropFirst()
      let name = word(&rest)
      return commands.first { $0.name == name }
    }
    guard let letter = rest.popFirst() else { return nil }
    return commands.first { $0.letter == letter }
  }

  private static func word(_ rest: inout Substring) -> Substring {
    rest = rest.drop(while: \.isWhitespace)
    let word = rest.prefix { !$0.isWhitespace }
    rest = rest.dropFirst(word.count)
    return word
  }

  private func perform(_ name: String, _ board: PointedBoard) -> (code: Int, [Field]) {
    switch name {
    case "get_pos":
      guard let direction = board.direction else { return (Self.noData, []) }
      let azimuth = direction.azimuth.degreesBelowTurn(decimals: 2)
      return (
        Self.done,
        [
          Field("Azimuth", Self.text(azimuth)),
          Field("Elevation", Self.text(direction.altitude.degrees)),
        ]
      )
    case "get_info":
      let words = board.estimate?.isSimulated == true ? ", simulated" : ""
      return (Self.done, [Field("Info", "Lodestar \(Version.text)\(words)")])
    case "dump_state":
      let limits = [("Azimuth", "az", 0, 360), ("Elevation", "el", -90, 90)]
      return (
        Self.done,
        [Field("rotctld Protocol Ver", "1"), Field("Rotor Model", "2")]
          + limits.flatMap { (name, short, least, greatest) in
            [("Minimum", "min", least), ("Maximum", "max", greatest)].map {
              Field("\($0) \(name)", "\($2).000000", plain: "\($1)_\(short)=\($2).000000")
            }
          } + [
            Field("South Zero", "0", plain: "south_zero=0"), Field("rot_type=AzEl"),
            Field("done"),
          ]
      )
    // Nothing moves.
    case "stop": return (Self.done, [])
    case "reset": return (board.removeAlignment() ? Self.done : Self.refused, [])
    default: return (Self.notAvailable, [])
    }
  }

  private static func text(_ degrees: Double) -> String {
    var bytes: [UInt8] = []
    bytes.append(degrees, decimals: 2)
    return String(decoding: bytes, as: UTF8.self)
  }
}
