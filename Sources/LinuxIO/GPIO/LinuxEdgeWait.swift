import CLinuxIO
import Chips
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Waits for the edges of several lines with one system call and without allocation.
public final class LinuxEdgeWait {
  /// The lines in the given order.
  public let lines: [LinuxGPIOLine]

  private let descriptors: UnsafeMutableBufferPointer<pollfd>
  /// The line to check first; rotates, so that a busy line does not block the others.
  private var first = 0

  /// Makes a wait on lines opened for edges. It reads their edges, so no other code may.
  /// - Throws: `BusError` if a line was not opened for edges.
  public init(_ lines: [LinuxGPIOLine]) throws(BusError) {
    var made: [pollfd] = []
    for line in lines {
      made.append(pollfd(fd: try line.edgeDescriptor(), events: Int16(POLLIN), revents: 0))
    }
    self.lines = lines
    descriptors = .allocate(capacity: made.count)
    _ = descriptors.initialize(from: made)
  }

  deinit { descriptors.deallocate() }

  /// Waits for the next edge of any line.
  /// - Returns: The edge and the index of its line in `lines`; nil at the deadline.
  public func wait(
    until deadline: Timestamp
  ) throws(BusError) -> (line: Int, edge: GPIOEdge)? {
    let ready = linuxbus_poll(
      descriptors.baseAddress, UInt32(descriptors.count), deadline.nanoseconds)
    if ready < 0 { throw BusError(.failed("waiting for edges"), device: "GPIO", code: -ready) }
    if ready == 0 { return nil }
    for step in 0..<descriptors.count {
      let index = (first + step) % descriptors.count
      let events = descriptors[index].revents
      if events == 0 { continue }
      first = index + 1
      return (index, try lines[index].readEdge(events: events))
    }
    return nil
  }
}
