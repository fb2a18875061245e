// What iOS sources take from Foundation and Dispatch around Core Location, and what Linux lacks.
// Small, and with the behaviour of Apple's.
#if !canImport(Darwin)
  internal import Observers

  /// Nanoseconds of a second.
  public let NSEC_PER_SEC: UInt64 = 1_000_000_000
  /// Nanoseconds of a millisecond.
  public let NSEC_PER_MSEC: UInt64 = 1_000_000
  /// Nanoseconds of a microsecond.
  public let NSEC_PER_USEC: UInt64 = 1_000
  /// Microseconds of a second.
  public let USEC_PER_SEC: UInt64 = 1_000_000

  extension NotificationCenter {
    /// The notifications of a name from now on, as an asynchronous sequence.
    ///
    /// Each iterator observes by itself, from its making until it is released or its task is
    /// cancelled. As on Apple's platforms the newest 8 wait for a slow loop.
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The sender; nil for every one.
    /// - Returns: The sequence.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil)
      -> Notifications
    { Notifications(center: self, name: name, object: object) }

    /// Notifications as an asynchronous sequence.
    public final class Notifications: AsyncSequence {
      /// A notification.
      public typealias Element = Notification
      /// Never: it does not throw.
      public typealias Failure = Never

      private let center: NotificationCenter
      private let name: Notification.Name
      private let object: AnyObject?

      init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
        (self.center, self.name, self.object) = (center, name, object)
      }

      /// Begins to observe.
      public func makeAsyncIterator() -> Iterator { Iterator(center, name, object) }

      /// One loop over the notifications.
      public struct Iterator: AsyncIteratorProtocol {
        private static let most = 8

        private let observation: Observation
        private var stream: AsyncStream<ProgramValue<Notification>>.Iterator

        init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
          let (stream, continuation) = AsyncStream.makeStream(
            of: ProgramValue<Notification>.self, bufferingPolicy: .bufferingNewest(Self.most))
          let observer = ProgramValue(
            value: center.addObserver(forName: name, object: object, queue: nil) {
              continuation.yield(ProgramValue(value: $0))
            })
          let center = ProgramValue(value: center)
          observation = Observation {
            center.value.removeObserver(observer.value)
            continuation.finish()
          }
          self.stream = stream.makeAsyncIterator()
        }

        /// Waits for the next notification; nil once the task is cancelled.
        public mutating func next() async -> Notification? { await stream.next()?.value }
      }
    }
  }
#endif
