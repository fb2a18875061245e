import Bus
import CLinuxBus
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Waits on the edges of several lines at once, with one call of the kernel and no memory of its own.
public final class LinuxEdgeWait {
  /// The lines, as they were given.
  public let lines: [LinuxGPIOLine]

  private let descriptors: UnsafeMutableBufferPointer<pollfd>
  /// The line to look at first, so that a busy one does not hide the others.
  private var first = 0

  /// Makes a wait on lines that were asked for edges; it takes their edges, so nobody else should.
  /// - Throws: `BusError` where one was not.
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
  /// - Returns: Whose edge it is, as an index of `lines`; nil where none came before the deadline.
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
      return (index, try lines[index].takeEdge(events: events))
    }
    return nil
  }
}
