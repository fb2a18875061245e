/// What waits for one client. Memory is bounded whatever the client does: of headings the newest stays, fixes and
/// all else have a limit.
package struct OutputQueue {
  /// Fixes that wait for a client that does not read: a minute of a receiver at ten a second.
  package static let mostFixes = 600
  /// The same for one with a lease: an hour at one a second. Beyond it the oldest go.
  package static let mostLeasedFixes = 3600
  /// Bytes of everything else that wait: the longest reply, and as much again.
  static let mostBytes = 16 * 1024 * 1024
  /// Lines of everything else that wait: four times the events that may, and answers.
  package static let mostLines = 4096

  /// Instants of samples that wait: some seconds. Beyond it the oldest go, as in a program's own buffer.
  package static let mostSamples = 1024

  private var control: [[UInt8]] = []
  private var firstControl = 0
  private var controlBytes = 0
  private var fixes: [[UInt8]] = []
  private var firstFix = 0
  private var samples: [[UInt8]] = []
  private var firstSample = 0
  private var heading: [UInt8]?

  /// Why the client has to be dropped.
  package enum Overflow: Error, Equatable { case fixes, bytes, lines }

  /// Fixes that went because a lease's queue was full.
  package private(set) var lostFixes = 0

  /// Begins empty.
  package init() {}

  /// Lines that wait beside estimates.
  package var waitingLines: Int { control.count - firstControl }
  package var isEmpty: Bool {
    waitingLines == 0 && waitingFixes == 0 && waitingSamples == 0 && heading == nil
  }
  package var waitingFixes: Int { fixes.count - firstFix }
  package var waitingSamples: Int { samples.count - firstSample }
  /// Bytes that wait, for tests and for the status.
  package var waitingBytes: Int {
    var bytes = controlBytes + (heading?.count ?? 0)
    for line in fixes[firstFix...] { bytes += line.count }
    for line in samples[firstSample...] { bytes += line.count }
    return bytes
  }

  /// Appends a line that must not be lost.
  package mutating func put(_ line: [UInt8]) throws(Overflow) {
    guard controlBytes + line.count <= Self.mostBytes else { throw .bytes }
    guard waitingLines < Self.mostLines else { throw .lines }
    if firstControl > 64, firstControl > control.count / 2 {
      control.removeFirst(firstControl)
      firstControl = 0
    }
    control.append(line)
    controlBytes += line.count
  }

  /// Appends a fix. It holds the heading too, so that an older one has nothing more to say.
  package mutating func put(fix line: [UInt8], isLeased: Bool) throws(Overflow) {
    heading = nil
    if isLeased {
      if waitingFixes >= Self.mostLeasedFixes {
        firstFix += 1
        lostFixes += 1
      }
    } else if waitingFixes >= Self.mostFixes {
      throw .fixes
    }
    if firstFix > 64, firstFix > fixes.count / 2 {
      fixes.removeFirst(firstFix)
      firstFix = 0
    }
    fixes.append(line)
  }

  /// Appends an instant's samples; the oldest goes where too many wait.
  package mutating func put(samples line: [UInt8]) {
    if waitingSamples >= Self.mostSamples { firstSample += 1 }
    if firstSample > 64, firstSample > samples.count / 2 {
      samples.removeFirst(firstSample)
      firstSample = 0
    }
    samples.append(line)
  }

  /// Puts a heading in place of the one that waits.
  package mutating func put(heading line: [UInt8]) { heading = line }

  /// Forgets estimates: the client wants others, or may have none.
  mutating func dropEstimates() {
    (fixes, firstFix, heading) = ([], 0, nil)
  }

  /// Forgets samples.
  mutating func dropSamples() { (samples, firstSample) = ([], 0) }

  /// The next line; nil where none waits.
  package mutating func take() -> [UInt8]? {
    if waitingLines > 0 {
      let line = control[firstControl]
      // The memory goes with the line.
      control[firstControl] = []
      firstControl += 1
      if firstControl == control.count { (control, firstControl) = ([], 0) }
      controlBytes -= line.count
      return line
    }
    if waitingFixes > 0 {
      defer {
        firstFix += 1
        if firstFix == fixes.count { (fixes, firstFix) = ([], 0) }
      }
      return fixes[firstFix]
    }
    // The newest heading is small, and would else starve behind samples.
    if let heading {
      self.heading = nil
      return heading
    }
    guard waitingSamples > 0 else { return nil }
    defer {
      firstSample += 1
      if firstSample == samples.count { (samples, firstSample) = ([], 0) }
    }
    return samples[firstSample]
  }
}
