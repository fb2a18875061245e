import Configuration

extension Board {
  /// The buses and ports that a reader of the board opens.
  public var devices: [String] {
    let named = sensors.map(\.bus) + [receiver?.port, compass?.port].compactMap { $0 }
    return named.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
