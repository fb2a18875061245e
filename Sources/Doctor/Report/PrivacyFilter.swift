/// Removes from a text what identifies a person, a machine or a place.
struct PrivacyFilter {
  /// Names with their replacements, the longest first.
  private let names: [(name: String, replacement: String)]

  /// Collects the names of a machine: its own, its users', and its serial numbers.
  init(_ machine: Machine) {
    var names: [(name: String, replacement: String)] = []
    if let host = machine.line("/etc/hostname") {
      names.append((host, "HOST"))
      // A name with its domain also appears without it.
      if let short = host.split(separator: ".").first { names.append((String(short), "HOST")) }
    }
    for user in machine.accounts.users where (1000..<60_000).contains(user.uid) {
      names.append((user.name, "USER"))
    }
    for file in ["/proc/device-tree/serial-number", "/etc/machine-id"] {
      let text = machine.text(file)?.split { $0 == "\n" || $0 == "\0" }.first
      if let text { names.append((String(text), "SERIAL")) }
    }
    if let board = machine.board?.board.name { names.append((board, "BOARD")) }
    self.names = names.filter { !$0.name.isEmpty }.sorted { $0.name.count > $1.name.count }
  }

  /// The text with names (whole words), host names in messages, MAC and IP addresses, UUIDs, serial
  /// numbers, mount points and coordinates replaced.
  func filtered(_ text: String) -> String {
    var text = text
    text = text.replacing(#/(?i)\b[0-9a-f]{2}([:-][0-9a-f]{2}){5}\b/#, with: "MAC")
    text = text.replacing(
      #/(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/#, with: "UUID")
    text = text.replacing(#/\b\d{1,3}(\.\d{1,3}){3}\b/#, with: "ADDRESS")
    text = text.replacing(
      #/(?i)\b([0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b|\b([0-9a-f]{1,4}:)+(:[0-9a-f]{1,4})+\b|\bfe80:[0-9a-f:]+/#,
      with: "ADDRESS")
    text = text.replacing(#/\b([a-z]+):\/\/[^\s,;]+/#) { "\($0.output.1)://ADDRESS" }
    text = text.replacing(#/\bhost '[^']*'/#, with: "host 'HOST'")
    // The name of a base station is that of a town.
    text = text.replacing(#/\bmount point '[^']*'/#, with: "mount point 'NAME'")
    // A section of config.txt for one machine.
    text = text.replacing(#/(?i)\[0x[0-9a-f]+\]/#, with: "[SERIAL]")
    text = text.replacing(#//dev/serial/by-id/\S+/#, with: "/dev/serial/by-id/SERIAL")
    text = text.replacing(#/(?i)\b(0x)?[0-9a-f]{16,}\b/#, with: "SERIAL")
    // Four decimals of a degree are ten metres; no other figure of a finding has so many.
    text = text.replacing(#/-?\b\d{1,3}\.\d{4,}\b/#, with: "NUMBER")
    for (name, replacement) in names { text = Self.replaced(name, by: replacement, in: text) }
    return text
  }

  private static func replaced(_ name: String, by replacement: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: name) {
      let before = rest[..<range.lowerBound].last ?? result.last
      let after = rest[range.upperBound...].first
      let isWord = !isLetter(before) && !isLetter(after)
      result += rest[..<range.lowerBound] + (isWord ? replacement : name)
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  private static func isLetter(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }
}
