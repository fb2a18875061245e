/// What an output has sent since the start of the daemon.
package struct OutputCount: Equatable, Sendable {
  /// The output, by its key, such as `gdl90-udp`.
  package let name: String
  /// The packets that the kernel has accepted.
  package var sent = 0
  /// The packets that could not be sent.
  package var failed = 0

  /// Makes the count of an output that has sent nothing.
  package init(name: String) { self.name = name }
}
