/// A block of sorted names with their places.
///
/// Each name: how many bytes it shares with the one before, how many follow, these, how many
/// places, their numbers as differences. Numbers are base 128, low digits first, the high bit set
/// on all but the last.
package struct NameBlock: Sendable {
  let bytes: [UInt8]

  /// Reads a block of the file's.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// The numbers of the places of that name; nil for an invalid block.
  package func places(named name: String) -> [Int]? {
    let wanted = Array(name.utf8)
    var position = 0
    var current: [UInt8] = []
    while position < bytes.count {
      guard let shared = number(at: &position), let length = number(at: &position),
        shared <= current.count, length <= bytes.count - position
      else { return nil }
      current.removeSubrange(shared...)
      current += bytes[position..<position + length]
      position += length
      guard let count = number(at: &position), count <= bytes.count else { return nil }
      var places: [Int] = []
      for _ in 0..<count {
        guard let step = number(at: &position) else { return nil }
        places.append((places.last ?? 0) + step)
      }
      if current == wanted { return places }
    }
    return []
  }

  private func number(at position: inout Int) -> Int? {
    var value = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
