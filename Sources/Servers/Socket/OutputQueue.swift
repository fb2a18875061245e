/// The bounded queue of one client's output: the newest heading, and limited numbers of fixes,
/// samples and messages.
package struct OutputQueue {
  /// Limit of fixes for a client that does not read: one minute at 10 Hz.
  package static let mostFixes = 600
  /// Limit of fixes for a client with a lease: one hour at 1 Hz. Beyond it the oldest are dropped.
  package static let mostLeasedFixes = 3600
  /// Limit of the bytes of all other messages: twice the longest message.
  static let mostBytes = 16 * 1024 * 1024
  /// Limit of the number of all other messages: four times the limit of pending events, and
  /// responses.
  package static let mostLines = 4096

  /// Limit of instants of samples: some seconds. Beyond it the oldest are dropped.
  package static let mostSamples = 1024

  /// Limit of the bytes of a receiver's output: some seconds of its bytes at 921,600 baud. Beyond
  /// it the oldest are dropped.
  package static let mostReceiverBytes = 256 * 1024

  private var control: [[UInt8]] = []
  private var firstControl = 0
  private var controlBytes = 0
  private var fixes: [[UInt8]] = []
  private var firstFix = 0
  private var samples: [[UInt8]] = []
  private var firstSample = 0
  private var receiver: [[UInt8]] = []
  private var firstReceiver = 0
  private var receiverBytes = 0
  private var heading: [UInt8]?

  /// The limit that was exceeded; the client is then disconnected.
  package enum Overflow: Error, Equatable { case fixes, bytes, lines }

  /// The number of fixes dropped from the full queue of a lease.
  package private(set) var lostFixes = 0

  /// An empty queue.
  package init() {}

  /// The number of messages without estimates and samples.
  package var waitingLines: Int { control.count - firstControl }
  package var isEmpty: Bool {
    waitingLines == 0 && waitingFixes == 0 && waitingSamples == 0 && heading == nil
      && firstReceiver == receiver.count
  }
  /// The bytes of the messages without estimates and samples.
  var messageBytes: Int { controlBytes }
  package var waitingFixes: Int { fixes.count - firstFix }
  package var waitingSamples: Int { samples.count - firstSample }
  /// The number of queued bytes, for tests and the status.
  package var waitingBytes: Int {
    var bytes = controlBytes + receiverBytes + (heading?.count ?? 0)
    for line in fixes[firstFix...] { bytes += line.count }
    for line in samples[firstSample...] { bytes += line.count }
    return bytes
  }

  /// Appends a message, which is never dropped.
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

  /// Appends a fix. It contains the heading, so that an older queued heading is removed.
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

  /// Appends an instant's samples; a full queue drops its oldest.
  package mutating func put(samples line: [UInt8]) {
    if waitingSamples >= Self.mostSamples { firstSample += 1 }
    if firstSample > 64, firstSample > samples.count / 2 {
      samples.removeFirst(firstSample)
      firstSample = 0
    }
    samples.append(line)
  }

  /// Appends a receiver's output; a full queue drops its oldest.
  package mutating func put(receiver line: [UInt8]) {
    receiver.append(line)
    receiverBytes += line.count
    while receiverBytes > Self.mostReceiverBytes { _ = removeReceiverLine() }
    if firstReceiver > 64, firstReceiver > receiver.count / 2 {
      receiver.removeFirst(firstReceiver)
      firstReceiver = 0
    }
  }

  private mutating func removeReceiverLine() -> [UInt8] {
    let line = receiver[firstReceiver]
    // Frees the line's memory.
    receiver[firstReceiver] = []
    firstReceiver += 1
    if firstReceiver == receiver.count { (receiver, firstReceiver) = ([], 0) }
    receiverBytes -= line.count
    return line
  }

  /// Replaces the queued heading.
  package mutating func put(heading line: [UInt8]) { heading = line }

  /// Removes estimates: the client's demand or access has changed.
  mutating func dropEstimates() {
    (fixes, firstFix, heading) = ([], 0, nil)
  }

  /// Removes the receiver's output.
  mutating func dropReceiver() { (receiver, firstReceiver, receiverBytes) = ([], 0, 0) }

  /// Removes samples.
  mutating func dropSamples() { (samples, firstSample) = ([], 0) }

  /// Removes and returns the next line; nil if the queue is empty.
  package mutating func removeNext() -> [UInt8]? {
    if waitingLines > 0 {
      let line = control[firstControl]
      // Frees the line's memory.
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
    // A heading precedes samples, which could otherwise delay it without limit.
    if let heading {
      self.heading = nil
      return heading
    }
    if firstReceiver < receiver.count { return removeReceiverLine() }
    guard waitingSamples > 0 else { return nil }
    defer {
      firstSample += 1
      if firstSample == samples.count { (samples, firstSample) = ([], 0) }
    }
    return samples[firstSample]
  }
}
